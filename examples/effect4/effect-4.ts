/**
 * On Effect 4: a lazy stream of contacts, and errors by tag.
 *
 * MAILSTREAM_BASE_URL=… MAILSTREAM_API_KEY=… node examples/effect4/effect-4.ts
 */
import { contacts, Mailstream, Topics } from "@mailstream/effect4"
import * as FetchTransport from "@mailstream/effect4/FetchTransport"
import { Console, Effect, Layer, Stream } from "effect"

const program = Effect.gen(function*() {
  const emails = yield* contacts.items({ prefetch: 1 }).pipe(
    Stream.filter((contact) => !contact.unsubscribed),
    Stream.map((contact) => contact.email),
    Stream.take(120),
    Stream.runCollect
  )
  yield* Console.log(`${emails.length} subscribed contacts, the newest is ${emails[0]}`)

  const topics = yield* Topics
  yield* topics.create({ name: "x".repeat(51), default_subscription: "opt_in" }).pipe(
    Effect.catchTag("validation_error", (error) => Console.log(`${error._tag}: ${error.message}`))
  )
})

const MailstreamLive = Mailstream.layerConfig().pipe(Layer.provide(FetchTransport.layer))

Effect.runPromise(Effect.provide(program, MailstreamLive))

/**
 * Errors by tag: two that are expected and handled, the rest left to the program.
 *
 * MAILSTREAM_BASE_URL=… MAILSTREAM_API_KEY=… node examples/effect4/errors-by-tag.ts
 */
import { ContactId, contacts, Mailstream, Position, Topics } from "@mailstream/effect4"
import * as FetchTransport from "@mailstream/effect4/FetchTransport"
import { Console, Effect, Layer, Stream } from "effect"

const unknown = ContactId.make("00000000-0000-4000-8000-000000000000")

const program = Effect.gen(function*() {
  // The cursor does not exist.
  yield* contacts.items({ from: Position.after(unknown) }).pipe(
    Stream.runDrain,
    Effect.catchTag("not_found", (error) => Console.log(`${error._tag} (${error.statusCode}): ${error.message}`))
  )
  // Refused before a request is sent, with the API's own error.
  const topics = yield* Topics
  yield* topics.create({ name: "x".repeat(51), default_subscription: "opt_in" }).pipe(
    Effect.catchTag("validation_error", (error) => Console.log(`${error._tag} (${error.statusCode}): ${error.message}`))
  )
})

const MailstreamLive = Mailstream.layerConfig().pipe(Layer.provide(FetchTransport.layer))

Effect.runPromise(Effect.provide(program, MailstreamLive))

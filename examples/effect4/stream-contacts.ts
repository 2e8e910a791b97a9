/**
 * All contacts, as a lazy stream: no page is requested before it is needed.
 *
 * MAILSTREAM_BASE_URL=… MAILSTREAM_API_KEY=… node examples/effect4/stream-contacts.ts
 */
import { contacts, Mailstream } from "@mailstream/effect4"
import * as FetchTransport from "@mailstream/effect4/FetchTransport"
import { Console, Effect, Layer, Stream } from "effect"

const program = contacts.items().pipe(
  Stream.filter((contact) => !contact.unsubscribed),
  Stream.take(120),
  Stream.runForEach((contact) => Console.log(contact.email)),
  Effect.catchTags({
    invalid_api_key: () => Console.error("The API does not know this key."),
    rate_limit_exceeded: (error) => Console.error(`Too many requests, even after waiting: ${error.message}`)
  })
)

const MailstreamLive = Mailstream.layerConfig().pipe(Layer.provide(FetchTransport.layer))

Effect.runPromise(Effect.provide(program, MailstreamLive))

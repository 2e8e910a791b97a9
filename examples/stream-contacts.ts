/**
 * All contacts, as a lazy stream: no page is requested before it is needed.
 *
 * MAILSTREAM_BASE_URL=… MAILSTREAM_API_KEY=… node examples/stream-contacts.ts
 */
import { NodeRuntime } from "@effect/platform-node"
import { Mailstream } from "@mailstream/http"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import { contacts } from "@mailstream/stream"
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

const MailstreamLive = Mailstream.layerConfig().pipe(Layer.provide(UndiciTransport.layer))

NodeRuntime.runMain(Effect.provide(program, MailstreamLive))

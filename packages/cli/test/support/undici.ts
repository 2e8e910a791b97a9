/** A program that asks for undici, and prints why it does not get it. */
import { NodeHttpClient, Undici } from "@effect/platform-node"
import { Mailstream } from "@mailstream/http"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import { contacts } from "@mailstream/stream"
import { Effect, Layer, Stream } from "effect"

const transports = [
  UndiciTransport.layer,
  Layer.provide(
    UndiciTransport.layerWithoutDispatcher,
    Layer.sync(NodeHttpClient.Dispatcher, () => Undici.getGlobalDispatcher())
  )
]

Effect.forEach(transports, (transport) => {
  const MailstreamLive = Mailstream.layerConfig().pipe(Layer.provide(transport))
  return Effect.flip(Effect.provide(Stream.runDrain(contacts.items()), MailstreamLive))
}).pipe(
  Effect.map((errors) => console.log(JSON.stringify(errors))),
  Effect.runPromise
)

/** A program that asks for undici, and prints why it does not get it. */
import { Mailstream } from "@mailstream/http"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import { contacts } from "@mailstream/stream"
import { Effect, Layer, Stream } from "effect"
import { getGlobalDispatcher } from "undici"

const transports = [
  UndiciTransport.layer,
  Layer.provide(
    UndiciTransport.layerWithoutDispatcher,
    Layer.sync(UndiciTransport.Dispatcher, getGlobalDispatcher)
  )
]

Effect.forEach(transports, (transport) => {
  const MailstreamLive = Mailstream.layerConfig().pipe(Layer.provide(transport))
  return Effect.flip(Effect.provide(Stream.runDrain(contacts.items()), MailstreamLive))
}).pipe(
  Effect.map((errors) => console.log(JSON.stringify(errors))),
  Effect.runPromise
)

import { type ApiClient, Mailstream } from "@mailstream/http"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import { Server, type Store } from "@mailstream/server"
import { Effect, Layer } from "effect"

/** A server on loopback, and all services on it over real HTTP. */
export const overHttp = (
  options: Server.TestOptions = {}
): Layer.Layer<Mailstream.Mailstream | ApiClient | Server.TestServer | Server.Address | Store> =>
  Layer.unwrapEffect(
    Effect.map(Server.TestServer, ({ apiKey, baseUrl }) => Mailstream.layer({ baseUrl, apiKey, rateLimit: false }))
  ).pipe(
    Layer.provide(UndiciTransport.layer),
    Layer.orDie,
    Layer.provideMerge(Server.layerTest(options))
  )

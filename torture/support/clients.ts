/** The transports that users have, and the services on them. */
import type { InvalidOption } from "@mailstream/core"
import type { ApiClient, Transport } from "@mailstream/http"
import { Mailstream } from "@mailstream/http"
import * as FetchTransport from "@mailstream/http/FetchTransport"
import * as HttpClientTransport from "@mailstream/http/HttpClientTransport"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import { platform } from "@mailstream/testing/HttpClients"
import { Layer } from "effect"
import * as Mark from "./mark.ts"

export type Client = Layer.Layer<Transport.Transport, InvalidOption>

export const clients: ReadonlyArray<readonly [name: string, layer: Client]> = [
  ["undici", UndiciTransport.layer],
  ["fetch", FetchTransport.layer],
  ...platform.map(([name, client]) =>
    [`HttpClient on ${name}`, Layer.provide(HttpClientTransport.layer, client)] as const
  )
]

/** All services, with the marked key. */
export const services = (
  baseUrl: string,
  options: Partial<Parameters<typeof ApiClient.layer>[0]> = {},
  client: Client = UndiciTransport.layer
): Layer.Layer<Mailstream.Mailstream | ApiClient> =>
  Mailstream.layer({ baseUrl, apiKey: Mark.apiKey, ...options }).pipe(Layer.provide(client), Layer.orDie)

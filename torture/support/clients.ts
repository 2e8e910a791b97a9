/** The transports that users have, and the services on them. */
import { FetchHttpClient, type HttpClient } from "@effect/platform"
import { NodeHttpClient } from "@effect/platform-node"
import type { ApiClient } from "@mailstream/http"
import { Mailstream, Transport } from "@mailstream/http"
import * as FetchTransport from "@mailstream/http/FetchTransport"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import { Layer } from "effect"
import * as Mark from "./mark.ts"

export type Client = Layer.Layer<Transport.Transport>

const onHttpClient = (client: Layer.Layer<HttpClient.HttpClient>): Client =>
  Layer.provide(Transport.layerHttpClient, client)

export const clients: ReadonlyArray<readonly [name: string, client: Client]> = [
  ["undici", UndiciTransport.layer],
  ["HttpClient on undici", onHttpClient(NodeHttpClient.layerUndici)],
  ["HttpClient on node:http", onHttpClient(NodeHttpClient.layer)],
  ["fetch", FetchTransport.layer],
  ["HttpClient on fetch", onHttpClient(FetchHttpClient.layer)]
]

/** All services, with the marked key. */
export const services = (
  baseUrl: string,
  options: Partial<Parameters<typeof ApiClient.layer>[0]> = {},
  client: Client = UndiciTransport.layer
): Layer.Layer<Mailstream.Mailstream | ApiClient> =>
  Mailstream.layer({ baseUrl, apiKey: Mark.apiKey, ...options }).pipe(Layer.provide(client), Layer.orDie)

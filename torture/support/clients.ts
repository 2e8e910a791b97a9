/** The clients that users have, and the services on them. */
import { FetchHttpClient, type HttpClient } from "@effect/platform"
import { NodeHttpClient } from "@effect/platform-node"
import type { ApiClient } from "@mailstream/http"
import { Mailstream } from "@mailstream/http"
import * as FetchClient from "@mailstream/http/FetchClient"
import * as UndiciClient from "@mailstream/http/UndiciClient"
import { Layer } from "effect"
import * as Mark from "./mark.ts"

export type Client = Layer.Layer<HttpClient.HttpClient>

export const clients: ReadonlyArray<readonly [name: string, client: Client]> = [
  ["undici, straight", UndiciClient.layer],
  ["undici", NodeHttpClient.layerUndici],
  ["node:http", NodeHttpClient.layer],
  ["fetch, straight", FetchClient.layer],
  ["fetch", FetchHttpClient.layer]
]

/** All services, with the marked key. */
export const services = (
  baseUrl: string,
  options: Partial<Parameters<typeof ApiClient.layer>[0]> = {},
  client: Client = UndiciClient.layer
): Layer.Layer<Mailstream.Mailstream | ApiClient> =>
  Mailstream.layer({ baseUrl, apiKey: Mark.apiKey, ...options }).pipe(Layer.provide(client), Layer.orDie)

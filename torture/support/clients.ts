/** The clients that users have, and the services on them. */
import type { ApiClient } from "@mailstream/http"
import { Mailstream } from "@mailstream/http"
import * as FetchClient from "@mailstream/http/FetchClient"
import * as UndiciClient from "@mailstream/http/UndiciClient"
import { type Client, platform } from "@mailstream/testing/HttpClients"
import { Layer } from "effect"
import * as Mark from "./mark.ts"

export const clients: ReadonlyArray<Client> = [
  ["undici, straight", UndiciClient.layer],
  ["fetch, straight", FetchClient.layer],
  ...platform
]

/** All services, with the marked key. */
export const services = (
  baseUrl: string,
  options: Partial<Parameters<typeof ApiClient.layer>[0]> = {},
  client: Client[1] = UndiciClient.layer
): Layer.Layer<Mailstream.Mailstream | ApiClient> =>
  Mailstream.layer({ baseUrl, apiKey: Mark.apiKey, ...options }).pipe(Layer.provide(client), Layer.orDie)

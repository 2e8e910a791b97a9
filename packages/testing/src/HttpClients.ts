/** The HTTP clients of the platform that Mailstream is tested with. */
import { FetchHttpClient, type HttpClient } from "@effect/platform"
import { NodeHttpClient } from "@effect/platform-node"
import type { Layer } from "effect"

export type Client = readonly [name: string, layer: Layer.Layer<HttpClient.HttpClient>]

export const platform: ReadonlyArray<Client> = [
  ["undici", NodeHttpClient.layerUndici],
  ["fetch", FetchHttpClient.layer],
  ["node:http", NodeHttpClient.layer]
]

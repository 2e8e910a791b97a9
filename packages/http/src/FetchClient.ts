/**
 * An `HttpClient` on `fetch` that takes the services the shortest way.
 *
 * It is the client of `FetchHttpClient.layer` in all that it does; only the calls of this package, which need little of
 * it, go past it. Behind `transformClient` they take the usual way.
 *
 * @since 0.1.0
 */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Fetching from "./internal/fetching.ts"
import { Direct, type DirectClient } from "./internal/transport.ts"

/**
 * A client on the `fetch` of the platform, or on one that is provided as `FetchHttpClient.Fetch`.
 *
 * @since 0.1.0
 * @category layers
 * @example
 * ```ts
 * import { Mailstream } from "@mailstream/http"
 * import * as FetchClient from "@mailstream/http/FetchClient"
 * import { Layer } from "effect"
 *
 * const MailstreamLive = Mailstream.layerConfig().pipe(Layer.provide(FetchClient.layer))
 * ```
 */
export const layer: Layer.Layer<HttpClient.HttpClient> = Layer.effect(
  HttpClient.HttpClient,
  Effect.gen(function*() {
    const client = yield* HttpClient.HttpClient
    const fetch = Option.getOrElse(yield* Effect.serviceOption(FetchHttpClient.Fetch), () => globalThis.fetch)
    return Object.assign(Object.create(Object.getPrototypeOf(client)), client, {
      [Direct]: Fetching.make(fetch)
    }) as DirectClient
  })
).pipe(Layer.provide(FetchHttpClient.layer))

/**
 * An `HttpClient` for Node that takes the services the shortest way: straight to undici's dispatcher.
 *
 * It is the client of `NodeHttpClient.layerUndici` in all that it does; only the calls of this package, which need
 * little of it, go past it. Behind `transformClient` they take the usual way.
 *
 * @since 0.1.0
 */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import type * as Undici from "@effect/platform-node/Undici"
import * as HttpClient from "@effect/platform/HttpClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Dispatch from "./internal/dispatch.ts"
import { Direct, type DirectClient } from "./internal/transport.ts"

/**
 * A client on a dispatcher of undici.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (dispatcher: Undici.Dispatcher): HttpClient.HttpClient =>
  Object.assign(NodeHttpClient.makeUndici(dispatcher), { [Direct]: Dispatch.make(dispatcher) }) satisfies DirectClient

/**
 * A client on the dispatcher that is provided, a proxy's for example.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerWithoutDispatcher: Layer.Layer<HttpClient.HttpClient, never, NodeHttpClient.Dispatcher> = Layer
  .effect(HttpClient.HttpClient, Effect.map(NodeHttpClient.Dispatcher, make))

/**
 * A client with connections of its own, which are closed with the layer.
 *
 * @since 0.1.0
 * @category layers
 * @example
 * ```ts
 * import { Mailstream } from "@mailstream/http"
 * import * as UndiciClient from "@mailstream/http/UndiciClient"
 * import { Layer } from "effect"
 *
 * const MailstreamLive = Mailstream.layerConfig().pipe(Layer.provide(UndiciClient.layer))
 * ```
 */
export const layer: Layer.Layer<HttpClient.HttpClient> = Layer.provide(
  layerWithoutDispatcher,
  NodeHttpClient.dispatcherLayer
)

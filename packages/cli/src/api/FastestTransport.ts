/**
 * The fastest transport that the runtime has. It loads undici: import it only when it is needed.
 *
 * @since 1.0.0
 */
import * as FetchTransport from "@mailstream/http/FetchTransport"
import type { Transport } from "@mailstream/http/Transport"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import type * as ConfigError from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { setFlagsFromString } from "node:v8"
import * as Proxies from "./Proxies.ts"

/**
 * On Node 20, V8 optimizes undici's parser of HTTP, which is WebAssembly, during the very first response. That takes
 * 0.2 seconds, and the process cannot end before it is done. With this budget, V8 does not do so
 * for a few compressed pages in chunks, as proxies send them. Later versions of V8 are as patient by themselves.
 */
const patience = Effect.sync(() => {
  if (process.versions.v8?.startsWith("11.") === true) setFlagsFromString("--wasm-tiering-budget=60000000")
})

/**
 * @since 1.0.0
 * @category layers
 */
export const layer: Layer.Layer<Transport, ConfigError.ConfigError> = UndiciTransport.isSupported
  ? UndiciTransport.layerWithoutDispatcher.pipe(
    Layer.provide(Proxies.dispatcher),
    Layer.provide(Layer.effectDiscard(patience))
  )
  : FetchTransport.layer

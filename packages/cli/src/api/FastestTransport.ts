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

/**
 * On Node 20, V8 optimizes undici's parser of HTTP, which is WebAssembly, during the very first response. That takes
 * 0.2 seconds, and the process cannot end before it is done. Later versions of V8 wait for longer: this is their default.
 */
const patience = Effect.sync(() => {
  if (process.versions.v8?.startsWith("11.") === true) setFlagsFromString("--wasm-tiering-budget=13000000")
})

/**
 * @since 1.0.0
 * @category layers
 */
export const layer: Layer.Layer<Transport, ConfigError.ConfigError> = UndiciTransport.isSupported
  ? Layer.provide(UndiciTransport.layer, Layer.effectDiscard(patience))
  : FetchTransport.layer

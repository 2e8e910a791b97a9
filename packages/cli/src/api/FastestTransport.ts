/**
 * The fastest transport that the runtime has. It loads undici: import it only when it is needed.
 *
 * @since 1.0.0
 */
import type { InvalidOption } from "@mailstream/core"
import * as FetchTransport from "@mailstream/http/FetchTransport"
import type { Transport } from "@mailstream/http/Transport"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import * as Layer from "effect/Layer"
import * as Proxies from "./Proxies.ts"

/**
 * @since 1.0.0
 * @category layers
 */
export const layer: Layer.Layer<Transport, InvalidOption> = UndiciTransport.isSupported
  ? Layer.provide(UndiciTransport.layerWithoutDispatcher, Proxies.dispatcher)
  : FetchTransport.layer

/** The layers behind the transports that callers pass around. */
import type * as Transport from "@mailstream/http/Transport"
import type * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import type * as Public from "../Transport.ts"

const layers = new WeakMap<object, Layer.Layer<Transport.Transport>>()

/** A transport for callers. Its layer is built for every client that uses it. */
export const make = (name: string, layer: Layer.Layer<Transport.Transport>): Public.Transport => {
  const transport: Public.Transport = { name }
  layers.set(transport, layer)
  return transport
}

export const layerOf = (transport: unknown): Layer.Layer<Transport.Transport> | undefined =>
  Predicate.isObject(transport) ? layers.get(transport) : undefined

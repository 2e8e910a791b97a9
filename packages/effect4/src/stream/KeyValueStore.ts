/**
 * Any `KeyValueStore` of Effect as the store of `process`. In a module of its own, because Effect calls `KeyValueStore` unstable.
 *
 * @since 1.0.0
 */
import * as Layer from "effect/Layer"
import * as KeyValueStore from "effect/persistence/KeyValueStore"
import { Store } from "./Store.ts"

/**
 * Keeps checkpoints in the `KeyValueStore` that is provided: in memory, in files, in a database.
 *
 * @since 1.0.0
 * @category layers
 * @example
 * ```ts
 * import { contacts } from "@mailstream/effect4"
 * import * as Store from "@mailstream/effect4/KeyValueStore"
 * import { Effect, Layer } from "effect"
 * import { KeyValueStore } from "effect/persistence"
 *
 * const program = contacts.process("sync-2026-11", (contact) => Effect.log(contact.email)).pipe(
 *   Effect.provide(Layer.provide(Store.layer, KeyValueStore.layerMemory))
 * )
 * ```
 */
export const layer: Layer.Layer<Store, never, KeyValueStore.KeyValueStore> = /* #__PURE__ */ Layer.effect(
  Store,
  KeyValueStore.KeyValueStore
)

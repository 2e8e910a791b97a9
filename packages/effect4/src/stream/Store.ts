/**
 * Where `process` keeps its position, so that it survives a crash.
 *
 * @since 1.0.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/**
 * A store of texts under keys. What `set` has stored must outlive the process. Every `KeyValueStore` of Effect is one; for
 * files on Node there is `@mailstream/effect4/FileStore`.
 *
 * @since 1.0.0
 * @category services
 * @example
 * ```ts
 * import { Store } from "@mailstream/effect4"
 * import { Layer } from "effect"
 * import { KeyValueStore } from "effect/persistence"
 *
 * const StoreLive = Layer.effect(Store, KeyValueStore.KeyValueStore).pipe(
 *   Layer.provide(KeyValueStore.layerMemory)
 * )
 * ```
 */
export class Store extends Context.Service<Store, {
  /** The text under a key; `undefined` or `null` if there is none. */
  readonly get: (key: string) => Effect.Effect<string | null | undefined, unknown>
  readonly set: (key: string, text: string) => Effect.Effect<unknown, unknown>
  readonly remove: (key: string) => Effect.Effect<unknown, unknown>
  readonly has: (key: string) => Effect.Effect<boolean, unknown>
}>()("@mailstream/effect4/Store") {}

/**
 * Where the server keeps its objects: in memory, or in a database (see `SqlStore`).
 *
 * @since 1.0.0
 */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import * as MemoryStore from "./memory/MemoryStore.ts"
import type { StoreService } from "./StoreService.ts"

export * from "./Campaigns.ts"
export * from "./Journal.ts"
export * from "./StoreError.ts"
export * from "./StoreService.ts"

/**
 * The store as the default account sees it. `forAccount` returns the view of another account.
 *
 * @since 1.0.0
 * @category services
 * @example
 * ```ts
 * import { type Contact, Resource } from "@mailstream/core"
 * import { Store } from "@mailstream/server"
 * import { Effect } from "effect"
 *
 * const program = (contacts: ReadonlyArray<Contact>) =>
 *   Effect.gen(function*() {
 *     const store = yield* Store
 *     yield* store.insert(Resource.contacts, contacts)
 *     yield* store.delete(Resource.contacts, contacts.slice(0, 1).map((contact) => contact.id))
 *     return yield* store.page({ name: "contacts" }, { limit: 20 })
 *   })
 *
 * const topics = (account: string) =>
 *   Effect.flatMap(Store, (store) => store.forAccount(account).page({ name: "topics" }, { limit: 20 }))
 * ```
 */
export class Store extends Context.Tag("@mailstream/server/Store")<Store, StoreService>() {
  /**
   * Keeps everything in memory. A page costs the same at any depth.
   *
   * @since 1.0.0
   */
  static readonly layerMemory: Layer.Layer<Store> = Layer.sync(Store, MemoryStore.make)
}

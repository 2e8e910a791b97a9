/** The caller's store, as the client takes it. */
import type * as Client from "@mailstream/client"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Store } from "../Store.ts"

type Shape = Context.Service.Shape<typeof Store>

const make = (store: Shape): Client.Store => ({
  get: (key) => Effect.runPromise(store.get(key)),
  set: (key, text) => Effect.runPromise(store.set(key, text)),
  remove: (key) => Effect.runPromise(store.remove(key)),
  has: (key) => Effect.runPromise(store.has(key))
})

/** Within a process, the client locks a key by the identity of its store: one for each of the caller's. */
const stores = new WeakMap<Shape, Client.Store>()

export const toClient = (store: Shape): Client.Store => {
  const known = stores.get(store)
  if (known !== undefined) return known
  const made = make(store)
  stores.set(store, made)
  return made
}

/** The caller's store as Effect's `KeyValueStore`. */
import { SystemError } from "@effect/platform/Error"
import * as KeyValueStore from "@effect/platform/KeyValueStore"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import type { Store } from "../Store.ts"
import * as Checks from "./checks.ts"

/** A store, and what for. */
export const check = (purpose: string): Checks.Check<Store> =>
  Checks.make(
    (value): value is Store => Checks.hasMethods(value, "get", "set", "remove", "has"),
    `must have the methods get, set, remove and has: ${purpose}. ` +
      "For files, pass `fileStore(directory)` of @mailstream/client/file-store"
  )

/** Anything else would be taken for a key that nobody holds, or a walk that has not begun. */
const textOf = (value: unknown): string | null | undefined => {
  if (Predicate.isNullable(value) || Predicate.isString(value)) return value
  throw new TypeError("get must resolve to a string, or to null or undefined if there is none")
}

const messageOf = (error: unknown): string => error instanceof Error ? error.message : String(error)

/** In words for those who have never heard of a `KeyValueStore`. */
class StoreError extends SystemError {
  override get message(): string {
    return `the store cannot be ${
      this.method === "get" || this.method === "has" ? "read" : "written"
    }: ${this.description}`
  }
}

const make = (store: Store): KeyValueStore.KeyValueStore => {
  const call = <A>(method: keyof Store, key: string, run: () => A | Promise<A>): Effect.Effect<A, SystemError> =>
    Effect.tryPromise({
      try: () => Promise.resolve(run()),
      catch: (error) =>
        new StoreError({
          reason: "Unknown",
          module: "KeyValueStore",
          method,
          pathOrDescriptor: key,
          description: messageOf(error)
        })
    })
  /** Nothing here enumerates a store. */
  const unsupported = (method: string) => Effect.dieMessage(`A store cannot ${method}.`)
  return KeyValueStore.makeStringOnly({
    get: (key) => Effect.map(call("get", key, () => Promise.resolve(store.get(key)).then(textOf)), Option.fromNullable),
    set: (key, text) => Effect.asVoid(call("set", key, () => store.set(key, text))),
    remove: (key) => Effect.asVoid(call("remove", key, () => store.remove(key))),
    has: (key) => call("has", key, () => store.has(key)),
    clear: unsupported("clear"),
    size: unsupported("size")
  })
}

/** Within a process, a key is locked by the identity of its store: one for each of the caller's. */
const stores = new WeakMap<Store, KeyValueStore.KeyValueStore>()

const fromStore = (store: Store): KeyValueStore.KeyValueStore => {
  const known = stores.get(store)
  if (known !== undefined) return known
  const made = make(store)
  stores.set(store, made)
  return made
}

/** Provides the caller's store. */
export const providing = <A, E, R>(
  store: Store,
  effect: Effect.Effect<A, E, R | KeyValueStore.KeyValueStore>
): Effect.Effect<A, E, Exclude<R, KeyValueStore.KeyValueStore>> =>
  Effect.provideService(effect, KeyValueStore.KeyValueStore, fromStore(store))

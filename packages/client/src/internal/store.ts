/** The caller's store as Effect's `KeyValueStore`. */
import { SystemError } from "@effect/platform/Error"
import * as KeyValueStore from "@effect/platform/KeyValueStore"
import { ValidationError } from "@mailstream/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import type { Store } from "../Store.ts"

const methods = ["get", "set", "remove", "has"] as const

const isStore = (value: unknown): value is Store =>
  Predicate.isObject(value) && methods.every((name) => name in value && Predicate.isFunction(Reflect.get(value, name)))

const messageOf = (error: unknown): string => error instanceof Error ? error.message : String(error)

const make = (store: Store): KeyValueStore.KeyValueStore => {
  const call = <A>(
    method: (typeof methods)[number],
    key: string,
    run: () => Promise<A>
  ): Effect.Effect<A, SystemError> =>
    Effect.tryPromise({
      try: () => Promise.resolve(run()),
      catch: (error) =>
        new SystemError({
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
    get: (key) => Effect.map(call("get", key, () => store.get(key)), Option.fromNullable),
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

/** Provides the store of the options, which callers without types may have omitted. */
export const providing = <A, E, R>(
  options: { readonly store: Store } | undefined,
  effect: Effect.Effect<A, E, R | KeyValueStore.KeyValueStore>
): Effect.Effect<A, E | ValidationError, Exclude<R, KeyValueStore.KeyValueStore>> => {
  const store: unknown = options?.store
  return isStore(store)
    ? Effect.provideService(effect, KeyValueStore.KeyValueStore, fromStore(store))
    : Effect.fail(
      new ValidationError({
        statusCode: 422,
        message: "The `store` must have the methods get, set, remove and has: the position is kept in it. " +
          "For files, pass `fileStore(directory)` of @mailstream/client/file-store."
      })
    )
}

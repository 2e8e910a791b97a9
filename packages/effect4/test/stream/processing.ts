/** One run of `process` in either line, on the same stored texts. */
import { KeyValueStore as KeyValueStore3 } from "@effect/platform"
import * as Commit3 from "@mailstream/stream/Commit"
import { Effect, Schedule, Schema } from "effect"
import { Effect as Effect3, Option, Schedule as Schedule3, Schema as Schema3 } from "effect3"
import * as Commit4 from "../../src/stream/Commit.ts"
import { Store } from "../../src/stream/Store.ts"
import { type Item, run3, run4, type Service, source3, source4 } from "./support.ts"

interface Options {
  readonly pageSize: number
  readonly prefetch: number
  readonly retries: number
}

/** Handles an item, or says why not. */
interface Handle {
  (item: Item): string | undefined
}

const key = "export"

export const process3 = (service: Service, stored: Map<string, string>, handle: Handle, options: Options) => {
  const store = KeyValueStore3.makeStringOnly({
    get: (key) => Effect3.sync(() => Option.fromNullable(stored.get(key))),
    set: (key, text) => Effect3.sync(() => stored.set(key, text)),
    remove: (key) => Effect3.sync(() => stored.delete(key)),
    clear: Effect3.sync(() => stored.clear()),
    size: Effect3.sync(() => stored.size)
  })
  return run3(
    Commit3.process(
      { ...source3(service), id: Schema3.String },
      key,
      (item) =>
        Effect3.suspend(() => {
          const problem = handle(item)
          return problem === undefined ? Effect3.void : Effect3.fail(problem)
        }),
      { ...options, retry: Schedule3.recurs(options.retries) }
    ).pipe(Effect3.provideService(KeyValueStore3.KeyValueStore, store))
  )
}

export const process4 = (service: Service, stored: Map<string, string>, handle: Handle, options: Options) =>
  run4(
    Commit4.process(
      { ...source4(service), id: Schema.String },
      key,
      (item) =>
        Effect.suspend(() => {
          const problem = handle(item)
          return problem === undefined ? Effect.void : Effect.fail(problem)
        }),
      { ...options, retry: Schedule.recurs(options.retries) }
    ).pipe(Effect.provideService(Store, {
      get: (key) => Effect.sync(() => stored.get(key)),
      set: (key, text) => Effect.sync(() => stored.set(key, text)),
      remove: (key) => Effect.sync(() => stored.delete(key)),
      has: (key) => Effect.sync(() => stored.has(key))
    }))
  )

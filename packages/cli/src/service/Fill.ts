/**
 * Puts sample data into a store.
 *
 * @since 1.0.0
 */
import * as SampleData from "@mailstream/server/SampleData"
import { Store, type StoreError } from "@mailstream/server/Store"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Record from "effect/Record"
import type * as SampleCounts from "./SampleCounts.ts"

/**
 * A store whose accounts are filled when they are first used.
 *
 * @since 1.0.0
 * @category layers
 */
export const layerLazy = (counts: SampleCounts.Counts, seed: number): Layer.Layer<Store, never, Store> =>
  // The flags have checked the counts and the seed.
  Layer.orDie(SampleData.layerLazy({ ...Record.map(SampleData.samples, ({ name }) => counts[name]), seed }))

/**
 * Fills the lists that are empty, and returns the names of those that are not.
 *
 * @since 1.0.0
 * @category combinators
 */
export const emptyLists = (
  counts: SampleCounts.Counts,
  seed: number
): Effect.Effect<ReadonlyArray<string>, StoreError, Store> =>
  Effect.gen(function*() {
    const store = yield* Store
    const wanted = Object.values(SampleData.samples).map(({ name }) => name).filter((name) => (counts[name] ?? 0) > 0)
    const used = yield* Effect.filter(wanted, (name) =>
      store.page({ name }, { limit: 1 }).pipe(
        Effect.map(({ items }) => items.length > 0),
        Effect.catchTag("not_found", () => Effect.succeed(false))
      ))
    const left = Record.filter(SampleData.samples, ({ name }) => wanted.includes(name) && !used.includes(name))
    // Another server that starts at the same time may be faster: then the list is left to it.
    const taken = yield* Effect.forEach(Record.values(left), ({ fill, name }) =>
      fill(counts[name] ?? 0, {
        store,
        seed,
        counts: Record.map(left, ({ name }) => counts[name])
      }).pipe(
        Effect.as([]),
        Effect.catchIf(({ reason }) => reason === "Duplicate", () => Effect.succeed([name]))
      ))
    return [...used, ...taken.flat()]
  })

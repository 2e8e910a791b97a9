/**
 * Puts sample data into a store.
 *
 * @since 0.1.0
 */
import { SampleData, Store, type StoreError } from "@mailstream/server"
import * as Effect from "effect/Effect"
import * as Record from "effect/Record"
import type * as SampleCounts from "./SampleCounts.ts"

/**
 * Fills the lists that are empty, and returns the names of those that are not.
 *
 * @since 0.1.0
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
    yield* SampleData.insert({
      ...Record.map(SampleData.samples, ({ name }) => used.includes(name) ? 0 : counts[name]),
      seed
    })
    return used
  })

/**
 * Puts sample data into a store.
 *
 * @since 0.1.0
 */
import { Resource } from "@mailstream/core"
import { SampleData, Store, type StoreError } from "@mailstream/server"
import * as Array from "effect/Array"
import * as Effect from "effect/Effect"
import * as SampleCounts from "./SampleCounts.ts"

/** Segments beyond this number have no members: every batch of contacts is matched against each segment. */
const joined = 100

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
    const [empty, used] = yield* Effect.partition(
      SampleCounts.names.filter((name) => (counts[name] ?? 0) > 0),
      (name) =>
        store.page({ name }, { limit: 1 }).pipe(
          Effect.map(({ items }) => items.length > 0),
          Effect.catchTag("not_found", () => Effect.succeed(false)),
          Effect.flatMap((isUsed) => isUsed ? Effect.succeed(name) : Effect.fail(name))
        )
    )
    const count = (name: string) => empty.includes(name) ? counts[name] : 0
    const segments = count(Resource.segments.name) ?? 0
    yield* SampleData.insert({
      seed,
      domains: count(Resource.domains.name),
      apiKeys: count(Resource.apiKeys.name),
      broadcasts: count(Resource.broadcasts.name),
      segments: Math.min(segments, joined),
      contacts: count(Resource.contacts.name),
      receivedEmails: count(Resource.receivedEmails.name),
      emails: count(Resource.emails.name),
      templates: count(Resource.templates.name),
      topics: count(Resource.topics.name)
    })
    if (segments > joined) {
      const more = Array.range(joined, segments - 1).map((number) => SampleData.segment(number, seed))
      yield* Effect.forEach(Array.chunksOf(more, 1000), (batch) => store.insert(Resource.segments, batch), {
        discard: true
      })
    }
    return used
  })

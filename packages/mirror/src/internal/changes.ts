/** The changes of a list as a stream, and what consumers commit of them. */
import type { SqlError } from "@effect/sql/SqlError"
import * as InvalidOption from "@mailstream/core/InvalidOption"
import * as Commit from "@mailstream/stream/Commit"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schedule from "effect/Schedule"
import type * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { Change, ChangesOptions, CommittableChanges } from "../Change.ts"
import type { Module } from "../Lists.ts"
import type { MirrorService } from "../MirrorService.ts"
import * as Copy from "./copy.ts"
import type { Database } from "./database.ts"
import * as Feeds from "./feeds.ts"
import * as Log from "./log.ts"
import * as Check from "./options.ts"
import * as Recovery from "./recovery.ts"

/** How many changes are read at once. */
const pageSize = 100

/** Who looks for more waits for a database that is unavailable. */
const waiting = <A, E, R>(
  { database, key: { list } }: Copy.Copy,
  poll: ChangesOptions["poll"],
  work: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> => poll === undefined ? work : Recovery.recovering(database, list, work)

/** The same, but in the caller's transaction, only the caller can begin again. */
const committing = <A, E, R>(
  copy: Copy.Copy,
  poll: ChangesOptions["poll"],
  commit: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.flatMap(copy.database.isNested, (isNested) => isNested ? commit : waiting(copy, poll, commit))

/** The changes after a number, in batches. */
const batches = <Item extends { readonly id: string }, Encoded>(
  copy: Copy.Copy,
  item: Schema.Schema<Item, Encoded>,
  { after = 0, poll }: ChangesOptions
): Stream.Stream<ReadonlyArray<Change<Item>>, SqlError | InvalidOption.InvalidOption> =>
  Stream.unwrap(Effect.gen(function*() {
    yield* InvalidOption.integer("after", after, { min: 0 })
    const interval = poll === undefined ? undefined : yield* InvalidOption.duration("poll", poll)
    let last = after
    const next = Effect.tap(
      waiting(copy, poll, Effect.suspend(() => Log.read(copy, item, last, pageSize))),
      (batch) => {
        last = batch.last ?? last
      }
    )
    const available = Stream.repeatEffect(next).pipe(
      Stream.takeWhile((batch) => batch.last !== undefined),
      Stream.map(({ changes }) => changes)
    )
    return interval === undefined ? available : Stream.repeat(available, Schedule.spaced(interval))
  }))

/** The changes that a consumer has not committed yet, in batches. */
const uncommitted = <Item extends { readonly id: string }, Encoded>(
  copy: Copy.Copy,
  item: Schema.Schema<Item, Encoded>,
  consumer: string,
  options: Pick<ChangesOptions, "poll">
): Effect.Effect<
  Stream.Stream<CommittableChanges<Item>, SqlError | InvalidOption.InvalidOption>,
  SqlError | InvalidOption.InvalidOption
> =>
  Effect.gen(function*() {
    yield* Check.name("consumer", consumer)
    if (options.poll !== undefined) yield* InvalidOption.duration("poll", options.poll)
    const committed = yield* Log.register(copy, consumer)
    return batches(copy, item, { ...options, after: committed.seq }).pipe(
      Stream.mapAccum(committed.seq, (from, changes) => {
        const to = changes[changes.length - 1]?.seq ?? from
        return [to, { from, to, changes: changes.filter(({ seq }) => !Log.isCommitted(committed, seq)) }]
      }),
      Stream.filter(({ changes }) => changes.length > 0),
      Stream.map(({ changes, from, to }): CommittableChanges<Item> => ({
        changes,
        commit: committing(copy, options.poll, Log.commit(copy, consumer, [from, to], changes))
      }))
    )
  })

export const make = (
  database: Database,
  account: string
): Pick<MirrorService, "changes" | "process" | "processPages"> => {
  const copyOf = <Item extends { readonly id: string }, Encoded>(
    { descriptor: { resource } }: Module<Item, Encoded>
  ) => {
    const feed = Feeds.all.find(({ table }) => table.name === resource.name)
    const description = `must be a list that is copied, not "${resource.name}"`
    return Either.map(
      Either.fromNullable(feed, () => new InvalidOption.InvalidOption({ option: "list", description })),
      ({ table }) => ({ copy: Copy.make(database, account, table), item: resource.item })
    )
  }
  /** A span around what a consumer does. */
  const withSpan = <A, E, R>(work: Effect.Effect<A, E, R>, method: string, list: string, consumer: string) => {
    const attributes = { "mailstream.account": account, "mailstream.list": list, "mailstream.consumer": consumer }
    // `withSpan` removes `ParentSpan` from the requirements, which cannot be expressed for an unknown `R`. It only ever
    // removes requirements, so the cast is safe.
    return Effect.withSpan(work, `Mirror.${method}`, { attributes }) as Effect.Effect<A, E, R>
  }
  const processPages: MirrorService["processPages"] = (list, consumer, use, options = {}) =>
    Effect.gen(function*() {
      const { copy, item } = yield* copyOf(list)
      return yield* use(yield* uncommitted(copy, item, consumer, options))
    })
  return {
    changes: (list, options = {}) =>
      Stream.unwrap(
        Effect.map(copyOf(list), ({ copy, item }) => Stream.flatMap(batches(copy, item, options), Stream.fromIterable))
      ),
    processPages: (list, consumer, use, options) =>
      withSpan(processPages(list, consumer, use, options), "processPages", list.descriptor.resource.name, consumer),
    process: (list, consumer, handle, { concurrency = 1, ...options } = {}) =>
      Effect.suspend(() => {
        let handled = 0
        const pages = processPages(list, consumer, (pages) =>
          Commit.forEach(
            Stream.map(pages, ({ changes, commit }) => {
              handled += changes.length
              return { data: changes, commit }
            }),
            handle,
            { concurrency }
          ), options)
        return InvalidOption.integer("concurrency", concurrency, { min: 1 }).pipe(
          Effect.zipRight(pages),
          Effect.ensuring(Effect.suspend(() => Effect.annotateCurrentSpan("mailstream.changes", handled))),
          (work) => withSpan(work, "process", list.descriptor.resource.name, consumer)
        )
      })
  }
}

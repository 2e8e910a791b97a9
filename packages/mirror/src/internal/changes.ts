/** The changes of a list as a stream, and what consumers commit of them. */
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import type { Change } from "../Change.ts"
import type { ChangesOptions, CommittableChanges, Module } from "../Mirror.ts"
import { InvalidOption } from "../MirrorError.ts"
import type { Database } from "./database.ts"
import * as Feeds from "./feeds.ts"
import * as Log from "./log.ts"
import * as Options from "./options.ts"
import type { Table } from "./tables.ts"

/** How many changes are read at once. */
const pageSize = 100

/** The list of an account whose changes are read. */
interface Source<Item extends { readonly id: string }, Encoded> {
  readonly database: Database
  readonly account: string
  readonly resource: Module<Item, Encoded>["list"]["resource"]
}

const tableOf = ({ name }: { readonly name: string }): Effect.Effect<Table, InvalidOption> => {
  const feed = Feeds.all.find(({ table }) => table.name === name)
  return feed === undefined
    ? new InvalidOption({ option: "list", description: `must be a list that is copied, not "${name}".` })
    : Effect.succeed(feed.table)
}

/** The changes after a number, in batches. */
export const batches = <Item extends { readonly id: string }, Encoded>(
  { account, database, resource }: Source<Item, Encoded>,
  { after = 0, poll }: ChangesOptions
): Stream.Stream<ReadonlyArray<Change<Item>>, SqlError | InvalidOption> =>
  Stream.unwrap(Effect.gen(function*() {
    yield* Options.changeNumber(after)
    const interval = poll === undefined ? undefined : yield* Options.duration("poll", poll)
    const table = yield* tableOf(resource)
    const key = { account, list: table.name }
    let last = after
    const next = Effect.suspend(() => Log.read(database, key, table, resource.item, last, pageSize)).pipe(
      Effect.tap((batch) => {
        last = batch.last ?? last
      })
    )
    const available = Stream.repeatEffect(next).pipe(
      Stream.takeWhile((batch) => batch.last !== undefined),
      Stream.map(({ changes }) => changes)
    )
    return interval === undefined ? available : Stream.repeat(available, Schedule.spaced(interval))
  }))

/** The changes that a consumer has not committed yet, in batches. */
export const uncommitted = <Item extends { readonly id: string }, Encoded>(
  source: Source<Item, Encoded>,
  consumer: string,
  options: Pick<ChangesOptions, "poll">
): Effect.Effect<Stream.Stream<CommittableChanges<Item>, SqlError | InvalidOption>, SqlError | InvalidOption> =>
  Effect.gen(function*() {
    const { account, database, resource } = source
    yield* Options.nameOf("consumer", consumer)
    if (options.poll !== undefined) yield* Options.duration("poll", options.poll)
    const key = { account, list: (yield* tableOf(resource)).name }
    const committed = yield* Log.register(database, key, consumer)
    return batches(source, { ...options, after: committed.seq }).pipe(
      Stream.mapAccum(committed.seq, (from, changes) => {
        const to = changes[changes.length - 1]?.seq ?? from
        return [to, { from, to, changes: changes.filter(({ seq }) => !Log.isCommitted(committed, seq)) }]
      }),
      Stream.filter(({ changes }) => changes.length > 0),
      Stream.map(({ changes, from, to }): CommittableChanges<Item> => ({
        changes,
        commit: Log.commit(database, key, consumer, [from, to], changes)
      }))
    )
  })

/** Walks a list that is read within its owners: one after the other. */
import type { SqlError } from "@effect/sql/SqlError"
import type * as Mailstream from "@mailstream/http/Mailstream"
import type { ListError } from "@mailstream/stream"
import * as Chunk from "effect/Chunk"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { Attempt } from "./attempt.ts"
import type { Overtaken } from "./commit.ts"
import { distinct } from "./compare.ts"
import type { Copy } from "./copy.ts"
import { Integer, type Query } from "./database.ts"
import * as Decide from "./decide.ts"
import * as Feeds from "./feeds.ts"
import * as Find from "./find.ts"
import { storableId } from "./json.ts"
import { toRanges } from "./seen.ts"
import type * as State from "./state.ts"

/** How many pages of an owner's items are committed at once. */
const batch = 10

type Failure = ListError | SqlError | Overtaken

/**
 * Owners in the order in which they were first seen. If their items are fixed, each is asked once. One that cannot be read does
 * not stop the others: its rows stay as they are. Returns which ones could not.
 */
export const walk = (
  attempt: Attempt,
  feed: Feeds.Owned,
  progress: Extract<State.Progress, { readonly _tag: "Owners" }>
): Effect.Effect<State.Unread | undefined, Failure, Mailstream.Mailstream> =>
  Effect.gen(function*() {
    let unread = progress.unread
    let failing = 0
    let owner = yield* next(attempt.copy, feed, progress.last)
    while (owner !== undefined) {
      const found = yield* within(attempt, feed, owner.id, failing)
      if (found._tag === "Unread") {
        unread = Decide.unread(unread, owner.id, found.reason)
        yield* attempt.keep(yield* rowsOf(attempt.copy, feed, [owner.id]))
      }
      failing = failingAfter(failing, found)
      yield* attempt.mark({ _tag: "Owners", last: owner.ordinal, unread })
      if (found._tag === "Read" && feed.isFixed) yield* remember(attempt.copy, owner.id)
      owner = yield* next(attempt.copy, feed, owner.ordinal)
    }
    return unread
  })

/**
 * What a pass would find after one over the owners, which a dry run does not copy: they are read from the service. Rows of
 * owners that would not be asked again are unchanged.
 */
export const preview = (
  attempt: Attempt,
  feed: Feeds.Owned
): Effect.Effect<State.Unread | undefined, Failure, Mailstream.Mailstream> =>
  Effect.suspend(() => {
    let unread: State.Unread | undefined
    let failing = 0
    const ask = (id: string) =>
      Effect.gen(function*() {
        const found = yield* within(attempt, feed, id, failing)
        failing = failingAfter(failing, found)
        if (found._tag !== "Unread") return
        unread = Decide.unread(unread, id, found.reason)
        yield* attempt.keep(yield* rowsOf(attempt.copy, feed, [id]))
      })
    return Feeds.items(feed.owners, attempt.options).pipe(
      Stream.rechunk(batch * attempt.options.pageSize),
      Stream.runForEachChunk((owners) =>
        Effect.gen(function*() {
          const ids = Chunk.toReadonlyArray(owners).map(({ id }) => id)
          const asked = feed.isFixed ? yield* askedOf(attempt.copy, ids) : new Set<string>()
          attempt.recognize(toRanges(yield* rowsOf(attempt.copy, feed, [...asked])))
          yield* Effect.forEach(ids.filter((id) => !asked.has(id)), ask, { discard: true })
        })
      ),
      Effect.map(() => unread)
    )
  })

/** What became of an owner: read, gone, or not to be read for a reason. */
type Found =
  | { readonly _tag: "Read" | "Gone" }
  | { readonly _tag: "Unread"; readonly reason: string; readonly isFailing: boolean }

/** For how many owners in a row the service has failed. */
const failingAfter = (failing: number, found: Found): number =>
  found._tag !== "Unread" ? 0 : found.isFailing ? failing + 1 : failing

/** Commits the items of an owner. One that is gone has no items, unless it is there again next time. */
const within = (
  attempt: Attempt,
  feed: Feeds.Owned,
  owner: string,
  failing: number
): Effect.Effect<Found, Failure, Mailstream.Mailstream> =>
  feed.within(owner, attempt.options).pipe(
    Stream.catchAll((error) => Stream.fail(new Unreadable({ error }))),
    Stream.rechunk(batch * attempt.options.pageSize),
    Stream.bufferChunks({ capacity: 2 }),
    Stream.runForEachChunk((chunk) =>
      attempt.commit(distinct(attempt.gate.accept(Chunk.toReadonlyArray(chunk), owner)), attempt.progress, owner)
    ),
    Effect.as<Found>({ _tag: "Read" }),
    Effect.catchTag("Unreadable", ({ error }): Effect.Effect<Found, ListError> =>
      error._tag === "not_found"
        ? Effect.succeed(mayDiffer(owner) ? { _tag: "Unread", reason: differs, isFailing: false } : { _tag: "Gone" })
        : Decide.isOfOwner(error, failing)
        ? Effect.succeed({ _tag: "Unread", reason: error.message, isFailing: !Decide.isOfOwner(error, Infinity) })
        : Effect.fail(error))
  )

/** Whether an id may have been stored in place of another one, with U+0000: then it is no wonder that the service does not know it. */
const mayDiffer = (owner: string): boolean => owner.includes(storableId("\0"))

const differs = "The database cannot hold the id as it is, and the service does not know the one that it holds."

/** Tells failures of the service from those of the database. */
class Unreadable extends Data.TaggedError("Unreadable")<{ readonly error: ListError }> {}

/** An owner, with its place in the order in which owners were first seen. */
const Owner = Schema.Struct({ id: Schema.String, ordinal: Integer })

/** The owner after this one. If items are fixed, owners that have been asked are left out. */
const next = (
  { database: { name, read, sql }, key: { account, list } }: Copy,
  { isFixed, table: { owner } }: Feeds.Owned,
  last: number
): Query<typeof Owner.Type | undefined> => {
  const isNew = sql`NOT EXISTS (
    SELECT 1 FROM ${name("mirror_asked")} a WHERE a.account = o.account AND a.list = ${list} AND a.owner = o.id
  )`
  return Effect.map(
    read(
      Owner,
      sql`SELECT o.id AS id, o.ordinal AS ordinal FROM ${name(owner.table)} o
          WHERE o.account = ${account} AND o.deleted_at IS NULL AND o.ordinal > ${last} AND ${
        isFixed ? isNew : sql`true`
      }
          ORDER BY o.ordinal LIMIT 1`
    ),
    ([owner]) => owner
  )
}

/** Notes that an owner has been asked. */
const remember = ({ database: { name, run, sql }, key }: Copy, owner: string): Query<void> =>
  run(sql`INSERT INTO ${name("mirror_asked")} ${sql.insert({ ...key, owner })} ON CONFLICT DO NOTHING`)

/** Those of the owners that have been asked. */
const askedOf = (
  { database: { among, name, read, sql }, own }: Copy,
  owners: ReadonlyArray<string>
): Query<ReadonlySet<string>> =>
  Effect.map(
    read(
      Schema.Struct({ owner: Schema.String }),
      sql`SELECT owner FROM ${name("mirror_asked")} WHERE ${own} AND owner ${among(owners)}`
    ),
    (rows) => new Set(rows.map(({ owner }) => owner))
  )

/** The ordinals of the rows that belong to owners. */
const rowsOf = (
  { database: { among, numbers, sql }, existing, rows }: Copy,
  { table: { owner } }: Feeds.Owned,
  owners: ReadonlyArray<string>
): Query<ReadonlyArray<number>> =>
  numbers(sql`SELECT ordinal AS number FROM ${rows} WHERE ${existing} AND ${sql(owner.column)} ${among(owners)}`)

/** The rows of what belongs to owners that are gone. If each owner is asked once, nothing else is known to be gone. */
export const findOrphans = (copy: Copy, { table: { owner } }: Feeds.Owned): Query<Find.Existing> => {
  const { database: { name, numbers, sql }, key: { account }, rows } = copy
  const orphans = sql`SELECT t.ordinal AS number FROM ${rows} t
    WHERE t.account = ${account} AND t.deleted_at IS NULL AND NOT EXISTS (
      SELECT 1 FROM ${name(owner.table)} o
      WHERE o.account = t.account AND o.id = ${sql(`t.${owner.column}`)} AND o.deleted_at IS NULL
    )`
  return Effect.all({ gone: numbers(orphans), count: Find.count(copy) })
}

/** Forgets the owners that are gone, so that they are asked if they come back. */
export const forget = (
  { database: { name, run, sql }, key: { account, list } }: Copy,
  { table: { owner } }: Feeds.Owned
): Query<void> =>
  run(sql`DELETE FROM ${name("mirror_asked")} AS a WHERE a.account = ${account} AND a.list = ${list} AND NOT EXISTS (
    SELECT 1 FROM ${name(owner.table)} o WHERE o.account = a.account AND o.id = a.owner AND o.deleted_at IS NULL
  )`)

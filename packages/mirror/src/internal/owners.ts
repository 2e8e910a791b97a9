/** Walks a list that is read within its owners: one after the other. */
import type { SqlError } from "@effect/sql/SqlError"
import type * as Mailstream from "@mailstream/http/Mailstream"
import type { ListError } from "@mailstream/stream"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { Attempt } from "./attempt.ts"
import type { Overtaken } from "./commit.ts"
import { distinct } from "./compare.ts"
import type { Copy } from "./copy.ts"
import { Integer, type Query } from "./database.ts"
import * as Feeds from "./feeds.ts"
import * as Find from "./find.ts"
import { toRanges } from "./seen.ts"

/** How many pages of an owner's items are committed at once. */
const batch = 10

type Failure = ListError | SqlError | Overtaken

/** Owners in the order in which they were first seen. If their items are fixed, each is asked once. */
export const walk = (
  attempt: Attempt,
  feed: Feeds.Owned,
  done: number
): Effect.Effect<void, Failure, Mailstream.Mailstream> =>
  Effect.gen(function*() {
    let owner = yield* next(attempt.copy, feed, done)
    while (owner !== undefined) {
      const isFound = yield* within(attempt, feed, owner.id)
      yield* attempt.mark({ _tag: "Owners", last: owner.ordinal })
      if (isFound && feed.isFixed) yield* remember(attempt.copy, owner.id)
      owner = yield* next(attempt.copy, feed, owner.ordinal)
    }
  })

/**
 * What a pass would find after one over the owners, which a dry run does not copy: they are read from the service. Rows of
 * owners that would not be asked again are unchanged.
 */
export const preview = (attempt: Attempt, feed: Feeds.Owned): Effect.Effect<void, Failure, Mailstream.Mailstream> =>
  Feeds.items(feed.owners, attempt.options).pipe(
    Stream.rechunk(batch * attempt.options.pageSize),
    Stream.runForEachChunk((owners) =>
      Effect.gen(function*() {
        const ids = Chunk.toReadonlyArray(owners).map(({ id }) => id)
        const asked = feed.isFixed ? yield* askedOf(attempt.copy, ids) : new Set<string>()
        attempt.recognize(toRanges(yield* rowsOf(attempt.copy, feed, [...asked])))
        yield* Effect.forEach(ids.filter((id) => !asked.has(id)), (id) => within(attempt, feed, id), { discard: true })
      })
    )
  )

/** Commits the items of an owner. Returns false if it is gone: then it has no items, unless it is there again next time. */
const within = (
  attempt: Attempt,
  feed: Feeds.Owned,
  owner: string
): Effect.Effect<boolean, Failure, Mailstream.Mailstream> =>
  feed.within(owner, attempt.options).pipe(
    Stream.rechunk(batch * attempt.options.pageSize),
    Stream.bufferChunks({ capacity: 2 }),
    Stream.runForEachChunk((chunk) =>
      attempt.commit(distinct(attempt.gate.accept(Chunk.toReadonlyArray(chunk), owner)), attempt.progress, owner)
    ),
    Effect.as(true),
    Effect.catchTag("not_found", () => Effect.succeed(false))
  )

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

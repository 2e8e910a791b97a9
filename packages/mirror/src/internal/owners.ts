/** Walks a list that is read within its owners: one after the other. */
import type { SqlError } from "@effect/sql/SqlError"
import type * as Mailstream from "@mailstream/http/Mailstream"
import type { ListError } from "@mailstream/stream"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Attempt } from "./attempt.ts"
import type { Overtaken } from "./commit.ts"
import * as Copy from "./copy.ts"
import { quote } from "./database.ts"
import * as Feeds from "./feeds.ts"
import { toJson } from "./json.ts"
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
export const preview = (
  attempt: Attempt,
  feed: Feeds.Owned
): Effect.Effect<void, Failure, Mailstream.Mailstream> =>
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
      attempt.commit(
        Copy.distinct(attempt.gate.accept(Chunk.toReadonlyArray(chunk), owner)),
        attempt.progress,
        owner
      )
    ),
    Effect.as(true),
    Effect.catchTag("not_found", () => Effect.succeed(false))
  )

interface Owner {
  readonly id: string
  /** Its place in the order in which owners were first seen. */
  readonly ordinal: number
}

/** The owner after this one. If items are fixed, owners that have been asked are left out. */
const next = (
  { database: { name, run }, key: { account, list } }: Copy.Copy,
  { isFixed, table: { owner } }: Feeds.Owned,
  last: number
): Effect.Effect<Owner | undefined, SqlError> =>
  Effect.map(
    run(
      `SELECT o.id AS id, o.ordinal AS ordinal FROM ${name(owner.table)} o
       WHERE o.account = ? AND o.deleted_at IS NULL AND o.ordinal > ?${
        isFixed
          ? ` AND NOT EXISTS (
           SELECT 1 FROM ${name("mirror_asked")} a WHERE a.account = o.account AND a.list = ? AND a.owner = o.id
         )`
          : ""
      }
       ORDER BY o.ordinal LIMIT 1`,
      [account, last, ...(isFixed ? [list] : [])]
    ),
    ([row]) => row === undefined ? undefined : { id: String(row["id"]), ordinal: Number(row["ordinal"]) }
  )

/** Notes that an owner has been asked. */
const remember = (
  { database: { name, run }, key: { account, list } }: Copy.Copy,
  owner: string
): Effect.Effect<void, SqlError> =>
  Effect.asVoid(run(
    `INSERT INTO ${name("mirror_asked")} (account, list, owner) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`,
    [account, list, owner]
  ))

/** Those of the owners that have been asked. */
const askedOf = (
  { database: { name, run, strings }, key: { account, list } }: Copy.Copy,
  owners: ReadonlyArray<string>
): Effect.Effect<ReadonlySet<string>, SqlError> =>
  Effect.map(
    run(
      `SELECT owner FROM ${name("mirror_asked")} WHERE account = ? AND list = ? AND owner IN (${strings})`,
      [account, list, toJson(owners)]
    ),
    (rows) => new Set(rows.map(({ owner }) => String(owner)))
  )

/** The ordinals of the rows that belong to owners. */
const rowsOf = (
  { database: { name, run, strings }, key: { account } }: Copy.Copy,
  { table: { owner, table } }: Feeds.Owned,
  owners: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<number>, SqlError> =>
  Effect.map(
    run(
      `SELECT ordinal FROM ${name(table)}
       WHERE account = ? AND deleted_at IS NULL AND ${quote(owner.column)} IN (${strings})`,
      [account, toJson(owners)]
    ),
    (rows) => rows.map(({ ordinal }) => Number(ordinal))
  )

/** The rows of what belongs to owners that are gone. If each owner is asked once, nothing else is known to be gone. */
export const findOrphans = (
  copy: Copy.Copy,
  { table: { owner, table } }: Feeds.Owned
): Effect.Effect<Copy.Existing, SqlError> =>
  Effect.gen(function*() {
    const { database: { name, run }, key: { account } } = copy
    const rows = yield* run(
      `SELECT t.ordinal AS ordinal FROM ${name(table)} t
       WHERE t.account = ? AND t.deleted_at IS NULL AND NOT EXISTS (
         SELECT 1 FROM ${name(owner.table)} o
         WHERE o.account = t.account AND o.id = t.${quote(owner.column)} AND o.deleted_at IS NULL
       )`,
      [account]
    )
    return { count: yield* Copy.countRows(copy), gone: rows.map(({ ordinal }) => Number(ordinal)) }
  })

/** Forgets the owners that are gone, so that they are asked if they come back. */
export const forget = (
  { database: { name, run }, key: { account, list } }: Copy.Copy,
  { table: { owner } }: Feeds.Owned
): Effect.Effect<void, SqlError> => {
  const asked = name("mirror_asked")
  return Effect.asVoid(run(
    `DELETE FROM ${asked} WHERE account = ? AND list = ? AND NOT EXISTS (
       SELECT 1 FROM ${name(owner.table)} o
       WHERE o.account = ${asked}.account AND o.id = ${asked}.owner AND o.deleted_at IS NULL
     )`,
    [account, list]
  ))
}

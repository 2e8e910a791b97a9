/**
 * A store in a SQL database: SQLite, for one process and its file, or PostgreSQL, which several processes can share.
 *
 * A page costs the same at any depth: the place of the cursor is looked up by its id, and the page is read from there
 * along an index, in one statement.
 *
 * @since 0.1.0
 */
import { PgClient } from "@effect/sql-pg"
import type { MigrationError } from "@effect/sql/Migrator"
import * as SqlClient from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import type { Fragment, Statement } from "@effect/sql/Statement"
import { type ContactId, NotFound, Resource, type SegmentId } from "@mailstream/core"
import * as Array from "effect/Array"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as Entries from "../Entries.ts"
import { type Cursor, type Entry, type List, type Secret, Store } from "../Store.ts"
import { StoreError } from "../StoreError.ts"
import * as Migrations from "./Migrations.ts"
import * as Sqlite from "./Sqlite.ts"

const contacts: List = { name: Resource.contacts.name }
const apiKeys: List = { name: Resource.apiKeys.name }

/** PostgreSQL does not even take a text with this character: no id has it. */
const isText = (id: string | undefined): boolean => id === undefined || !id.includes("\0")

/** How many rows one statement inserts: databases bound the number of its parameters. */
const rows = 1000

/** Places lie between these two. */
const everything: Range = { above: 0, below: Number.MAX_SAFE_INTEGER }

const nothing: Range = { above: 0, below: 0 }

interface Range {
  readonly above: number | Fragment
  readonly below: number | Fragment
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const make: Effect.Effect<typeof Store.Service, never, SqlClient.SqlClient> = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  const isMembership = (list: List): boolean => list.name === contacts.name && list.within !== undefined

  /** The rows of a list that are there, within a range of places. */
  const select = (list: List, { above, below }: Range): Fragment =>
    isMembership(list)
      ? sql`SELECT m.seq AS seq, i.json AS json FROM mailstream_members m
          JOIN mailstream_items i ON i.list = ${contacts.name} AND i.id = m.contact
          WHERE m.live = 1 AND i.live = 1 AND m.segment = ${list.within} AND m.seq > ${above} AND m.seq < ${below}
          ORDER BY m.seq`
      : sql`SELECT seq, json FROM mailstream_items
          WHERE live = 1 AND list = ${Entries.keyOf(list)} AND seq > ${above} AND seq < ${below}
          ORDER BY seq`

  const read = (
    list: List,
    range: Range,
    direction: "ASC" | "DESC",
    limit: number
  ): Effect.Effect<ReadonlyArray<{ readonly seq: number; readonly json: string }>, SqlError> =>
    Effect.map(
      sql<{ seq: number | string; json: string }>`${select(list, range)} ${sql.literal(direction)} LIMIT ${limit}`,
      // PostgreSQL gives big integers as text.
      (rows) => rows.map(({ json, seq }) => ({ seq: Number(seq), json }))
    )

  /** The place of an id, whether its item is still there or not. */
  const placeOf = (list: List, id: string): Statement<{ readonly seq: number | string }> =>
    isMembership(list)
      ? sql`SELECT seq FROM mailstream_members WHERE segment = ${list.within} AND contact = ${id}`
      : sql`SELECT seq FROM mailstream_items WHERE list = ${Entries.keyOf(list)} AND id = ${id}`

  const hasOwner = (list: List): Effect.Effect<boolean, SqlError> => {
    const owners = Entries.ownersOf(list)
    return owners === undefined
      ? Effect.succeed(true)
      : Effect.map(
        sql`SELECT 1 FROM mailstream_items WHERE list = ${owners} AND id = ${list.within} AND live = 1`,
        (rows) => rows.length > 0
      )
  }

  /**
   * The range of places that a cursor points to. It is looked up together with what is in it. Not so for the members of
   * a segment: PostgreSQL would read all of them and sort, because it cannot know then how few are wanted.
   */
  const rangeOf = (list: List, { after, before }: Cursor): Effect.Effect<Range, SqlError> =>
    Effect.gen(function*() {
      const cursor = after ?? before
      if (cursor === undefined) return everything
      const place = placeOf(list, cursor)
      const seq = isMembership(list) ? (yield* place)[0]?.seq : sql`(${place})`
      if (seq === undefined) return nothing
      const bound = typeof seq === "string" ? Number(seq) : seq
      return after === undefined ? { ...everything, above: bound } : { ...everything, below: bound }
    })

  /** Whether a list and a cursor are there: where they are not, nothing is found either. */
  const exist = (list: List, { after, before }: Cursor): Effect.Effect<void, NotFound | SqlError> =>
    Effect.gen(function*() {
      if (!isText(list.within) || !(yield* hasOwner(list))) return yield* Entries.ownerNotFound(list)
      const cursor = after ?? before
      if (cursor === undefined) return
      if (!isText(cursor) || (yield* placeOf(list, cursor)).length === 0) return yield* NotFound.ofCursor
    })

  /** Takes the next places of a list, and keeps others from taking any until the transaction ends. */
  const take = (list: string, count: number): Effect.Effect<number, SqlError> =>
    Effect.map(
      sql<{ seq: number | string }>`INSERT INTO mailstream_counters (list, seq) VALUES (${list}, ${count})
        ON CONFLICT (list) DO UPDATE SET seq = mailstream_counters.seq + excluded.seq RETURNING seq`,
      ([row]) => Number(row?.seq) - count + 1
    )

  const inBatches = <A, E>(
    all: ReadonlyArray<A>,
    run: (batch: ReadonlyArray<A>) => Effect.Effect<unknown, E>
  ): Effect.Effect<void, E> => Effect.forEach(Array.chunksOf(all, rows), run, { discard: true })

  const append = (list: List, entries: ReadonlyArray<Entry>): Effect.Effect<void, SqlError | StoreError> =>
    Effect.gen(function*() {
      if (!(yield* hasOwner(list))) return yield* Entries.unknownOwner(list)
      const key = Entries.keyOf(isMembership(list) ? contacts : list)
      const first = yield* take(key, entries.length)
      // Nobody else can use an id in between: the counter is locked.
      yield* inBatches(entries, (batch) =>
        Effect.flatMap(
          sql<Entry>`SELECT id FROM mailstream_items
            WHERE list = ${key} AND ${sql.in("id", batch.map(({ id }) => id))} LIMIT 1`,
          ([used]) => used === undefined ? Effect.void : Entries.duplicate(used.id)
        ))
      const places = entries.map(({ id, json }, index) => ({ list: key, seq: first + index, id, live: 1, json }))
      yield* inBatches(places, (batch) => sql`INSERT INTO mailstream_items ${sql.insert(batch)}`)
      if (isMembership(list)) yield* addMembers(list, entries.map(({ id }) => id))
    })

  const addMembers = (list: List, ids: ReadonlyArray<string>): Effect.Effect<void, SqlError> =>
    Effect.gen(function*() {
      const first = yield* take(Entries.keyOf(list), ids.length)
      const places = ids.map((contact, index) => ({ segment: list.within, seq: first + index, contact, live: 1 }))
      yield* inBatches(places, (batch) =>
        sql`INSERT INTO mailstream_members ${sql.insert(batch)}
          ON CONFLICT (segment, contact) DO UPDATE SET live = 1`)
    })

  const remove = (list: List, ids: ReadonlyArray<string>): Effect.Effect<void, SqlError> =>
    inBatches(ids, (batch) =>
      Effect.gen(function*() {
        yield* sql`UPDATE mailstream_items SET live = 0, json = NULL
          WHERE list = ${Entries.keyOf(list)} AND ${sql.in("id", batch)}`
        if (list.name === contacts.name) {
          yield* sql`UPDATE mailstream_members SET live = 0 WHERE ${sql.in("contact", batch)}`
        }
        if (list.name === apiKeys.name) yield* sql`DELETE FROM mailstream_secrets WHERE ${sql.in("id", batch)}`
        const [memberships, owned] = Array.partition(
          batch.flatMap((id) => Entries.ownedBy(list.name, id)),
          (list) => !isMembership(list)
        )
        if (memberships.length > 0) yield* sql`DELETE FROM mailstream_members WHERE ${sql.in("segment", batch)}`
        if (owned.length > 0) {
          yield* sql`DELETE FROM mailstream_items WHERE ${sql.in("list", owned.map(Entries.keyOf))}`
        }
      }))

  const join = (segment: SegmentId, ids: ReadonlyArray<ContactId>): Effect.Effect<void, SqlError | StoreError> =>
    Effect.gen(function*() {
      const list: List = { ...contacts, within: segment }
      if (!(yield* hasOwner(list))) return yield* Entries.unknownOwner(list)
      yield* inBatches(ids, (batch) =>
        Effect.gen(function*() {
          const found = yield* sql<Entry>`SELECT id FROM mailstream_items
            WHERE list = ${contacts.name} AND live = 1 AND ${sql.in("id", batch)}`
          const known = new Set(found.map(({ id }) => id))
          const unknown = batch.find((id) => !known.has(id))
          if (unknown !== undefined) return yield* Entries.unknownContact(unknown)
          return yield* addMembers(list, batch)
        }))
    })

  /**
   * Work on the database is done in a moment, and whoever is interrupted lets it be done. The client of PostgreSQL
   * would cancel it, which reaches the connection late: by then it may do somebody else's work.
   */
  const settled = sql.onDialectOrElse({
    pg: () => <A, E>(effect: Effect.Effect<A, E>) => Effect.uninterruptible(failing(effect)),
    orElse: () => failing
  })

  /** All of it, or nothing. On SQLite this is also what keeps writers from meeting. */
  const transaction = <A, E>(effect: Effect.Effect<A, E>) => settled(sql.withTransaction(effect))

  return {
    insert: (resource, items, ...[filter]) =>
      Effect.flatMap(
        Entries.encode(resource, items),
        (entries) => entries.length === 0 ? Effect.void : transaction(append(Entries.list(resource, filter), entries))
      ),

    delete: (resource, ids, ...[filter]) => transaction(remove(Entries.list(resource, filter), ids)),

    join: (segment, ids) => ids.length === 0 ? Effect.void : transaction(join(segment, [...new Set(ids)])),

    leave: (segment, ids) =>
      transaction(
        inBatches(ids, (batch) =>
          sql`UPDATE mailstream_members SET live = 0 WHERE segment = ${segment} AND ${sql.in("contact", batch)}`)
      ),

    page: (list, request) =>
      settled(Effect.gen(function*() {
        const isForward = request.before === undefined
        const found = isText(list.within) && isText(request.after ?? request.before)
          ? yield* read(list, yield* rangeOf(list, request), isForward ? "DESC" : "ASC", request.limit + 1)
          : []
        if (found.length === 0) yield* exist(list, request)
        const items = found.slice(0, request.limit).map(({ json }) => json)
        return { items: isForward ? items : items.reverse(), has_more: found.length > request.limit }
      })),

    all: (list, request) =>
      Effect.map(
        settled(Effect.zipRight(exist(list, request), rangeOf(list, request))),
        (range) =>
          Stream.paginateChunkEffect(range, (range) =>
            Effect.map(settled(read(list, range, "DESC", Entries.batch)), (found) => {
              const last = found.length < Entries.batch ? undefined : found.at(-1)
              return [
                Chunk.unsafeFromArray(found.map(({ json }) =>
                  json
                )),
                Option.map(Option.fromNullable(last), ({ seq }) => ({ ...range, below: seq }))
              ]
            }))
      ),

    insertKey: (apiKey, hash) =>
      Effect.flatMap(Entries.encode(Resource.apiKeys, [apiKey]), (entries) =>
        transaction(Effect.gen(function*() {
          const added = yield* sql`INSERT INTO mailstream_secrets
            ${sql.insert({ prefix: hash.slice(0, 16), hash, id: apiKey.id })}
            ON CONFLICT (hash) DO NOTHING RETURNING id`
          if (added.length > 0) yield* append(apiKeys, entries)
        }))),

    findSecrets: (prefix) => settled(sql<Secret>`SELECT id, hash FROM mailstream_secrets WHERE prefix = ${prefix}`),

    touchKey: (id, at) =>
      transaction(Effect.gen(function*() {
        const [key] = yield* sql<Entry>`SELECT json FROM mailstream_items
          WHERE list = ${apiKeys.name} AND id = ${id} AND live = 1`
        if (key === undefined) return
        yield* sql`UPDATE mailstream_items SET json = ${Entries.usedAt(key.json, at)}
          WHERE list = ${apiKeys.name} AND id = ${id} AND live = 1`
      }))
  }
})

const failing = <A, E>(
  effect: Effect.Effect<A, E>
): Effect.Effect<A, Exclude<E, Extract<E, SqlError>> | StoreError> =>
  Effect.catchIf(
    effect,
    (error): error is Extract<E, SqlError> => error instanceof SqlError,
    (cause) => new StoreError({ reason: "Failed", description: "The database failed.", cause })
  )

/**
 * A store in the database of a client, which is brought up to date first.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<Store, SqlError | MigrationError, SqlClient.SqlClient> = Layer.effect(
  Store,
  Effect.zipRight(Migrations.run, make)
)

/**
 * A store in a file. What was answered survives the end of the process, however it ends. One process at a time may
 * have the file open.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerSqlite = (options: {
  readonly filename: string
}): Layer.Layer<Store, SqlError | MigrationError> => Layer.provide(layer, Sqlite.layer(options.filename))

/**
 * A store in a PostgreSQL database, which several processes may share.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerPostgres = (options: {
  /** As in `postgres://user:password@localhost:5432/database`. */
  readonly url: Redacted.Redacted
}): Layer.Layer<Store, SqlError | MigrationError> => Layer.provide(layer, PgClient.layer({ url: options.url }))

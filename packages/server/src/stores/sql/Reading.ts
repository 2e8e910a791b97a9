/** Reading pages and complete lists. */
import type { SqlError } from "@effect/sql/SqlError"
import type { Fragment } from "@effect/sql/Statement"
import type { NotFound } from "@mailstream/core"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Lists from "../Lists.ts"
import * as Rules from "../Rules.ts"
import type { StoreError } from "../StoreError.ts"
import type { Cursor, List, StoreService } from "../StoreService.ts"
import type { Database, Tables } from "./Database.ts"
import * as Places from "./Places.ts"

/** One page, along an index and in one statement unless nothing is found. */
export const page = (database: Database): StoreService["page"] => (list, request) => {
  const { after, before, limit } = request
  const isForward = before === undefined
  const given = [list.within, list.campaign, after ?? before, ...Object.values(list.where ?? {})]
  const found = given.every(Places.canBeId)
    ? Effect.flatMap(
      rangeOf(database, list, request),
      (range) => read(database, list, range, isForward ? "DESC" : "ASC", limit + 1)
    )
    : Effect.succeed([])
  return database.run(Effect.flatMap(found, (rows) => {
    const items = rows.slice(0, limit).map(({ json }) => json)
    const slice = { items: isForward ? items : items.reverse(), has_more: rows.length > limit }
    return rows.length === 0 ? Effect.as(checkExists(database, list, request), slice) : Effect.succeed(slice)
  }))
}

/** The complete list, in batches. The first is read before the list is returned, so that a database that fails can be reported. */
export const all = (database: Database): StoreService["all"] => (list, cursor) => {
  const batch = (range: Range): Effect.Effect<readonly [Chunk.Chunk<string>, Option.Option<Range>], SqlError> =>
    Effect.map(read(database, list, range, "DESC", Rules.batchSize), (rows) => {
      const last = Option.fromNullable(rows[Rules.batchSize - 1])
      const items = Chunk.unsafeFromArray(rows.map(({ json }) => json))
      return [items, Option.map(last, ({ seq }) => ({ ...range, below: Number(seq) }))]
    })
  const range = Effect.zipRight(checkExists(database, list, cursor), rangeOf(database, list, cursor))
  return Effect.map(database.run(Effect.flatMap(range, batch)), ([items, rest]) =>
    Option.match(rest, {
      onNone: () => Stream.fromChunk(items),
      onSome: (range) =>
        Stream.concat(
          Stream.fromChunk(items),
          Stream.paginateChunkEffect(range, (range) => database.run(batch(range)))
        )
    }))
}

/** The places between two bounds, both exclusive. */
interface Range {
  readonly above: number | Fragment
  readonly below: number | Fragment
}

const everything: Range = { above: 0, below: Number.MAX_SAFE_INTEGER }

const nothing: Range = { above: 0, below: 0 }

/**
 * The places that a cursor selects. The cursor's own place is looked up in the statement that reads the page, except
 * for the members of a segment: PostgreSQL would then read and sort all of them, because it cannot tell how few are
 * wanted.
 */
const rangeOf = (tables: Tables, list: List, { after, before }: Cursor): Effect.Effect<Range, SqlError> => {
  const cursor = after ?? before
  if (cursor === undefined) return Effect.succeed(everything)
  const beyond = (bound: number | Fragment): Range =>
    after === undefined ? { ...everything, above: bound } : { ...everything, below: bound }
  const place = Places.placeOf(tables, list, cursor)
  return Lists.isMembership(list)
    ? Effect.map(place, ([found]) => found === undefined ? nothing : beyond(Number(found.seq)))
    : Effect.succeed(beyond(tables.sql`(${place})`))
}

/** The items of a range that are not deleted, from one of its ends. */
const read = (
  tables: Tables,
  list: List,
  { above, below }: Range,
  direction: "ASC" | "DESC",
  limit: number
): Effect.Effect<ReadonlyArray<{ readonly seq: Places.Place; readonly json: string }>, SqlError> => {
  const { account, sql } = tables
  if (Lists.isMembership(list)) {
    return sql`SELECT m.seq AS seq, i.json AS json FROM mailstream_members m
      JOIN mailstream_items i ON i.account = m.account AND i.list = ${Lists.contacts.name} AND i.id = m.contact
      WHERE m.live = 1 AND i.live = 1 AND m.account = ${account} AND m.segment = ${list.within}
        AND m.seq > ${above} AND m.seq < ${below}
      ORDER BY m.seq ${sql.literal(direction)} LIMIT ${limit}`
  }
  if (Lists.isOfContact(list)) {
    return sql`SELECT i.seq AS seq, i.json AS json FROM mailstream_members m
      JOIN mailstream_items i ON i.account = m.account AND i.list = ${Lists.segments.name} AND i.id = m.segment
      WHERE m.live = 1 AND i.live = 1 AND m.account = ${account} AND m.contact = ${list.within}
        AND i.seq > ${above} AND i.seq < ${below}
      ORDER BY i.seq ${sql.literal(direction)} LIMIT ${limit}`
  }
  // Only emails have a campaign. Without statistics, SQLite would not know which of two indexes leads to fewer of them.
  const isListed = list.campaign === undefined
    ? sql`list = ${Lists.keyOf(Lists.homeOf(list))}`
    : sql`campaign = ${list.campaign}`
  return sql`SELECT seq, json FROM mailstream_items
    WHERE live = 1 AND account = ${account} AND ${isListed} AND seq > ${above} AND seq < ${below}
      ${where(tables, list)}
    ORDER BY seq ${sql.literal(direction)} LIMIT ${limit}`
}

/** The conditions of a list on the fields of its objects. */
const where = ({ sql }: Tables, list: List): Fragment => {
  const conditions = Object.entries(Lists.conditionsOf(list) ?? {}).map(([field, value]) => {
    const column = Lists.shows(list, field) ? "json" : "details"
    const found = sql.onDialectOrElse({
      pg: () => `${column}::json ->> '${field}'`,
      orElse: () => `json_extract(${column}, '$.${field}')`
    })
    return sql`${sql.literal(found)} = ${value}`
  })
  return conditions.length === 0 ? sql`` : sql`AND ${sql.and(conditions)}`
}

/** Fails if the list's owner or the cursor does not exist. */
const checkExists = (
  tables: Tables,
  list: List,
  cursor: Cursor
): Effect.Effect<void, NotFound | StoreError | SqlError> =>
  Effect.gen(function*() {
    const id = cursor.after ?? cursor.before
    const hasOwner = yield* Places.hasOwner(tables, list)
    const hasCursor = id === undefined ||
      (hasOwner && Places.canBeId(id) && Places.canBeId(list.campaign) &&
        (yield* Places.placeOf(tables, list, id)).length > 0)
    yield* Rules.mayRead(list, cursor, { hasOwner, hasCursor })
  })

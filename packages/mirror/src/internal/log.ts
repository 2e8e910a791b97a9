/** Reads the changes of a list, and keeps how far each consumer has come. */
import type { SqlError } from "@effect/sql/SqlError"
import * as Timestamp from "@mailstream/core/Timestamp"
import * as Array from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Change } from "../Change.ts"
import { ConsumerMoved } from "../MirrorError.ts"
import { type Database, quote, type Row } from "./database.ts"
import { isSame, parse } from "./json.ts"
import type { Key } from "./state.ts"
import type { Table } from "./tables.ts"

const timestamp = Schema.decodeUnknownSync(Timestamp.Timestamp)

/** Changes that were read together. */
export interface Batch<out Item> {
  readonly changes: ReadonlyArray<Change<Item>>
  /** The number of the last change that was read, whether it was left out or not; undefined if none was read. */
  readonly last: number | undefined
}

/**
 * The changes after a number, in order. If another program has deleted the row that a change is about, or has made it
 * something other than an item, the change is left out: once the item has been copied again, it is created.
 */
export const read = <Item extends { readonly id: string }, Encoded>(
  { iso, name, run }: Database,
  { account, list }: Key,
  table: Table,
  schema: Schema.Schema<Item, Encoded>,
  after: number,
  limit: number
): Effect.Effect<Batch<Item>, SqlError> => {
  // What is not known is kept as it is, whatever it is called.
  const isItem = Schema.is(schema)
  const item = (json: unknown): Option.Option<Item> => Option.filter(parse(String(json)), isItem)
  const toChange = (row: Row): Option.Option<Change<Item>> => {
    const observed = {
      seq: Number(row["seq"]),
      at: DateTime.toDate(Timestamp.toDateTime(timestamp(row["at"]))),
      ...(table.owner === undefined ? {} : { owner: String(row["owner"]) })
    }
    if (row["kind"] === "Deleted") {
      return Option.map(item(row["before"]), (item) => ({ _tag: "Deleted", ...observed, item }))
    }
    const before = row["kind"] === "Created" ? Option.none() : item(row["before"])
    return Option.map(item(row["after"]), (item) =>
      Option.isNone(before)
        ? { _tag: "Created", ...observed, item }
        : { _tag: "Updated", ...observed, before: before.value, item, fields: differing(before.value, item) })
  }
  const current = `(
    SELECT t.json FROM ${name(table.table)} t WHERE t.account = c.account AND t.${quote(table.id)} = c.id${
    table.owner === undefined ? "" : ` AND t.${quote(table.owner.column)} = c.owner`
  })`
  return Effect.map(
    run(
      `SELECT c.seq AS seq, c.kind AS kind, c.owner AS owner, ${iso("c.at")} AS at, CAST(c.before AS text) AS before,
         CAST(COALESCE(c.after, ${current}) AS text) AS after
       FROM ${name("mirror_changes")} c
       WHERE c.account = ? AND c.list = ? AND c.seq > ? AND (c.kind = 'Deleted' OR COALESCE(c.after, ${current}) IS NOT NULL)
       ORDER BY c.seq LIMIT ?`,
      [account, list, after, limit]
    ),
    (rows) => ({ changes: Array.getSomes(rows.map(toChange)), last: Option.getOrUndefined(lastOf(rows)) })
  )
}

const lastOf = (rows: ReadonlyArray<Row>): Option.Option<number> =>
  Option.map(Array.last(rows), ({ seq }) => Number(seq))

/** The names of the fields in which two items differ. */
const differing = (before: object, after: object): ReadonlyArray<string> => {
  const old = new Map<string, unknown>(Object.entries(before))
  const now = new Map<string, unknown>(Object.entries(after))
  return [...new Set([...old.keys(), ...now.keys()])].filter((name) => !isSame(old.get(name), now.get(name)))
}

/** Changes from one number, exclusive, to another, inclusive. */
type Range = readonly [from: number, to: number]

/** What a consumer has committed: everything up to a change, and some ranges beyond it. */
export interface Committed {
  readonly seq: number
  readonly done: ReadonlyArray<Range>
}

const decodeRanges = Schema.decodeUnknownSync(
  Schema.parseJson(Schema.Array(Schema.Tuple(Schema.Number, Schema.Number)))
)

export const isCommitted = ({ done, seq }: Committed, change: number): boolean =>
  change <= seq || done.some(([from, to]) => from < change && change <= to)

/** Adds a range. What is contiguous becomes one. */
export const add = ({ done, seq }: Committed, range: Range): Committed => {
  const left: Array<Range> = []
  let last = seq
  for (const [from, to] of [...done, range].sort(([a], [b]) => a - b)) {
    if (from <= last) last = Math.max(last, to)
    else left.push([from, to])
  }
  return { seq: last, done: left }
}

/** What a consumer has committed. From now on, nothing that it has yet to see is pruned. */
export const register = (database: Database, key: Key, consumer: string): Effect.Effect<Committed, SqlError> =>
  Effect.zipRight(
    database.run(
      `INSERT INTO ${database.name("mirror_consumers")} (account, list, consumer, seq, done) VALUES (?, ?, ?, 0, '[]')
       ON CONFLICT (account, list, consumer) DO NOTHING`,
      [key.account, key.list, consumer]
    ),
    load(database, key, consumer)
  )

const load = (
  { isPostgres, name, run }: Database,
  { account, list }: Key,
  consumer: string,
  isLocking = false
): Effect.Effect<Committed, SqlError> =>
  Effect.map(
    run(
      `SELECT seq, done FROM ${name("mirror_consumers")} WHERE account = ? AND list = ? AND consumer = ?${
        isPostgres && isLocking ? " FOR UPDATE" : ""
      }`,
      [account, list, consumer]
    ),
    ([row]) => row === undefined ? { seq: 0, done: [] } : { seq: Number(row["seq"]), done: decodeRanges(row["done"]) }
  )

/**
 * Commits changes, in the transaction of the caller if there is one. Fails if another process has committed one of them.
 * Everything is in the database, so that a transaction that is rolled back takes its commit with it.
 */
export const commit = (
  database: Database,
  key: Key,
  consumer: string,
  range: Range,
  changes: ReadonlyArray<{ readonly seq: number }>
): Effect.Effect<void, SqlError | ConsumerMoved> =>
  database.transaction(Effect.gen(function*() {
    const committed = yield* load(database, key, consumer, true)
    if (changes.some(({ seq }) => isCommitted(committed, seq))) {
      return yield* new ConsumerMoved({ consumer, list: key.list })
    }
    const { done, seq } = add(committed, range)
    yield* database.run(
      `UPDATE ${
        database.name("mirror_consumers")
      } SET seq = ?, done = ? WHERE account = ? AND list = ? AND consumer = ?`,
      [seq, JSON.stringify(done), key.account, key.list, consumer]
    )
  }))

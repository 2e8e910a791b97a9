/** Reads the changes of a list, and keeps how far each consumer has come. */
import type { SqlError } from "@effect/sql/SqlError"
import * as Timestamp from "@mailstream/core/Timestamp"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Change } from "../Change.ts"
import { ConsumerMoved } from "../MirrorError.ts"
import { type Database, quote, type Row } from "./database.ts"
import type { Key } from "./state.ts"
import type { Table } from "./tables.ts"

const timestamp = Schema.decodeUnknownSync(Timestamp.Timestamp)

/** The changes after a number, in order. */
export const read = <Item extends { readonly id: string }, Encoded>(
  { name, run }: Database,
  { account, list }: Key,
  table: Table,
  schema: Schema.Schema<Item, Encoded>,
  after: number,
  limit: number
): Effect.Effect<ReadonlyArray<Change<Item>>, SqlError> => {
  // What was written passed the same check.
  const item = Schema.decodeUnknownSync(schema, { onExcessProperty: "preserve" })
  const decode = (text: unknown): Item => item(JSON.parse(String(text)))
  const toChange = (row: Row): Change<Item> => {
    const observed = { seq: Number(row["seq"]), at: DateTime.toDate(Timestamp.toDateTime(timestamp(row["at"]))) }
    switch (row["kind"]) {
      case "Created":
        return { _tag: "Created", ...observed, item: decode(row["after"]) }
      case "Deleted":
        return { _tag: "Deleted", ...observed, item: decode(row["before"]) }
      default: {
        const before = decode(row["before"])
        const item = decode(row["after"])
        return { _tag: "Updated", ...observed, before, item, fields: differing(before, item) }
      }
    }
  }
  return Effect.map(
    run(
      `SELECT c.seq AS seq, c.kind AS kind, CAST(c.at AS text) AS at, CAST(c.before AS text) AS before,
         CAST(COALESCE(c.after, t.json) AS text) AS after
       FROM ${name("mirror_changes")} c LEFT JOIN ${name(table.table)} t
         ON t.account = c.account AND t.${quote(table.id)} = c.id${
        table.owner === undefined ? "" : ` AND t.${quote(table.owner.column)} = c.owner`
      }
       WHERE c.account = ? AND c.list = ? AND c.seq > ? ORDER BY c.seq LIMIT ?`,
      [account, list, after, limit]
    ),
    (rows) => rows.map(toChange)
  )
}

/** The names of the fields in which two items differ. */
const differing = (before: object, after: object): ReadonlyArray<string> => {
  const old = new Map<string, unknown>(Object.entries(before))
  const now = new Map<string, unknown>(Object.entries(after))
  return [...new Set([...old.keys(), ...now.keys()])].filter((name) =>
    JSON.stringify(old.get(name)) !== JSON.stringify(now.get(name))
  )
}

/** The last change that a consumer has committed. */
export const position = (
  { name, run }: Database,
  { account, list }: Key,
  consumer: string
): Effect.Effect<number, SqlError> =>
  Effect.map(
    run(`SELECT seq FROM ${name("mirror_consumers")} WHERE account = ? AND list = ? AND consumer = ?`, [
      account,
      list,
      consumer
    ]),
    ([row]) => row === undefined ? 0 : Number(row["seq"])
  )

/** Moves a consumer from one change to a later one, unless another process has moved it. */
export const commit = (
  { name, run }: Database,
  { account, list }: Key,
  consumer: string,
  from: number,
  to: number
): Effect.Effect<void, SqlError | ConsumerMoved> =>
  Effect.flatMap(
    run(
      `INSERT INTO ${name("mirror_consumers")} (account, list, consumer, seq) VALUES (?, ?, ?, ?)
       ON CONFLICT (account, list, consumer) DO UPDATE SET seq = excluded.seq WHERE ${name("mirror_consumers")}.seq = ?
       RETURNING seq`,
      [account, list, consumer, to, from]
    ),
    ([row]) => row === undefined ? new ConsumerMoved({ consumer, list }) : Effect.void
  )

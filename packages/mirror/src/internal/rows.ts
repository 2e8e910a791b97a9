/** The statements that write rows, each together with its change. */
import type { SqlError } from "@effect/sql/SqlError"
import type { Fragment } from "@effect/sql/Statement"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { type Copy, type Item, rowsOf } from "./copy.ts"
import type { Query } from "./database.ts"
import { toJson } from "./json.ts"
import type * as State from "./state.ts"

/** What rows become. */
export interface Change {
  readonly kind: "Created" | "Updated" | "Deleted"
  /** The number of the change before the first of these. */
  readonly changes: number
  readonly at: string
}

/** Some of the items that were taken for new have rows. */
export class NotNew extends Data.TaggedError("NotNew") {}

/** Whether the database refused a row because it exists. Drivers of SQLite have different codes for it. */
const isDuplicate = ({ cause }: SqlError): boolean =>
  Predicate.isError(cause) &&
  (Predicate.hasProperty(cause, "code") && cause.code === "23505" || cause.message.includes("UNIQUE constraint failed"))

/** The columns of the primary key. */
const keyOf = ({ database: { sql }, identity }: Copy, prefix = ""): Fragment =>
  sql.csv(["account", ...identity].map((column) => sql`${sql(`${prefix}${column}`)}`))

/** Inserts rows of items, given as JSON, with the next ordinals and numbers of changes. Fails if a row exists. */
export const insert = (
  copy: Copy,
  { changes, ordinals }: State.State,
  { at, count, items, owner }: Record<"at" | "items" | "owner", string> & { readonly count: number }
): Effect.Effect<void, SqlError | NotNew> => {
  if (count === 0) return Effect.void
  const { database, key: { account, list }, rows, table } = copy
  const { name, run, sql } = database
  const time = database.time(at)
  const values = [account, ...(table.owner === undefined ? [] : [owner])].map((value) => sql`CAST(${value} AS text)`)
  return Effect.gen(function*() {
    // PostgreSQL takes a third longer if it has to avoid a conflict.
    yield* Effect.catchIf(
      run(sql`INSERT INTO ${rows} (${keyOf(copy)}, json, ordinal, last_change, first_seen_at, changed_at)
        SELECT ${sql.csv(values)}, e.value ->> 'id', e.value,
          CAST(${ordinals} AS bigint) + e.nr, CAST(${changes} AS bigint) + e.nr, ${time}, ${time}
        FROM ${database.items(items)}`),
      isDuplicate,
      () => new NotNew()
    )
    // Reading the rows costs less than reading the JSON again.
    yield* run(sql`INSERT INTO ${name("mirror_changes")} (account, list, seq, kind, owner, id, at)
      SELECT t.account, CAST(${list} AS text), t.last_change, 'Created', CAST(${owner} AS text), ${
      sql(`t.${table.id}`)
    }, ${time}
      FROM ${rows} t WHERE t.account = ${account} AND t.deleted_at IS NULL
        AND t.ordinal > ${ordinals} AND t.ordinal <= ${ordinals + count}`)
  })
}

/** Replaces the rows of items that have one. */
export const update = (copy: Copy, items: ReadonlyArray<Item>, owner: string, change: Change): Query<void> => {
  if (items.length === 0) return Effect.void
  const { items: given, sql } = copy.database
  return apply(copy, change, { json: "e.value", from: sql`${given(toJson(items))} ${rowsOf(copy, owner)}` })
}

export const markDeleted = (copy: Copy, ordinals: ReadonlyArray<number>, change: Omit<Change, "kind">): Query<void> => {
  if (ordinals.length === 0) return Effect.void
  const { isPostgres, items, lookUp, sql } = copy.database
  const ordinal = sql.literal(isPostgres ? "CAST(e.value #>> '{}' AS bigint)" : "e.value")
  const condition = sql`t.account = ${copy.key.account} AND t.ordinal = ${ordinal} AND t.deleted_at IS NULL`
  return apply(copy, { ...change, kind: "Deleted" }, {
    json: "t.json",
    from: sql`${items(JSON.stringify(ordinals))} ${lookUp(copy.rows, "t", condition)}`
  })
}

/** Rows `t`, with the number `e.nr` of each, and what they are to hold. */
interface Target {
  readonly json: "e.value" | "t.json"
  readonly from: Fragment
}

const apply = (copy: Copy, change: Change, target: Target): Query<void> =>
  Effect.gen(function*() {
    yield* keepAfter(copy, target)
    yield* logChanges(copy, change, target)
    yield* replace(copy, change, target)
  })

/** Before rows change, their last changes keep what the rows hold now. */
const keepAfter = (
  { database: { lookUp, name, run, sql }, key: { account, list } }: Copy,
  { from }: Target
): Query<void> => {
  const last = sql`c.account = ${account} AND c.list = ${list} AND c.seq = t.last_change AND c.kind <> 'Deleted'
    AND c.after IS NULL`
  return run(sql`INSERT INTO ${name("mirror_changes")} (account, list, seq, kind, owner, id, before, after, at)
    SELECT c.account, c.list, c.seq, c.kind, c.owner, c.id, c.before, t.json, c.at
    FROM ${from} ${lookUp(name("mirror_changes"), "c", last)} WHERE true
    ON CONFLICT (account, list, seq) DO UPDATE SET after = excluded.after`)
}

const logChanges = (
  { database: { name, run, sql, time }, key: { account, list }, table }: Copy,
  { at, changes, kind }: Change,
  { from }: Target
): Query<void> => {
  const owner = table.owner === undefined ? sql`''` : sql(`t.${table.owner.column}`)
  return run(sql`INSERT INTO ${name("mirror_changes")} (account, list, seq, kind, owner, id, before, at)
    SELECT CAST(${account} AS text), CAST(${list} AS text), CAST(${changes} AS bigint) + e.nr, CAST(${kind} AS text),
      ${owner}, ${sql(`t.${table.id}`)}, ${sql.literal(kind === "Created" ? "NULL" : "t.json")}, ${time(at)}
    FROM ${from}`)
}

const replace = (copy: Copy, { at, changes, kind }: Change, { from, json }: Target): Query<void> => {
  const { database: { run, sql, time }, rows } = copy
  return run(sql`INSERT INTO ${rows}
      (${keyOf(copy)}, json, ordinal, last_change, first_seen_at, changed_at, deleted_at)
    SELECT ${keyOf(copy, "t.")}, ${sql.literal(json)},
      t.ordinal, CAST(${changes} AS bigint) + e.nr, t.first_seen_at, ${time(at)}, ${
    time(kind === "Deleted" ? at : null)
  }
    FROM ${from} WHERE true
    ON CONFLICT (${keyOf(copy)}) DO UPDATE SET json = excluded.json,
      last_change = excluded.last_change, changed_at = excluded.changed_at, deleted_at = excluded.deleted_at`)
}

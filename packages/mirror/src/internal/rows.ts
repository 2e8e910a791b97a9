/** The statements that write rows, each together with its change. */
import type { SqlError } from "@effect/sql/SqlError"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { type Copy, type Item, rowOf, rowParams } from "./copy.ts"
import { quote } from "./database.ts"
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

/** New rows, whose items are given as JSON. */
export interface Insertion {
  readonly items: string
  readonly count: number
  readonly owner: string
  readonly at: string
}

/** Whether the database refused a row because it exists. Drivers of SQLite have different codes for it. */
const isDuplicate = ({ cause }: SqlError): boolean =>
  Predicate.isError(cause) &&
  (Predicate.hasProperty(cause, "code") && cause.code === "23505" || cause.message.includes("UNIQUE constraint failed"))

/** Inserts rows, with the next ordinals and numbers of changes. Fails if a row exists. */
export const insert = (
  copy: Copy,
  { changes, ordinals }: State.State,
  { at, count, items, owner }: Insertion
): Effect.Effect<void, SqlError | NotNew> => {
  if (count === 0) return Effect.void
  const { database: { items: given, name, run, time }, key: { account, list }, table } = copy
  const key = ["account", ...(table.owner === undefined ? [] : [table.owner.column])]
  const inserted = "t.account = ? AND t.deleted_at IS NULL AND t.ordinal > ? AND t.ordinal <= ?"
  const insertedParams = [account, ordinals, ordinals + count]
  const insertion = run(
    `INSERT INTO ${name(table.table)}
       (${[...key, table.id].map(quote).join(", ")}, json, ordinal, last_change, first_seen_at, changed_at)
     SELECT ${key.map(() => "CAST(? AS text)").join(", ")}, e.value ->> 'id', e.value,
       CAST(? AS bigint) + e.nr, CAST(? AS bigint) + e.nr, ${time}, ${time}
     FROM ${given}`,
    [...rowParams(copy, owner), ordinals, changes, at, at, items]
  )
  return Effect.gen(function*() {
    // PostgreSQL takes a third longer if it has to avoid a conflict.
    yield* Effect.catchIf(insertion, isDuplicate, () => new NotNew())
    // Reading the rows costs less than reading the JSON again.
    yield* run(
      `INSERT INTO ${name("mirror_changes")} (account, list, seq, kind, owner, id, at)
       SELECT t.account, CAST(? AS text), t.last_change, 'Created', CAST(? AS text), t.${quote(table.id)}, ${time}
       FROM ${name(table.table)} t WHERE ${inserted}`,
      [list, owner, at, ...insertedParams]
    )
  })
}

/** Replaces the rows of items that have one. */
export const update = (
  copy: Copy,
  items: ReadonlyArray<Item>,
  owner: string,
  change: Change
): Effect.Effect<void, SqlError> => {
  if (items.length === 0) return Effect.void
  const { database: { items: given, lookUp, name }, table } = copy
  return apply(copy, change, {
    json: "e.value",
    from: `${given} ${lookUp(name(table.table), "t", rowOf(table))}`,
    params: [toJson(items), ...rowParams(copy, owner)]
  })
}

/** Marks rows as deleted. */
export const markDeleted = (
  copy: Copy,
  ordinals: ReadonlyArray<number>,
  change: Omit<Change, "kind">
): Effect.Effect<void, SqlError> => {
  if (ordinals.length === 0) return Effect.void
  const { database: { isPostgres, items, lookUp, name }, key: { account }, table } = copy
  const ordinal = isPostgres ? "CAST(e.value #>> '{}' AS bigint)" : "e.value"
  const condition = `t.account = ? AND t.ordinal = ${ordinal} AND t.deleted_at IS NULL`
  return apply(copy, { ...change, kind: "Deleted" }, {
    json: "t.json",
    from: `${items} ${lookUp(name(table.table), "t", condition)}`,
    params: [JSON.stringify(ordinals), account]
  })
}

/** Rows `t`, with the number `e.nr` of each, and what they are to hold. */
interface Target {
  readonly json: string
  readonly from: string
  readonly params: ReadonlyArray<string | number>
}

const apply = (copy: Copy, change: Change, target: Target): Effect.Effect<void, SqlError> =>
  Effect.gen(function*() {
    yield* keepAfter(copy, target)
    yield* logChanges(copy, change, target)
    yield* replace(copy, change, target)
  })

/** Before rows change, their last changes keep what the rows hold now. */
const keepAfter = (
  { database: { lookUp, name, run }, key: { account, list } }: Copy,
  { from, params }: Target
): Effect.Effect<unknown, SqlError> => {
  const last = "c.account = ? AND c.list = ? AND c.seq = t.last_change AND c.kind <> 'Deleted' AND c.after IS NULL"
  return run(
    `INSERT INTO ${name("mirror_changes")} (account, list, seq, kind, owner, id, before, after, at)
     SELECT c.account, c.list, c.seq, c.kind, c.owner, c.id, c.before, t.json, c.at
     FROM ${from} ${lookUp(name("mirror_changes"), "c", last)} WHERE true
     ON CONFLICT (account, list, seq) DO UPDATE SET after = excluded.after`,
    [...params, account, list]
  )
}

const logChanges = (
  { database: { name, run, time }, key: { account, list }, table }: Copy,
  { at, changes, kind }: Change,
  { from, params }: Target
): Effect.Effect<unknown, SqlError> =>
  run(
    `INSERT INTO ${name("mirror_changes")} (account, list, seq, kind, owner, id, before, at)
     SELECT CAST(? AS text), CAST(? AS text), CAST(? AS bigint) + e.nr, '${kind}',
       ${table.owner === undefined ? "''" : `t.${quote(table.owner.column)}`}, t.${quote(table.id)},
       ${kind === "Created" ? "NULL" : "t.json"}, ${time}
     FROM ${from}`,
    [account, list, changes, at, ...params]
  )

const replace = (
  { database: { name, run, time }, table }: Copy,
  { at, changes, kind }: Change,
  { from, json, params }: Target
): Effect.Effect<unknown, SqlError> => {
  const key = ["account", ...(table.owner === undefined ? [] : [table.owner.column]), table.id].map(quote)
  return run(
    `INSERT INTO ${name(table.table)}
       (${key.join(", ")}, json, ordinal, last_change, first_seen_at, changed_at, deleted_at)
     SELECT ${key.map((column) => `t.${column}`).join(", ")}, ${json},
       t.ordinal, CAST(? AS bigint) + e.nr, t.first_seen_at, ${time}, ${time}
     FROM ${from} WHERE true
     ON CONFLICT (${key.join(", ")}) DO UPDATE SET json = excluded.json,
       last_change = excluded.last_change, changed_at = excluded.changed_at, deleted_at = excluded.deleted_at`,
    [changes, at, kind === "Deleted" ? at : null, ...params]
  )
}

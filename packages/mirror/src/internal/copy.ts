/** Writes items, what changed, and where the copy stands, in one transaction. */
import type { SqlError } from "@effect/sql/SqlError"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Encoding from "effect/Encoding"
import { type Database, quote, type Row, storableId, toJson } from "./database.ts"
import { bitsPerBlock, type Block, boundsOf, type Seen } from "./seen.ts"
import * as State from "./state.ts"
import type { Table } from "./tables.ts"

export interface Item {
  readonly id: string
}

/** Somebody else has continued this copy in the meantime. Nothing was written. */
export class Overtaken extends Data.TaggedError("Overtaken") {}

/** The copy of one list of one account. */
export interface Copy {
  readonly database: Database
  readonly key: State.Key
  readonly table: Table
}

/** How items compare with their rows. */
export interface Difference {
  /** Without a row. */
  readonly created: ReadonlyArray<Item>
  /** With a row that differs. */
  readonly updated: ReadonlyArray<Item>
  /** With a row that is marked as deleted. */
  readonly revived: ReadonlyArray<Item>
  readonly unchanged: number
  /** The rows that exist, by id. */
  readonly ordinals: ReadonlyMap<string, number>
}

/** Compares items with their rows. Of items with the same id, the last one counts. */
export const compare = (
  { database, key, table }: Copy,
  items: ReadonlyArray<Item>,
  owner: string,
  { ordinals }: State.State
): Effect.Effect<Difference, SqlError> =>
  Effect.gen(function*() {
    const distinct = new Map(items.map((item) => [storableId(item.id), item]))
    // A list that was never copied has no rows.
    const rows = ordinals === 0 ? [] : yield* database.run(
      `SELECT t.${quote(table.id)} AS id, t.ordinal AS ordinal, t.deleted_at IS NOT NULL AS gone,
         t.json <> e.value AS differs
       FROM ${database.items}
       ${database.join} ${database.name(table.table)} t
         ON t.account = ? AND t.${quote(table.id)} = e.value ->> 'id'${ownedBy(table, "?")}`,
      [toJson([...distinct.values()]), key.account, ...ownerParams(table, owner)]
    )
    const known = new Map<string, Row>(rows.map((row) => [String(row["id"]), row]))
    const created: Array<Item> = []
    const updated: Array<Item> = []
    const revived: Array<Item> = []
    for (const [id, item] of distinct) {
      const row = known.get(id)
      if (row === undefined) created.push(item)
      else if (isTrue(row["gone"])) revived.push(item)
      else if (isTrue(row["differs"])) updated.push(item)
    }
    return {
      created,
      updated,
      revived,
      unchanged: distinct.size - created.length - updated.length - revived.length,
      ordinals: new Map(Array.from(known, ([id, row]) => [id, Number(row["ordinal"])]))
    }
  })

const isTrue = (value: unknown): boolean => value === true || Number(value) === 1

const ownedBy = ({ owner }: Table, value: string): string =>
  owner === undefined ? "" : ` AND t.${quote(owner.column)} = ${value}`

const ownerParams = ({ owner }: Table, id: string): ReadonlyArray<string> => owner === undefined ? [] : [id]

/** What a commit does besides its items. */
export interface Next {
  readonly owner: string
  readonly at: string
  /** The rest of the state: what is under way after the commit. */
  readonly pass: State.Pass | undefined
  readonly newest: ReadonlyArray<string>
  /** Collects the rows that the pass has seen; undefined outside a pass. */
  readonly seen: Seen | undefined
}

/** Writes a difference. Returns the next state. */
export const write = (
  copy: Copy,
  state: State.State,
  difference: Difference,
  next: Next
): Effect.Effect<State.State, SqlError | Overtaken> =>
  Effect.gen(function*() {
    const { created, revived, updated } = difference
    const ordinals = state.ordinals + created.length
    const changes = state.changes + created.length + updated.length + revived.length
    const following: State.State = {
      ...state,
      ordinals,
      changes,
      newest: next.newest,
      pass: next.pass,
      error: undefined
    }
    // Added again if the commit is repeated, which changes nothing.
    const blocks = next.seen?.add([
      ...difference.ordinals.values(),
      ...created.map((_, index) => state.ordinals + index + 1)
    ]) ?? []
    yield* copy.database.transaction(Effect.gen(function*() {
      yield* advance(copy, following)
      yield* storeSeen(copy, blocks)
      yield* insert(copy, created, state, next)
      yield* update(copy, updated, "Updated", state.changes + created.length, next)
      yield* update(copy, revived, "Created", state.changes + created.length + updated.length, next)
    }))
    return { ...following, version: state.version + 1 }
  })

const advance = ({ database, key }: Copy, next: State.State): Effect.Effect<void, SqlError | Overtaken> =>
  Effect.flatMap(State.advance(database, key, next), (won) => won ? Effect.void : new Overtaken())

const storeSeen = (
  { database: { name, run }, key: { account, list } }: Copy,
  blocks: ReadonlyArray<Block>
): Effect.Effect<void, SqlError> =>
  Effect.forEach(blocks, ({ bits, number }) =>
    run(
      `INSERT INTO ${name("mirror_seen")} (account, list, block, bits) VALUES (?, ?, ?, ?)
       ON CONFLICT (account, list, block) DO UPDATE SET bits = excluded.bits`,
      [account, list, number, Encoding.encodeBase64(bits)]
    ), { discard: true })

const insert = (
  { database, key: { account, list }, table }: Copy,
  items: ReadonlyArray<Item>,
  { changes, ordinals }: State.State,
  { at, owner }: Next
): Effect.Effect<void, SqlError> => {
  if (items.length === 0) return Effect.void
  const { items: given, name, run, time } = database
  const json = toJson(items)
  const columns = table.owner === undefined ? "" : `${quote(table.owner.column)}, `
  return Effect.zipRight(
    run(
      `INSERT INTO ${name(table.table)}
         (account, ${columns}${quote(table.id)}, json, ordinal, last_change, first_seen_at, changed_at)
       SELECT CAST(? AS text), ${table.owner === undefined ? "" : "CAST(? AS text), "}e.value ->> 'id', e.value,
         CAST(? AS bigint) + e.nr, CAST(? AS bigint) + e.nr, ${time}, ${time}
       FROM ${given}`,
      [account, ...ownerParams(table, owner), ordinals, changes, at, at, json]
    ),
    Effect.asVoid(run(
      `INSERT INTO ${name("mirror_changes")} (account, list, seq, kind, owner, id, at)
       SELECT CAST(? AS text), CAST(? AS text), CAST(? AS bigint) + e.nr, 'Created', CAST(? AS text), e.value ->> 'id', ${time}
       FROM ${given}`,
      [account, list, changes, owner, at, json]
    ))
  )
}

/** Replaces the rows of items that have one. */
const update = (
  copy: Copy,
  items: ReadonlyArray<Item>,
  kind: "Updated" | "Created",
  changes: number,
  { at, owner }: Next
): Effect.Effect<void, SqlError> => {
  if (items.length === 0) return Effect.void
  const { database: { items: given, join, name }, key: { account }, table } = copy
  const rows = {
    from: `${given} ${join} ${name(table.table)} t
      ON t.account = ? AND t.${quote(table.id)} = e.value ->> 'id'${ownedBy(table, "?")}`,
    params: [toJson(items), account, ...ownerParams(table, owner)]
  }
  return Effect.gen(function*() {
    yield* keepAfter(copy, rows)
    yield* logChanges(copy, rows, kind, changes, at)
    yield* replace(copy, rows, "e.value", changes, at, null)
  })
}

/** Replaces rows, with the numbers of their changes. */
const replace = (
  { database: { name, run, time }, table }: Copy,
  { from, params }: Rows,
  json: string,
  changes: number,
  at: string,
  deletedAt: string | null
): Effect.Effect<unknown, SqlError> => {
  const key = ["account", ...(table.owner === undefined ? [] : [table.owner.column]), table.id].map(quote)
  return run(
    `INSERT INTO ${name(table.table)}
       (${key.join(", ")}, json, ordinal, last_change, first_seen_at, changed_at, deleted_at)
     SELECT ${key.map((column) => `t.${column}`).join(", ")}, ${json}, t.ordinal, CAST(? AS bigint) + e.nr,
       t.first_seen_at, ${time}, ${time}
     FROM ${from} WHERE true
     ON CONFLICT (${key.join(", ")}) DO UPDATE SET json = excluded.json, last_change = excluded.last_change,
       changed_at = excluded.changed_at, deleted_at = excluded.deleted_at`,
    [changes, at, deletedAt, ...params]
  )
}

/** Rows `t`, with the number `e.nr` of each. */
interface Rows {
  readonly from: string
  readonly params: ReadonlyArray<string | number>
}

/**
 * Before rows change, their last changes keep what the rows hold now. Each database is given the form in which it looks up
 * the changes one by one, whatever it believes about the size of the tables.
 */
const keepAfter = (
  { database: { isPostgres, name, run }, key: { account, list }, table }: Copy,
  { from, params }: Rows
): Effect.Effect<unknown, SqlError> => {
  const changes = name("mirror_changes")
  return isPostgres
    ? run(
      `WITH r AS MATERIALIZED (SELECT t.last_change AS seq, t.json AS json FROM ${from})
       UPDATE ${changes} AS c SET after = r.json FROM r
       WHERE c.account = ? AND c.list = ? AND c.seq = r.seq AND c.kind <> 'Deleted' AND c.after IS NULL`,
      [...params, account, list]
    )
    : run(
      `UPDATE ${changes} SET after = (
         SELECT r.json FROM ${name(table.table)} r
         WHERE r.account = ? AND r.last_change = ${changes}.seq AND r.${quote(table.id)} = ${changes}.id${
        table.owner === undefined ? "" : ` AND r.${quote(table.owner.column)} = ${changes}.owner`
      })
       WHERE account = ? AND list = ? AND kind <> 'Deleted' AND after IS NULL
         AND seq IN (SELECT t.last_change FROM ${from})`,
      [account, account, list, ...params]
    )
}

const logChanges = (
  { database: { name, run, time }, key: { account, list }, table }: Copy,
  { from, params }: Rows,
  kind: "Created" | "Updated" | "Deleted",
  changes: number,
  at: string
): Effect.Effect<unknown, SqlError> =>
  run(
    `INSERT INTO ${name("mirror_changes")} (account, list, seq, kind, owner, id, before, at)
     SELECT CAST(? AS text), CAST(? AS text), CAST(? AS bigint) + e.nr, '${kind}',
       ${table.owner === undefined ? "''" : `t.${quote(table.owner.column)}`}, t.${quote(table.id)},
       ${kind === "Created" ? "NULL" : "t.json"}, ${time}
     FROM ${from}`,
    [account, list, changes, at, ...params]
  )

/** The number of rows that exist. */
export const countRows = (
  { database: { name, run }, key: { account }, table }: Copy
): Effect.Effect<number, SqlError> =>
  Effect.map(
    run(`SELECT COUNT(*) AS count FROM ${name(table.table)} WHERE account = ? AND deleted_at IS NULL`, [account]),
    ([row]) => Number(row?.["count"])
  )

/** The ordinals of the rows that exist, but were not seen. Only blocks in which some are missing are looked at. */
export const findUnseen = (
  { database: { name, run }, key: { account }, table }: Copy,
  seen: Seen
): Effect.Effect<ReadonlyArray<number>, SqlError> =>
  Effect.gen(function*() {
    const blocks = yield* run(
      `SELECT ordinal / ${bitsPerBlock} AS block, COUNT(*) AS count FROM ${name(table.table)}
       WHERE account = ? AND deleted_at IS NULL GROUP BY ordinal / ${bitsPerBlock}`,
      [account]
    )
    const incomplete = blocks.map(({ block, count }) => ({ block: Number(block), count: Number(count) }))
      .filter(({ block, count }) => count !== seen.countIn(block))
    const unseen = yield* Effect.forEach(incomplete, ({ block }) =>
      Effect.map(
        run(
          `SELECT ordinal FROM ${name(table.table)}
           WHERE account = ? AND deleted_at IS NULL AND ordinal >= ? AND ordinal < ?`,
          [account, ...boundsOf(block)]
        ),
        (rows) => rows.map(({ ordinal }) => Number(ordinal)).filter((ordinal) => !seen.has(ordinal))
      ))
    return unseen.flat()
  })

/** The tables are analyzed after a pass that has created more rows than this. */
const analyzed = 1000

/** Ends a pass: marks rows as deleted, and stores the result of the pass. */
export const complete = (
  copy: Copy,
  state: State.State,
  gone: ReadonlyArray<number>,
  { at, counts, items }: { readonly at: string; readonly counts: State.Counts; readonly items: number }
): Effect.Effect<State.State, SqlError | Overtaken> =>
  Effect.gen(function*() {
    const { database, key: { account, list }, table } = copy
    const following: State.State = {
      ...state,
      changes: state.changes + gone.length,
      pass: undefined,
      lastPass: { counts, items, ordinals: state.ordinals },
      completedAt: at,
      error: undefined
    }
    const number = database.isPostgres ? "CAST(e.value #>> '{}' AS bigint)" : "e.value"
    const rows = {
      from: `${database.items} ${database.join} ${database.name(table.table)} t
        ON t.account = ? AND t.ordinal = ${number} AND t.deleted_at IS NULL`,
      params: [JSON.stringify(gone), account]
    }
    yield* database.transaction(Effect.gen(function*() {
      yield* advance(copy, following)
      yield* database.run(`DELETE FROM ${database.name("mirror_seen")} WHERE account = ? AND list = ?`, [account, list])
      if (gone.length === 0) return
      yield* keepAfter(copy, rows)
      yield* logChanges(copy, rows, "Deleted", state.changes, at)
      yield* replace(copy, rows, "t.json", state.changes, at, at)
    }))
    // Until PostgreSQL knows how large the tables are, it may read all of them for each item.
    if (database.isPostgres && counts.created > analyzed) {
      yield* database.run(`ANALYZE ${database.name(table.table)}, ${database.name("mirror_changes")}`)
    }
    return { ...following, version: state.version + 1 }
  })

/** Begins, continues or gives up a pass. */
export const mark = (
  copy: Copy,
  state: State.State,
  pass: State.Pass | undefined
): Effect.Effect<State.State, SqlError | Overtaken> =>
  Effect.gen(function*() {
    const following = { ...state, pass }
    yield* copy.database.transaction(Effect.gen(function*() {
      yield* advance(copy, following)
      if (state.pass !== undefined && pass !== undefined) return
      yield* copy.database.run(
        `DELETE FROM ${copy.database.name("mirror_seen")} WHERE account = ? AND list = ?`,
        [copy.key.account, copy.key.list]
      )
    }))
    return { ...following, version: state.version + 1 }
  })

/** The rows that the current pass has seen so far. */
export const loadSeen = (
  { database: { name, run }, key: { account, list } }: Copy
): Effect.Effect<ReadonlyArray<Block>, SqlError> =>
  Effect.flatMap(
    run(`SELECT block, bits FROM ${name("mirror_seen")} WHERE account = ? AND list = ?`, [account, list]),
    (rows) =>
      Effect.orDie(Effect.forEach(rows, ({ bits, block }) =>
        Effect.map(Encoding.decodeBase64(String(bits)), (bits): Block => ({ number: Number(block), bits }))))
  )

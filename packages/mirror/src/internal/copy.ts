/** The copy of one list: reads its rows, and compares items with them. */
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Damaged from "./damaged.ts"
import { type Database, quote } from "./database.ts"
import { isSame, parse, storableId, toJson } from "./json.ts"
import { blockOf, boundsOf, type Range, type Seen } from "./seen.ts"
import type * as State from "./state.ts"
import type { Table } from "./tables.ts"

export interface Item {
  readonly id: string
}

/** The copy of one list of one account. */
export interface Copy {
  readonly database: Database
  readonly key: State.Key
  readonly table: Table
}

/** The condition for the row `t` of an item `e`, whose parameters are those of `rowParams`. */
export const rowOf = ({ id, owner }: Table): string =>
  `t.account = ? AND t.${quote(id)} = e.value ->> 'id'${owner === undefined ? "" : ` AND t.${quote(owner.column)} = ?`}`

export const rowParams = ({ key, table }: Copy, owner: string): ReadonlyArray<string> =>
  table.owner === undefined ? [key.account] : [key.account, owner]

/** The row of an item. */
export interface Found {
  readonly ordinal: number
  readonly isGone: boolean
  /** What it holds, unless that is the item to the letter. */
  readonly json: string | undefined
  /** Whether it holds text that is not UTF-8. */
  readonly isDamaged: boolean
}

/** Rows by id. */
export type Rows = ReadonlyMap<string, Found>

export const noRows: Rows = new Map()

/** The rows of items, which are given as JSON. */
export const find = (copy: Copy, owner: string, items: string): Effect.Effect<Rows, SqlError> => {
  const { database, table } = copy
  const ifDifferent = (value: string) => `CASE WHEN t.json <> e.value THEN ${value} END`
  const columns = [
    `t.${quote(table.id)}`,
    "t.ordinal",
    "t.deleted_at IS NOT NULL",
    ifDifferent("CAST(t.json AS text)"),
    ifDifferent(Damaged.replacementsIn(database, "t.json"))
  ]
  return Effect.gen(function*() {
    const [row] = yield* database.run(
      `SELECT ${database.collect(...columns)} AS found
       FROM ${database.items} ${database.lookUp(database.name(table.table), "t", rowOf(table))}`,
      [items, ...rowParams(copy, owner)]
    )
    const found: ReadonlyArray<
      readonly [id: string, ordinal: number, isGone: boolean | number, json: string | null, replacements: number | null]
    > = JSON.parse(String(row?.["found"]))
    const damaged: Array<string> = []
    const rows = new Map(found.map(([id, ordinal, isGone, json, replacements]) => {
      const isDamaged = Damaged.isDamaged(json, replacements)
      if (isDamaged) damaged.push(id)
      return [id, { ordinal, isGone: Boolean(isGone), json: json ?? undefined, isDamaged }]
    }))
    yield* Damaged.warn(copy, damaged)
    return rows
  })
}

/** Of items with the same id, the last one counts. */
export const distinct = (items: ReadonlyArray<Item>): ReadonlyArray<Item> => {
  const byId = new Map(items.map((item) => [storableId(item.id), item]))
  return byId.size === items.length ? items : Array.from(byId.values())
}

/** How items compare with their rows. */
export interface Difference {
  /** Without a row. */
  readonly created: ReadonlyArray<Item>
  /** With a row that differs. */
  readonly updated: ReadonlyArray<Item>
  /** With a row that is marked as deleted. */
  readonly revived: ReadonlyArray<Item>
  /** The ordinals of the rows that are about to change. */
  readonly changing: ReadonlyArray<number>
  /** The ordinals of the rows that exist, and are not marked as deleted. */
  readonly present: ReadonlyArray<number>
  /** The ordinals that the rows of all items have once the difference is written, in the order of the items. */
  readonly ordinals: ReadonlyArray<number>
}

/** Compares distinct items with their rows. New rows get the next ordinals. */
export const compare = (items: ReadonlyArray<Item>, rows: Rows, { ordinals: last }: State.State): Difference => {
  const created: Array<Item> = []
  const updated: Array<Item> = []
  const revived: Array<Item> = []
  const changing: Array<number> = []
  const present: Array<number> = []
  const ordinals: Array<number> = []
  for (const item of items) {
    const row = rows.get(storableId(item.id))
    ordinals.push(row?.ordinal ?? last + created.length + 1)
    if (row?.isGone === false) present.push(row.ordinal)
    if (row === undefined) created.push(item)
    else if (row.isGone || differs(item, row)) {
      changing.push(row.ordinal)
      const changed = row.isGone ? revived : updated
      changed.push(item)
    }
  }
  return { created, updated, revived, changing, present, ordinals }
}

/** SQLite compares JSON as text, in which fields have an order; and another program may have made it something else. */
const differs = (item: Item, { isDamaged, json }: Found): boolean =>
  json !== undefined &&
  (isDamaged || !Option.exists(parse(json), (stored) => isSame(stored, JSON.parse(toJson(item)))))

/** The number of rows that exist. */
export const countRows = (
  { database: { name, run }, key: { account }, table }: Copy
): Effect.Effect<number, SqlError> =>
  Effect.map(
    run(`SELECT COUNT(*) AS count FROM ${name(table.table)} WHERE account = ? AND deleted_at IS NULL`, [account]),
    ([row]) => Number(row?.["count"])
  )

/** The rows that exist. */
export interface Existing {
  readonly count: number
  /** The ordinals of those whose items are gone. */
  readonly gone: ReadonlyArray<number>
}

/**
 * The rows that were not seen are gone. A block holds exactly the rows that were seen if their number, the sum of their
 * places and the sum of the squares match; only the other blocks are read row by row.
 */
export const findUnseen = (
  copy: Copy,
  seen: Seen,
  { ordinals }: State.State
): Effect.Effect<Existing, SqlError> =>
  Effect.gen(function*() {
    const { database: { items, name, run }, key: { account }, table } = copy
    // Another program may have inserted rows behind all others.
    const blocks = Array.from({ length: blockOf(ordinals) + 1 }, (_, block) => boundsOf(block)).map(
      ([from, to], block, { length }): Range => [from, block === length - 1 ? Number.MAX_SAFE_INTEGER : to]
    )
    const place = "(ordinal - CAST(e.value ->> 0 AS bigint))"
    // A query for each block reads the index in its order; grouping would sort it again.
    const found = yield* run(
      `SELECT (
         SELECT COUNT(*) || ' ' || COALESCE(SUM(${place}), 0) || ' ' || COALESCE(SUM(${place} * ${place}), 0)
         FROM ${name(table.table)} WHERE account = ? AND deleted_at IS NULL
           AND ordinal >= CAST(e.value ->> 0 AS bigint) AND ordinal < CAST(e.value ->> 1 AS bigint)
       ) AS sums FROM ${items} ORDER BY e.nr`,
      [account, JSON.stringify(blocks)]
    )
    const sums = found.map(({ sums }) => String(sums))
    const count = sums.reduce((count, sums) => count + parseInt(sums), 0)
    const incomplete = blocks.filter((_, block) => sums[block] !== seen.sumsOf(block).join(" "))
    const unseen = yield* Effect.forEach(incomplete, (bounds) =>
      Effect.map(
        run(
          `SELECT ordinal FROM ${name(table.table)}
           WHERE account = ? AND deleted_at IS NULL AND ordinal >= ? AND ordinal < ?`,
          [account, ...bounds]
        ),
        (rows) => rows.map(({ ordinal }) => Number(ordinal)).filter((ordinal) => !seen.has(ordinal))
      ))
    return { count, gone: unseen.flat() }
  })

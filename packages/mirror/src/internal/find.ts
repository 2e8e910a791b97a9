/** Reads the rows of a copy. */
import type { Fragment } from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Rows } from "./compare.ts"
import { type Copy, rowsOf } from "./copy.ts"
import * as Damaged from "./damaged.ts"
import type { Query } from "./database.ts"
import { blockOf, boundsOf, type Range, type Seen } from "./seen.ts"

const Found = Schema.Struct({ found: Schema.String })

/** What the statement below has collected. Checking every one of its values would take longer than comparing them. */
type Found = ReadonlyArray<
  // SQLite's booleans are numbers.
  readonly [id: string, ordinal: number, isGone: boolean | number, json: string | null, replacements: number | null]
>

/** The rows of items, which are given as JSON. */
export const rows = (copy: Copy, owner: string, items: string): Query<Rows> => {
  const { database, table } = copy
  const { collect, read, sql } = database
  const ifDifferent = (value: string): Fragment => sql.literal(`CASE WHEN t.json <> e.value THEN ${value} END`)
  const collected = collect(
    sql`${sql(`t.${table.id}`)}`,
    "t.ordinal",
    "t.deleted_at IS NOT NULL",
    ifDifferent("CAST(t.json AS text)"),
    ifDifferent(Damaged.replacementsIn(database, "t.json"))
  )
  return Effect.gen(function*() {
    const [row] = yield* read(
      Found,
      sql`SELECT ${collected} AS found FROM ${database.items(items)} ${rowsOf(copy, owner)}`
    )
    const found: Found = JSON.parse(row?.found ?? "[]")
    const damaged: Array<string> = []
    const rows = new Map(
      found.map(([id, ordinal, isGone, json, replacements]) => {
        const isDamaged = Damaged.isDamaged(json, replacements)
        if (isDamaged) damaged.push(id)
        return [id, { ordinal, isGone: Boolean(isGone), json: json ?? undefined, isDamaged }]
      })
    )
    yield* Damaged.warn(copy, damaged)
    return rows
  })
}

export const count = ({ database: { numbers, sql }, existing, rows }: Copy): Query<number> =>
  Effect.map(numbers(sql`SELECT COUNT(*) AS number FROM ${rows} WHERE ${existing}`), ([count = 0]) => count)

export interface Existing {
  readonly count: number
  /** The ordinals of those whose items are gone. */
  readonly gone: ReadonlyArray<number>
}

/**
 * The rows that were not seen are gone. A block holds exactly the rows that were seen if their number, the sum of their
 * places and the sum of the squares match; only the other blocks are read row by row.
 */
export const unseen = (copy: Copy, seen: Seen, last: number): Query<Existing> =>
  Effect.gen(function*() {
    const { database: { items, numbers, read, sql }, existing, rows } = copy
    // Another program may have inserted rows behind all others.
    const blocks = Array.from({ length: blockOf(last) + 1 }, (_, block) => boundsOf(block)).map(
      ([from, to], block, { length }): Range => [from, block === length - 1 ? Number.MAX_SAFE_INTEGER : to]
    )
    const place = sql.literal("(ordinal - CAST(e.value ->> 0 AS bigint))")
    // A query for each block reads the index in its order; grouping would sort it again.
    const found = yield* read(
      Schema.Struct({ sums: Schema.String }),
      sql`SELECT (
            SELECT COUNT(*) || ' ' || COALESCE(SUM(${place}), 0) || ' ' || COALESCE(SUM(${place} * ${place}), 0)
            FROM ${rows} WHERE ${existing}
              AND ordinal >= CAST(e.value ->> 0 AS bigint) AND ordinal < CAST(e.value ->> 1 AS bigint)
          ) AS sums FROM ${items(JSON.stringify(blocks))} ORDER BY e.nr`
    )
    const count = found.reduce((count, { sums }) => count + parseInt(sums), 0)
    const incomplete = blocks.filter((_, block) => found[block]?.sums !== seen.sumsOf(block).join(" "))
    const gone = yield* Effect.forEach(incomplete, ([from, to]) =>
      Effect.map(
        numbers(
          sql`SELECT ordinal AS number FROM ${rows} WHERE ${existing} AND ordinal >= ${from} AND ordinal < ${to}`
        ),
        (ordinals) => ordinals.filter((ordinal) => !seen.has(ordinal))
      ))
    return { count, gone: gone.flat() }
  })

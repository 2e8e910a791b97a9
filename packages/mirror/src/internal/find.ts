/** Reads the rows of a copy. */
import type { Fragment } from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Rows } from "./compare.ts"
import { type Copy, rowsOf } from "./copy.ts"
import * as Damaged from "./damaged.ts"
import type { Query } from "./database.ts"
import type { Range, Seen } from "./seen.ts"

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

/** Which rows exist, by ordinal: ranges of ordinals that follow each other, and how many rows there are in all. */
const Islands = Schema.Struct({
  ranges: Schema.parseJson(Schema.Array(Schema.Tuple(Schema.Number, Schema.Number, Schema.Number)))
})

/**
 * The rows that were not seen are gone. Nearly all ordinals follow each other, so that the database can say exactly which rows
 * exist in a few ranges, for one scan of an index.
 */
export const unseen = (
  { database: { atLength, collect, read, sql }, existing, rows }: Copy,
  seen: Seen
): Query<Existing> =>
  Effect.map(
    atLength(read(
      Islands,
      // Rows of other programs may share an ordinal.
      sql`SELECT ${collect("first", "last", "count")} AS ranges FROM (
            SELECT MIN(ordinal) AS first, MAX(ordinal) AS last, COUNT(*) AS count FROM (
              SELECT ordinal, ordinal - DENSE_RANK() OVER (ORDER BY ordinal) AS island FROM ${rows} WHERE ${existing}
            ) AS numbered GROUP BY island
          ) AS islands`
    )),
    ([row]) => {
      const ranges = row?.ranges ?? []
      return {
        count: ranges.reduce((sum, [, , count]) => sum + count, 0),
        gone: seen.missing(ranges.map(([first, last]): Range => [first, last]))
      }
    }
  )

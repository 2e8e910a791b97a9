/**
 * Text that is not UTF-8. PostgreSQL refuses it; SQLite takes any bytes from other programs, and drivers read what is not UTF-8 as
 * U+FFFD. A row that holds some is never taken for one that is unchanged.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Copy } from "./copy.ts"
import type { Database, Query } from "./database.ts"

const replacement = "\ufffd"

/** How often a text holds U+FFFD itself: what is read more often stands for other bytes. */
export const replacementsIn = ({ isPostgres }: Database, text: string): string =>
  isPostgres
    ? "NULL"
    : `(length(CAST(${text} AS BLOB)) - length(CAST(replace(${text}, char(65533), '') AS BLOB))) / 3`

/** Whether a text was read from bytes that are not UTF-8, given how often it holds U+FFFD itself. */
export const isDamaged = (text: string | null, replacements: number | null): boolean =>
  text !== null && replacements !== null && text.split(replacement).length - 1 > replacements

/** Says so, with the id of one of the items. */
export const warn = ({ key, table }: Copy, ids: ReadonlyArray<string>): Effect.Effect<void> =>
  ids.length === 0
    ? Effect.void
    : Effect.logWarning(
      `Another program has written text that is not UTF-8 to the table ${table.table}. A pass replaces the rows that it compares.`
    ).pipe(Effect.annotateLogs({ ...key, rows: ids.length, id: ids[0] }))

const Found = Schema.Struct({
  found: Schema.parseJson(Schema.Array(Schema.Tuple(Schema.Number, Schema.String, Schema.Number)))
})

/** Of rows whose items are gone, those that are only missing under their ids, because these are not UTF-8. */
export const find = (copy: Copy, ordinals: ReadonlyArray<number>): Query<ReadonlyArray<number>> => {
  const { database, identity, key: { account }, rows } = copy
  const { collect, items, lookUp, read, sql } = database
  if (database.isPostgres || ordinals.length === 0) return Effect.succeed([])
  const text = identity.map((column) => `t.${column}`).join(" || ' ' || ")
  const candidates = lookUp(rows, "t", sql`t.account = ${account} AND t.ordinal = e.value AND t.deleted_at IS NULL`)
  return Effect.gen(function*() {
    const [row] = yield* read(
      Found,
      sql`SELECT ${collect("t.ordinal", text, replacementsIn(database, text))} AS found
          FROM ${items(JSON.stringify(ordinals))} ${candidates} WHERE ${sql.literal(text)} GLOB '*[^ -~]*'`
    )
    const damaged = row?.found.filter(([, text, replacements]) => isDamaged(text, replacements)) ?? []
    yield* warn(copy, damaged.map(([, text]) => text))
    return damaged.map(([ordinal]) => ordinal)
  })
}

/** Drops such rows. Their items have other rows by now, so that marking them as deleted would be a false report. */
export const drop = (
  { database: { among, run, sql }, existing, rows }: Copy,
  ordinals: ReadonlyArray<number>
): Query<void> =>
  ordinals.length === 0
    ? Effect.void
    : run(sql`DELETE FROM ${rows} WHERE ${existing} AND ordinal ${among(ordinals)}`)

/**
 * Text that is not UTF-8. PostgreSQL refuses it; SQLite takes any bytes from other programs, and drivers read what is not UTF-8 as
 * U+FFFD. A row that holds some is never taken for one that is unchanged.
 */
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import type { Copy } from "./copy.ts"
import { type Database, quote } from "./database.ts"

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
export const warn = ({ key: { account, list }, table }: Copy, ids: ReadonlyArray<string>): Effect.Effect<void> =>
  ids.length === 0
    ? Effect.void
    : Effect.logWarning(
      `Another program has written text that is not UTF-8 to the table ${table.table}. A pass replaces the rows that it compares.`
    ).pipe(Effect.annotateLogs({ account, list, rows: ids.length, id: ids[0] }))

/** Of rows whose items are gone, those that are only missing under their ids, because these are not UTF-8. */
export const find = (copy: Copy, ordinals: ReadonlyArray<number>): Effect.Effect<ReadonlyArray<number>, SqlError> => {
  const { database, key: { account }, table } = copy
  if (database.isPostgres || ordinals.length === 0) return Effect.succeed([])
  const id = [table.id, ...(table.owner === undefined ? [] : [table.owner.column])].map((name) => `t.${quote(name)}`)
  const text = id.join(" || ' ' || ")
  return Effect.gen(function*() {
    const [row] = yield* database.run(
      `SELECT ${database.collect("t.ordinal", text, replacementsIn(database, text))} AS found
       FROM ${database.items} ${
        database.lookUp(
          database.name(table.table),
          "t",
          "t.account = ? AND t.ordinal = e.value AND t.deleted_at IS NULL"
        )
      }
       WHERE ${text} GLOB '*[^ -~]*'`,
      [JSON.stringify(ordinals), account]
    )
    const found: ReadonlyArray<readonly [number, string, number]> = JSON.parse(String(row?.["found"]))
    const damaged = found.filter(([, text, replacements]) => isDamaged(text, replacements))
    yield* warn(copy, damaged.map(([, text]) => text))
    return damaged.map(([ordinal]) => ordinal)
  })
}

/** Drops such rows. Their items have other rows by now, so that marking them as deleted would be a false report. */
export const drop = (
  { database: { name, run, strings }, key: { account }, table }: Copy,
  ordinals: ReadonlyArray<number>
): Effect.Effect<void, SqlError> =>
  ordinals.length === 0 ? Effect.void : Effect.asVoid(run(
    `DELETE FROM ${name(table.table)} WHERE account = ? AND deleted_at IS NULL AND ordinal IN (${strings})`,
    [account, JSON.stringify(ordinals)]
  ))

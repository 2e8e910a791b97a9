/** Whether the encryption keys of this process are those that the API keys in the table were encrypted with. */
import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type * as Cipher from "./cipher.ts"
import * as Storing from "./storing.ts"
import type * as Tables from "./tables.ts"

/** How many rows are looked at together. */
const atOnce = 1000

type Found = Pick<Storing.Row, "id" | "key_version">

const refusal = (version: string, count: number): string => {
  const what = count === 1
    ? "does not decrypt the only API key that was"
    : `decrypts none of the ${count} API keys that were`
  return `the encryption key of version ${version} ${what} encrypted with that version: ` +
    "compare MAILSTREAM_ENCRYPTION_KEYS with that of the other workers"
}

/**
 * Says what is wrong if an encryption key decrypts nothing that it should. It is called with all rows, and looks again when the versions in the
 * table are others: keys do not change while a process runs.
 */
export const make = (sql: SqlClient.SqlClient, names: Tables.Names, cipher: Cipher.Cipher) => {
  const table = sql(names.keys)
  let confirmed = ""

  /** Whether one of the rows of a version can be read. Those that were written last come first: accounts may be added again one by one. */
  const opensAny = (version: number, offset = 0): Effect.Effect<boolean, SqlError> =>
    Effect.flatMap(
      sql<Storing.Row>`SELECT * FROM ${table} WHERE key_version = ${version}
        ORDER BY updated_at DESC, id LIMIT ${atOnce} OFFSET ${offset}`,
      (rows) => {
        if (rows.some((row) => Either.isRight(Storing.open(cipher, row)))) return Effect.succeed(true)
        // They may all have been removed just now.
        return rows.length < atOnce ? Effect.succeed(offset + rows.length === 0) : opensAny(version, offset + atOnce)
      }
    )

  const probe = ([version, rows]: readonly [string, Arr.NonEmptyReadonlyArray<Found>]) =>
    Effect.map(
      opensAny(rows[0].key_version),
      (isRight) => isRight ? Option.none() : Option.some(refusal(version, rows.length))
    )

  return (all: ReadonlyArray<Found>): Effect.Effect<Option.Option<string>, SqlError> =>
    Effect.gen(function*() {
      const byVersion = Object.entries(Arr.groupBy(all, ({ key_version }) => String(key_version)))
      const versions = byVersion.map(([version]) => version).join()
      if (versions === confirmed) return Option.none()
      const known = byVersion.filter(([, [{ key_version }]]) => cipher.has(key_version))
      const problem = Option.firstSomeOf(yield* Effect.forEach(known, probe))
      if (Option.isNone(problem)) confirmed = versions
      return problem
    })
}

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

/** Of how many rows one has to be readable: some may have been altered. */
const atMost = 20

type Found = Pick<Storing.Row, "id" | "key_version">

/** Rows that are far from each other. */
const sample = (rows: Arr.NonEmptyReadonlyArray<Found>): ReadonlyArray<string> => {
  const step = Math.max(1, rows.length / atMost)
  return Arr.makeBy(Math.min(rows.length, atMost), (at) => rows[Math.floor(at * step)]!.id)
}

const refusal = (version: string, count: number): string => {
  const what = count === 1 ? "does not decrypt the only API key" : `decrypts none of the ${count} API keys`
  const were = count === 1 ? "was" : "were"
  return `the encryption key of version ${version} ${what} that ${were} encrypted with that version: ` +
    "compare MAILSTREAM_ENCRYPTION_KEYS with that of the other workers"
}

/**
 * Says what is wrong if an encryption key decrypts nothing that it should. It is called with all rows, and looks again when the versions in the
 * table are others: keys do not change while a process runs.
 */
export const make = (sql: SqlClient.SqlClient, names: Tables.Names, cipher: Cipher.Cipher) => {
  const table = sql(names.keys)
  let confirmed = ""

  const probe = ([version, rows]: readonly [string, Arr.NonEmptyReadonlyArray<Found>]) =>
    Effect.map(
      sql<Storing.Row>`SELECT * FROM ${table} WHERE key_version = ${rows[0].key_version} AND ${
        sql.in("id", sample(rows))
      }`,
      (found) => {
        const isRefused = found.length > 0 && found.every((row) => Either.isLeft(Storing.open(cipher, row)))
        return isRefused ? Option.some(refusal(version, rows.length)) : Option.none()
      }
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

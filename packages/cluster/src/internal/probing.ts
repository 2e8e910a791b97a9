/** Whether the encryption keys of this process are those of all others, as far as the API keys in the table tell. */
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

/** What was encrypted with the version that encrypts here, and the greatest of all versions. */
interface Written {
  readonly count: number
  readonly first: string | null
  readonly newest: number | null
}

const compare = "compare MAILSTREAM_ENCRYPTION_KEYS with its value on the workers, and wherever accounts are added"

const refusal = (version: number, count: number): string => {
  const what = count === 1
    ? "does not decrypt the only API key that was"
    : `decrypts none of the ${count} API keys that were`
  return `the encryption key of version ${version} ${what} encrypted with that version: ${compare}`
}

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

  return {
    /**
     * Says what is wrong if an encryption key decrypts nothing that it should. It is called with all rows, and looks again when the
     * versions in the table are others: keys do not change while a process runs.
     */
    reading: (all: ReadonlyArray<Found>): Effect.Effect<Option.Option<string>, SqlError> =>
      Effect.gen(function*() {
        const byVersion = Object.values(Arr.groupBy(all, ({ key_version }) => String(key_version)))
        const versions = byVersion.map(([{ key_version }]) => key_version).join()
        if (versions === confirmed) return Option.none()
        const known = byVersion.filter(([{ key_version }]) => cipher.has(key_version))
        const unread = yield* Effect.filter(known, ([{ key_version }]) => opensAny(key_version), { negate: true })
        // One row alone may have been altered, if others can be read.
        const wrong = Arr.findFirst(unread, ({ length }) => length > 1 || unread.length === known.length)
        if (Option.isNone(wrong)) confirmed = versions
        return Option.map(wrong, (rows) => refusal(rows[0].key_version, rows.length))
      }),

    /** Says what is wrong if nobody else could read what this process is about to write for these accounts. */
    writing: (ids: ReadonlySet<string>): Effect.Effect<Option.Option<string>, SqlError> =>
      Effect.gen(function*() {
        const { version } = cipher
        const [{ count, first, newest } = { count: 0, first: null, newest: null }] = yield* sql<Written>`SELECT
          count(*) FILTER (WHERE key_version = ${version})::int AS count,
          min(id) FILTER (WHERE key_version = ${version}) AS first, max(key_version) AS newest FROM ${table}`
        if (newest !== null && newest > version && !cipher.has(newest)) {
          return Option.some(`the one of version ${newest}, with which others encrypt, is missing here: ${compare}`)
        }
        // One that may have been altered is replaced.
        const isReplaced = count === 1 && first !== null && ids.has(first)
        return count === 0 || isReplaced || (yield* opensAny(version))
          ? Option.none()
          : Option.some(`${refusal(version, count)}. If that key is lost, give the new one a greater number`)
      })
  }
}

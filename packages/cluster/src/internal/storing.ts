/** Stores accounts with their keys encrypted. */
import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import { InvalidOption, unless } from "@mailstream/core/InvalidOption"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Changes from "./changes.ts"
import * as Cipher from "./cipher.ts"
import type { Entry } from "./entries.ts"
import * as Tables from "./tables.ts"

export interface Row {
  readonly id: string
  readonly base_url: string | null
  readonly key_version: number
  readonly api_key: string
}

/** An account as it is stored, without its key. */
export interface Stored {
  readonly id: string
  readonly baseUrl: string | undefined
  readonly version: number
}

/** How many accounts a statement adds: each has four parameters, of which PostgreSQL allows 65,535. */
const atOnce = 1000

export const ownerOf = ({ base_url, id }: Row) => ({ id, baseUrl: base_url ?? undefined })

/** Fails with what is wrong. */
export const open = (cipher: Cipher.Cipher, row: Row): Either.Either<Redacted.Redacted, string> =>
  cipher.open(ownerOf(row), { version: row.key_version, sealed: row.api_key })

/** Completes an account with the address that is stored for it, and says whether its key or its address is new. */
const completed = (cipher: Cipher.Cipher, { apiKey, baseUrl, id }: Entry, row: Row | undefined, option: string) =>
  Either.gen(function*() {
    if (row === undefined) return { id, baseUrl, apiKey, isNew: true }
    const stored = ownerOf(row).baseUrl
    const key = open(cipher, row)
    const why = cipher.has(row.key_version) ? "cannot be decrypted" : Cipher.unknown(row.key_version)
    // Somebody may have altered it, to be sent the key.
    yield* unless(
      Either.isRight(key) || baseUrl !== undefined || stored === undefined,
      option,
      `must be given for "${id}": its stored address cannot be verified, because its stored key ${why}`
    )
    const address = baseUrl ?? stored
    const isSame = Either.isRight(key) && Redacted.value(key.right) === Redacted.value(apiKey) && address === stored
    return { id, baseUrl: address, apiKey, isNew: !isSame }
  })

/** Says what is wrong if the workers could not read what is about to be written for these accounts. */
interface Probe {
  readonly writing: (ids: ReadonlySet<string>) => Effect.Effect<Option.Option<string>, SqlError>
}

/** Adds accounts, or replaces what is given of them: all, or none. Those whose key or address is new are due. */
export const make = (sql: SqlClient.SqlClient, names: Tables.Names, cipher: Cipher.Cipher, probe: Probe) => {
  const table = sql(names.keys)

  const insert = (accounts: ReadonlyArray<Entry>) => {
    const rows = accounts.map((account) => {
      const { sealed, version } = cipher.seal(account, account.apiKey)
      return { id: account.id, base_url: account.baseUrl ?? null, key_version: version, api_key: sealed }
    })
    return sql`INSERT INTO ${table} ${sql.insert(rows)}
      ON CONFLICT (id) DO UPDATE SET base_url = excluded.base_url, key_version = excluded.key_version,
        api_key = excluded.api_key, updated_at = now()`
  }

  /** `optionOf` names the address of an account in errors. */
  return (
    accounts: ReadonlyArray<Entry>,
    optionOf: (at: number) => string
  ): Effect.Effect<ReadonlyArray<Stored>, InvalidOption | SqlError> =>
    Effect.gen(function*() {
      // A key is bound to its address, which has to stay until both are written; rows that do not exist yet cannot be locked.
      yield* sql`LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`
      const problem = yield* probe.writing(new Set(accounts.map(({ id }) => id)))
      if (Option.isSome(problem)) {
        return yield* new InvalidOption({
          option: "keys",
          description: `must be those of the workers: ${problem.value}`
        })
      }
      const rows = yield* Effect.forEach(
        Arr.chunksOf(accounts, atOnce),
        (some) => sql<Row>`SELECT * FROM ${table} WHERE ${sql.in("id", some.map(({ id }) => id))}`
      )
      const byId = new Map(rows.flat().map((row) => [row.id, row]))
      const all = yield* Either.all(
        accounts.map((account, at) => completed(cipher, account, byId.get(account.id), optionOf(at)))
      )
      yield* Effect.forEach(Arr.chunksOf(all, atOnce), insert, { discard: true })
      const changed = all.filter(({ isNew }) => isNew).map(({ id }) => id)
      if (changed.length > 0 && (yield* Tables.exist(sql, names))) {
        // Also one that was removed, and is there again before workers have noticed.
        yield* Changes.change(sql, names, changed, Changes.due(sql), sql`true`)
      }
      return all.map(({ baseUrl, id }) => ({ id, baseUrl, version: cipher.version }))
    }).pipe(sql.withTransaction)
}

/**
 * Accounts in a table of the cluster's database, with their keys encrypted.
 *
 * A key is encrypted with AES-256-GCM under a key from the configuration, and bound to the account's id and base URL: a
 * row that is copied to another account, or gets another address, cannot be decrypted.
 *
 * @since 1.0.0
 */
import type { MigrationError } from "@effect/sql/Migrator"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { InvalidOption } from "@mailstream/core/InvalidOption"
import * as Migrations from "@mailstream/sql/Migrations"
import * as Postgres from "@mailstream/sql/Postgres"
import * as Arr from "effect/Array"
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { type Account, Accounts } from "./Accounts.ts"
import { AccountsError } from "./ClusterError.ts"
import { checked } from "./internal/checked.ts"
import * as Cipher from "./internal/cipher.ts"
import * as Entries from "./internal/entries.ts"
import * as Tables from "./internal/tables.ts"

/**
 * A key that API keys are encrypted with.
 *
 * @since 1.0.0
 * @category models
 */
export interface EncryptionKey {
  /** Stored with every API key that is encrypted with this one: an integer, 1 or greater. */
  readonly version: number
  /** 32 random bytes in Base64, as from `openssl rand -base64 32`. */
  readonly key: Redacted.Redacted
}

/**
 * @since 1.0.0
 * @category models
 */
export interface Options {
  /** The first one encrypts; the others only decrypt, until `rotate` has replaced them. */
  readonly keys: ReadonlyArray<EncryptionKey>
  /** What the names of all tables begin with, as for the worker; default: nothing. */
  readonly prefix?: string | undefined
}

/**
 * An account in the table, without its key.
 *
 * @since 1.0.0
 * @category models
 */
export interface Entry {
  readonly id: string
  readonly baseUrl: string | undefined
  /** The version of the key that its API key is encrypted with. */
  readonly version: number
}

/**
 * Changes the table. Workers notice within seconds.
 *
 * @since 1.0.0
 * @category services
 */
export class AccountsTable extends Context.Tag("@mailstream/cluster/AccountsTable")<AccountsTable, {
  /** Adds an account, or replaces its key and address. */
  readonly add: (account: Account) => Effect.Effect<void, InvalidOption | SqlError>
  /** Adds accounts, or replaces their keys and addresses: all of them, or none if one is invalid or appears twice. */
  readonly addAll: (accounts: ReadonlyArray<Account>) => Effect.Effect<void, InvalidOption | SqlError>
  /** Removes an account, and returns whether it was there. Its copy is kept. */
  readonly remove: (id: string) => Effect.Effect<boolean, SqlError>
  /** All accounts, in the order of their ids. */
  readonly list: Effect.Effect<ReadonlyArray<Entry>, SqlError>
  /** Encrypts every API key with the first encryption key, and returns how many were encrypted with another one. */
  readonly rotate: Effect.Effect<number, AccountsError | SqlError>
}>() {}

/** How many accounts a statement adds: each has four parameters, of which PostgreSQL allows 65,535. */
const atOnce = 1000

interface Row {
  readonly id: string
  readonly base_url: string | null
  readonly key_version: number
  readonly api_key: string
}

const make = (options: Options) =>
  Effect.gen(function*() {
    const client = Postgres.bounded(yield* SqlClient.SqlClient)
    const sql = client.withoutTransforms()
    const name = (yield* Tables.names(options)).keys
    const table = sql(name)
    const fail = (description: string) => new AccountsError({ source: name, description })
    const cipher = yield* Cipher.make(options.keys)
    yield* Migrations.run(`${name}_migrations`, {
      "0001_create": Effect.asVoid(sql`CREATE TABLE ${table} (
        id text PRIMARY KEY,
        base_url text,
        key_version integer NOT NULL,
        api_key text NOT NULL,
        updated_at timestamptz NOT NULL DEFAULT now()
      )`)
    }).pipe(Effect.provideService(SqlClient.SqlClient, client))

    const ownerOf = ({ base_url, id }: Row) => ({ id, baseUrl: base_url ?? undefined })
    const open = (row: Row) =>
      Either.mapLeft(
        cipher.open(ownerOf(row), { version: row.key_version, sealed: row.api_key }),
        (description) => fail(`the key of "${row.id}" ${description}`)
      )

    const insert = (accounts: ReadonlyArray<Account>) => {
      const rows = accounts.map((account) => {
        const { sealed, version } = cipher.seal(account, account.apiKey)
        return { id: account.id, base_url: account.baseUrl ?? null, key_version: version, api_key: sealed }
      })
      return sql`INSERT INTO ${table} ${sql.insert(rows)}
        ON CONFLICT (id) DO UPDATE SET base_url = excluded.base_url, key_version = excluded.key_version,
          api_key = excluded.api_key, updated_at = now()`
    }

    const rotateOne = (row: Row) =>
      Effect.gen(function*() {
        const { sealed, version } = cipher.seal(ownerOf(row), yield* open(row))
        // An account that was replaced in the meantime has been encrypted with the first key already.
        return yield* sql`UPDATE ${table} SET key_version = ${version}, api_key = ${sealed}, updated_at = now()
          WHERE id = ${row.id} AND api_key = ${row.api_key} RETURNING id`
      })

    const unavailable = (error: SqlError) => fail(`cannot be read: ${Tables.reasonOf(error)}`)
    return Context.make(AccountsTable, {
      add: (account) => Effect.zipRight(Entries.check(account), Effect.asVoid(insert([account]))),
      addAll: (accounts) =>
        Effect.zipRight(
          Entries.index(accounts, "accounts"),
          sql.withTransaction(Effect.forEach(Arr.chunksOf(accounts, atOnce), insert, { discard: true }))
        ),
      remove: (id) => Effect.map(sql`DELETE FROM ${table} WHERE id = ${id} RETURNING id`, (rows) => rows.length > 0),
      list: Effect.map(
        sql<Row>`SELECT id, base_url, key_version FROM ${table} ORDER BY id`,
        (rows) => rows.map((row): Entry => ({ ...ownerOf(row), version: row.key_version }))
      ),
      rotate: sql<Row>`SELECT * FROM ${table} WHERE key_version <> ${cipher.version} ORDER BY id`.pipe(
        Effect.flatMap((rows) => Effect.forEach(rows, rotateOne)),
        Effect.map((rotated) => rotated.flat().length)
      )
    }).pipe(Context.add(Accounts, {
      ids: Effect.mapBoth(sql<Pick<Row, "id">>`SELECT id FROM ${table}`, {
        onFailure: unavailable,
        onSuccess: (rows) => rows.map(({ id }) => id)
      }),
      find: (id) =>
        Effect.gen(function*() {
          const [row] = yield* Effect.mapError(sql<Row>`SELECT * FROM ${table} WHERE id = ${id}`, unavailable)
          if (row === undefined) return Option.none()
          return Option.some<Account>({ ...ownerOf(row), apiKey: yield* open(row) })
        })
    }))
  })

/**
 * The accounts in the table, which is created if it does not exist, and the functions that change it.
 *
 * @since 1.0.0
 * @category layers
 */
export const layer = (
  options: Options
): Layer.Layer<AccountsTable | Accounts, InvalidOption | SqlError | MigrationError, SqlClient.SqlClient> =>
  Layer.effectContext(make(options))

const keysVariable: Config.Config<ReadonlyArray<EncryptionKey>> = checked(
  "MAILSTREAM_ENCRYPTION_KEYS",
  // A nested `ConfigProvider` would cut a text after its first comma.
  Config.array(Config.string()),
  (parts) => {
    const keys = parts.map((part): EncryptionKey => {
      const [version = "", ...key] = part.split(":")
      return { version: Number(version), key: Redacted.make(key.join(":")) }
    })
    return Either.map(Cipher.make(keys), () => keys)
  },
  ({ message }) => message
)

/**
 * The same, configured. Without `keys`, the encryption keys are those in `MAILSTREAM_ENCRYPTION_KEYS=2:BASE64,1:BASE64`: the
 * numbers are the versions, and the first key encrypts. Make one with `openssl rand -base64 32`.
 *
 * @since 1.0.0
 * @category layers
 */
export const layerConfig = (
  options: Config.Config.Wrap<Partial<Options>> = {}
): Layer.Layer<
  AccountsTable | Accounts,
  ConfigError | InvalidOption | SqlError | MigrationError,
  SqlClient.SqlClient
> =>
  Layer.unwrapEffect(Effect.gen(function*() {
    if (Config.isConfig(options)) {
      const given = yield* options
      return layer({ ...given, keys: given.keys ?? (yield* keysVariable) })
    }
    // `Config.unwrap` fails if there is nothing to unwrap, or an `undefined`.
    const { keys = keysVariable, prefix = Config.succeed(undefined) } = options
    return layer({ keys: (yield* keys) ?? (yield* keysVariable), prefix: yield* prefix })
  }))

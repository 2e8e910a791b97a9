/**
 * Accounts in a table of the cluster's database, with their keys encrypted.
 *
 * A key is encrypted with AES-256-GCM under a key from the configuration, and bound to the account's id and base URL: a
 * row that is copied to another account, or gets another address, cannot be decrypted.
 *
 * A worker whose encryption key decrypts none of the API keys that were encrypted with its version has another key than the others, and
 * does not start: every account that it claimed would fail. For the same reason, accounts are not added with such a key.
 *
 * @since 1.0.0
 */
import type { MigrationError } from "@effect/sql/Migrator"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { InvalidOption } from "@mailstream/core/InvalidOption"
import * as Availability from "@mailstream/sql/Availability"
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
import * as Probing from "./internal/probing.ts"
import * as Storing from "./internal/storing.ts"
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
 * An account without a `baseUrl` keeps the address that is stored for it: a key that is replaced goes nowhere else. To go back to the
 * worker's `baseUrl`, remove the account and add it again. If the stored key cannot be decrypted, its address may have been altered: then a
 * `baseUrl` has to be given.
 *
 * Accounts are refused if the encryption key decrypts none of those that were added with its version, or if it is older than the newest one:
 * the workers could not decrypt them.
 *
 * An account whose key or address is new is due at once, as with `Control.syncNow`, even if it waits after a failure.
 *
 * @since 1.0.0
 * @category services
 */
export class AccountsTable extends Context.Tag("@mailstream/cluster/AccountsTable")<AccountsTable, {
  /** Adds an account, or replaces its key, and its address if one is given. Returns what is stored. */
  readonly add: (account: Account) => Effect.Effect<Entry, InvalidOption | SqlError>
  /** Does the same for all of these accounts, or for none if one is invalid or appears twice. */
  readonly addAll: (accounts: ReadonlyArray<Account>) => Effect.Effect<ReadonlyArray<Entry>, InvalidOption | SqlError>
  /** Removes an account, and returns whether it was there. Its copy is kept. */
  readonly remove: (id: string) => Effect.Effect<boolean, SqlError>
  /** All accounts, in the order of their ids. */
  readonly list: Effect.Effect<ReadonlyArray<Entry>, SqlError>
  /** Encrypts every API key with the first encryption key, and returns how many were encrypted with another one. */
  readonly rotate: Effect.Effect<number, AccountsError | SqlError>
}>() {}

const make = (options: Options) =>
  Effect.gen(function*() {
    const client = Postgres.bounded(yield* SqlClient.SqlClient)
    const sql = client.withoutTransforms()
    const names = yield* Tables.names(options)
    const name = names.keys
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

    const open = (row: Storing.Row) =>
      Either.mapLeft(
        Storing.open(cipher, row),
        (description) => fail(`the key of "${row.id}" ${description}`)
      )

    const probe = Probing.make(sql, names, cipher)
    const store = Storing.make(sql, names, cipher, probe)

    const rotateOne = (row: Storing.Row) =>
      Effect.gen(function*() {
        const { sealed, version } = cipher.seal(Storing.ownerOf(row), yield* open(row))
        // An account that was replaced in the meantime has been encrypted with the first key already.
        return yield* sql`UPDATE ${table} SET key_version = ${version}, api_key = ${sealed}, updated_at = now()
          WHERE id = ${row.id} AND api_key = ${row.api_key} RETURNING id`
      })

    const unavailable = (error: SqlError) =>
      new AccountsError({
        source: name,
        description: `cannot be read: ${Tables.reasonOf(error)}`,
        isTransient: Availability.isUnavailable(error)
      })
    return Context.make(AccountsTable, {
      add: (account) =>
        Effect.zipRight(
          Entries.check(account),
          Effect.map(store([account], () => "baseUrl"), Arr.unsafeGet(0))
        ),
      addAll: (accounts) =>
        Effect.zipRight(
          Entries.index(accounts, "accounts"),
          store(accounts, (at) => `accounts[${at}].baseUrl`)
        ),
      remove: (id) => Effect.map(sql`DELETE FROM ${table} WHERE id = ${id} RETURNING id`, (rows) => rows.length > 0),
      list: Effect.map(
        sql<Storing.Row>`SELECT id, base_url, key_version FROM ${table} ORDER BY id`,
        (rows) => rows.map((row): Entry => ({ ...Storing.ownerOf(row), version: row.key_version }))
      ),
      rotate: sql<Storing.Row>`SELECT * FROM ${table} WHERE key_version <> ${cipher.version} ORDER BY id`.pipe(
        Effect.flatMap((rows) => Effect.forEach(rows, rotateOne)),
        Effect.map((rotated) => rotated.flat().length)
      )
    }).pipe(Context.add(Accounts, {
      ids: Effect.gen(function*() {
        const read = sql<Pick<Storing.Row, "id" | "key_version">>`SELECT id, key_version FROM ${table} ORDER BY id`
        const rows = yield* Effect.mapError(read, unavailable)
        const problem = yield* Effect.mapError(probe.reading(rows), unavailable)
        return Option.isSome(problem) ? yield* fail(problem.value) : rows.map(({ id }) => id)
      }),
      find: (id) =>
        Effect.gen(function*() {
          const [row] = yield* Effect.mapError(sql<Storing.Row>`SELECT * FROM ${table} WHERE id = ${id}`, unavailable)
          if (row === undefined) return Option.none()
          return Option.some<Account>({ ...Storing.ownerOf(row), apiKey: yield* open(row) })
        }),
      source: name
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

/** The tables of the store. */
import type { MigrationError } from "@effect/sql/Migrator"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { Fragment } from "@effect/sql/Statement"
import * as Migrations from "@mailstream/sql/Migrations"
import * as Effect from "effect/Effect"
import * as Account from "../Account.ts"

/**
 * The tables before there were accounts.
 *
 * - `items`: the items of every list. `seq` is the item's place in the list; `live` is 0 once the item is deleted.
 * - `members`: the contacts of each segment, with their places in the segment.
 * - `counters`: the last place taken in each list. Taking places locks the list's row until the transaction ends, so
 *   places become visible in order even when several processes insert.
 * - `secrets`: the hashes of the API keys.
 */
const create = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE mailstream_items (
    list TEXT NOT NULL,
    seq BIGINT NOT NULL,
    id TEXT NOT NULL,
    live INTEGER NOT NULL,
    json TEXT,
    PRIMARY KEY (list, id)
  )`
  // Partial, so that deleted items cost a page nothing.
  yield* sql`CREATE UNIQUE INDEX mailstream_items_live ON mailstream_items (list, seq) WHERE live = 1`
  yield* sql`CREATE TABLE mailstream_members (
    segment TEXT NOT NULL,
    seq BIGINT NOT NULL,
    contact TEXT NOT NULL,
    live INTEGER NOT NULL,
    PRIMARY KEY (segment, contact)
  )`
  yield* sql`CREATE UNIQUE INDEX mailstream_members_live ON mailstream_members (segment, seq) WHERE live = 1`
  yield* sql`CREATE INDEX mailstream_members_contact ON mailstream_members (contact)`
  yield* sql`CREATE TABLE mailstream_counters (list TEXT NOT NULL PRIMARY KEY, seq BIGINT NOT NULL)`
  yield* sql`CREATE TABLE mailstream_secrets (
    prefix TEXT NOT NULL,
    hash TEXT NOT NULL PRIMARY KEY,
    id TEXT NOT NULL
  )`
  yield* sql`CREATE INDEX mailstream_secrets_prefix ON mailstream_secrets (prefix)`
})

/** The account becomes part of every key. What is already there belongs to the default account. */
const addAccounts = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const account = sql.literal(`account TEXT NOT NULL DEFAULT '${Account.defaultId}'`)

  /** SQLite cannot change the primary key of a table, so that its rows move to another one. */
  const replace = (table: string, definition: Fragment, columns: ReadonlyArray<string>) =>
    Effect.gen(function*() {
      const former = `${table}_without_account`
      const names = sql.csv(columns.map((column) => sql`${sql(column)}`))
      yield* sql`ALTER TABLE ${sql(table)} RENAME TO ${sql(former)}`
      yield* sql`CREATE TABLE ${sql(table)} (${account}, ${definition})`
      yield* sql`INSERT INTO ${sql(table)} (${names}) SELECT ${names} FROM ${sql(former)}`
      yield* sql`DROP TABLE ${sql(former)}`
    })

  for (const index of ["items_live", "members_live", "members_contact"]) {
    yield* sql`DROP INDEX ${sql(`mailstream_${index}`)}`
  }
  yield* replace(
    "mailstream_items",
    sql`list TEXT NOT NULL, seq BIGINT NOT NULL, id TEXT NOT NULL, live INTEGER NOT NULL, json TEXT,
      PRIMARY KEY (account, list, id)`,
    ["list", "seq", "id", "live", "json"]
  )
  yield* sql`CREATE UNIQUE INDEX mailstream_items_live ON mailstream_items (account, list, seq) WHERE live = 1`
  yield* replace(
    "mailstream_members",
    sql`segment TEXT NOT NULL, seq BIGINT NOT NULL, contact TEXT NOT NULL, live INTEGER NOT NULL,
      PRIMARY KEY (account, segment, contact)`,
    ["segment", "seq", "contact", "live"]
  )
  yield* sql`CREATE UNIQUE INDEX mailstream_members_live ON mailstream_members (account, segment, seq) WHERE live = 1`
  yield* sql`CREATE INDEX mailstream_members_contact ON mailstream_members (account, contact)`
  yield* replace(
    "mailstream_counters",
    sql`list TEXT NOT NULL, seq BIGINT NOT NULL, PRIMARY KEY (account, list)`,
    ["list", "seq"]
  )
  yield* sql`ALTER TABLE mailstream_secrets ADD COLUMN ${account}`
})

/** Migrates a database to the current schema. */
export const run: Effect.Effect<void, SqlError | MigrationError, SqlClient.SqlClient> = Migrations.run(
  "mailstream_migrations",
  { "0001_create": create, "0002_accounts": addAccounts }
)

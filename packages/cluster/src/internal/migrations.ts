/** How the tables came to be what they are. A table that a newer version has changed is refused. */
import type { MigrationError } from "@effect/sql/Migrator"
import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Migrations from "@mailstream/sql/Migrations"
import * as Effect from "effect/Effect"
import type * as Tables from "./tables.ts"

/** An account's first turn has the time as its number: one that is removed and added again repeats no number. */
const create = (sql: SqlClient.SqlClient, name: string): Effect.Effect<void, SqlError> =>
  Effect.gen(function*() {
    const table = sql(name)
    yield* sql`CREATE TABLE ${table} (
      id text PRIMARY KEY,
      turn bigint NOT NULL DEFAULT floor(extract(epoch FROM clock_timestamp()) * 1000),
      next_at timestamptz NOT NULL DEFAULT now(),
      notified_at timestamptz,
      runner text,
      yields integer NOT NULL DEFAULT 0,
      attempts integer NOT NULL DEFAULT 0,
      is_working boolean NOT NULL DEFAULT false,
      last_started timestamptz,
      last_finished timestamptz,
      last_succeeded timestamptz,
      last_error text
    )`
    yield* sql`CREATE INDEX ${sql(`${name}_due`)} ON ${table} (next_at) WHERE notified_at IS NULL`
    yield* sql`CREATE INDEX ${sql(`${name}_notified`)} ON ${table} (notified_at) WHERE notified_at IS NOT NULL`
    yield* sql`CREATE INDEX ${sql(`${name}_failing`)} ON ${table} (attempts) WHERE attempts > 0`
    yield* sql`CREATE INDEX ${sql(`${name}_age`)} ON ${table} (last_succeeded NULLS FIRST)`
  })

const history = (
  sql: SqlClient.SqlClient,
  { accounts, passes, workers }: Tables.Names
): Effect.Effect<void, SqlError> =>
  Effect.all([
    sql`ALTER TABLE ${sql(accounts)} ADD COLUMN shard text`,
    sql`CREATE TABLE ${sql(passes)} (
      slot timestamptz NOT NULL,
      address text NOT NULL,
      completed integer NOT NULL,
      failed integer NOT NULL,
      PRIMARY KEY (slot, address)
    )`,
    sql`CREATE TABLE ${sql(workers)} (
      address text PRIMARY KEY,
      seen_at timestamptz NOT NULL,
      up_for double precision NOT NULL,
      every double precision NOT NULL,
      max_accounts integer NOT NULL
    )`
  ], { discard: true })

/** What workers of earlier versions were told by `@effect/cluster`. */
const engineTables = ["locks", "runners", "replies", "messages", "migrations"]

/**
 * Workers claim accounts in the table, and tell each other nothing. Those of an earlier version, which do not find their columns any more,
 * stop when their locks expire: what they had in progress is left alone until then.
 */
const claims = (sql: SqlClient.SqlClient, names: Tables.Names): Effect.Effect<void, SqlError> =>
  Effect.gen(function*() {
    const [accounts, passes, workers] = [sql(names.accounts), sql(names.passes), sql(names.workers)]
    // The tables of somebody else's cluster may have the same names.
    const [others] = yield* sql<{ readonly exist: boolean }>`SELECT EXISTS (SELECT FROM ${workers}) AS exist`
    if (others?.exist === true) {
      yield* Effect.forEach(
        engineTables,
        (name) => sql`DROP TABLE IF EXISTS ${sql(names.workers.replace(/workers$/, name))}`,
        { discard: true }
      )
    }
    yield* sql`UPDATE ${accounts} SET next_at = now() + interval '1 minute' WHERE runner IS NOT NULL`
    yield* sql`ALTER TABLE ${accounts} DROP COLUMN notified_at, DROP COLUMN runner, DROP COLUMN is_working, DROP COLUMN shard,
      ADD COLUMN kind text NOT NULL DEFAULT 'new' CHECK (kind IN ('short', 'new', 'long')),
      ADD COLUMN spent double precision NOT NULL DEFAULT 0,
      ADD COLUMN worker uuid,
      ADD COLUMN claimed_at timestamptz,
      ADD COLUMN asked_at timestamptz,
      ADD COLUMN paused_at timestamptz,
      ADD COLUMN removed_at timestamptz`
    yield* sql`UPDATE ${accounts} SET
      kind = CASE WHEN yields > 0 OR last_finished - last_started > interval '30 seconds' THEN 'long' ELSE 'short' END
      WHERE last_succeeded IS NOT NULL`
    yield* sql`CREATE INDEX ${sql(`${names.accounts}_due`)} ON ${accounts} (kind, next_at)
      WHERE worker IS NULL AND paused_at IS NULL AND removed_at IS NULL`
    yield* sql`CREATE INDEX ${sql(`${names.accounts}_worker`)} ON ${accounts} (worker) WHERE worker IS NOT NULL`
    yield* sql`CREATE INDEX ${
      sql(`${names.accounts}_removed`)
    } ON ${accounts} (removed_at) WHERE removed_at IS NOT NULL`
    yield* sql`ALTER TABLE ${passes} RENAME COLUMN address TO worker`
    yield* sql`DROP TABLE ${workers}`
    yield* sql`CREATE TABLE ${workers} (
      id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
      name text NOT NULL,
      version text NOT NULL,
      lease double precision NOT NULL,
      alive_until timestamptz NOT NULL,
      joined_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      gone_at timestamptz,
      has_left boolean NOT NULL DEFAULT false,
      up_for double precision NOT NULL,
      every double precision NOT NULL,
      max_accounts integer NOT NULL
    )`
  })

/**
 * Whether a pass has begun that has not ended, what the next pass may delete (`max_deleted`) and what this one may (`granted`), what became
 * of the last passes, and how many requests there were. The passes are apart from the row of the account, which is read and written far
 * more often.
 */
const recent = (sql: SqlClient.SqlClient, names: Tables.Names): Effect.Effect<void, SqlError> =>
  Effect.all([
    sql`ALTER TABLE ${sql(names.accounts)} ADD COLUMN max_deleted double precision, ADD COLUMN granted double precision,
      ADD COLUMN in_pass boolean NOT NULL DEFAULT false`,
    sql`UPDATE ${sql(names.accounts)} SET in_pass = yields > 0 AND last_started IS NOT NULL`,
    sql`ALTER TABLE ${sql(names.accounts)} DROP COLUMN yields`,
    sql`CREATE TABLE ${sql(names.history)} (id text PRIMARY KEY, passes jsonb NOT NULL)`,
    sql`ALTER TABLE ${sql(names.passes)} ADD COLUMN requests integer NOT NULL DEFAULT 0`
  ], { discard: true })

export const run = (
  client: SqlClient.SqlClient,
  names: Tables.Names
): Effect.Effect<void, SqlError | MigrationError, SqlClient.SqlClient> => {
  const sql = client.withoutTransforms()
  return Migrations.run(`${names.accounts}_migrations`, {
    "0001_create": create(sql, names.accounts),
    "0002_history": history(sql, names),
    "0003_claims": claims(sql, names),
    "0004_recent": recent(sql, names)
  })
}

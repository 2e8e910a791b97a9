/** Creates the tables, and adds what newer versions of the library know. */
import type { MigrationError } from "@effect/sql/Migrator"
import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { Fragment, Statement } from "@effect/sql/Statement"
import * as Availability from "@mailstream/sql/Availability"
import * as Migrations from "@mailstream/sql/Migrations"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { TableInUse } from "../MirrorError.ts"
import * as Columns from "./columns.ts"
import type { Database, Query } from "./database.ts"
import type { Table } from "./tables.ts"

/**
 * - `mirror_lists`: one row per account and list. Its `version` changes with every commit, so that of two processes only
 *   one can continue. Its `clock` is the time of the last commit.
 * - `mirror_seen`: the rows that the current pass has seen.
 * - `mirror_digests`: what a complete list consisted of after its last pass, in a form that is quickly compared.
 * - `mirror_changes`: what changed, in order. `after` is null as long as the row itself still holds it.
 * - `mirror_consumers`: up to where each consumer has committed the changes, and what it has committed beyond.
 * - `mirror_tables`: the tables that this copy has created.
 * - `mirror_asked`: the owners that have been asked for items that neither come nor go.
 */
const own = ({ isPostgres, name, sql }: Database): ReadonlyArray<Statement<object>> => {
  const json = sql.literal(isPostgres ? "jsonb" : "TEXT")
  const time = sql.literal(isPostgres ? "timestamptz" : "TEXT")
  /** A table whose rows belong to a list of an account. */
  const perList = (table: string, key: string, columns: Fragment) =>
    sql`CREATE TABLE ${name(table)} (
      account TEXT NOT NULL,
      list TEXT NOT NULL,
      ${columns},
      PRIMARY KEY (account, list${sql.literal(key)})
    )`
  return [
    perList(
      "mirror_lists",
      "",
      sql`
      service TEXT,
      version BIGINT NOT NULL,
      ordinals BIGINT NOT NULL,
      changes BIGINT NOT NULL,
      newest TEXT NOT NULL,
      pass TEXT,
      last_pass TEXT,
      completed_at ${time},
      error TEXT`
    ),
    perList("mirror_seen", ", block", sql`block BIGINT NOT NULL, bits TEXT NOT NULL`),
    perList(
      "mirror_digests",
      ", first",
      sql`
      first TEXT NOT NULL,
      digest TEXT NOT NULL,
      ordinals TEXT NOT NULL,
      lowest BIGINT NOT NULL,
      highest BIGINT NOT NULL`
    ),
    sql`${
      perList(
        "mirror_changes",
        ", seq",
        sql`
      seq BIGINT NOT NULL,
      kind TEXT NOT NULL,
      owner TEXT NOT NULL,
      id TEXT NOT NULL,
      before ${json},
      after ${json},
      at ${time} NOT NULL`
      )
    } ${sql.literal(isPostgres ? "" : "WITHOUT ROWID")}`,
    perList("mirror_consumers", ", consumer", sql`consumer TEXT NOT NULL, seq BIGINT NOT NULL, done TEXT NOT NULL`),
    sql`CREATE TABLE ${name("mirror_tables")} (name TEXT NOT NULL PRIMARY KEY)`,
    perList("mirror_asked", ", owner", sql`owner TEXT NOT NULL`)
  ]
}

const create = (database: Database): Query<void> =>
  Effect.gen(function*() {
    const { isPostgres, name, run, sql } = database
    yield* Effect.forEach(own(database), run, { discard: true })
    if (isPostgres) {
      // The text has an offset, so that the result does not depend on the session. What PostgreSQL has no value for, such as the
      // year 0 or an offset of 23 hours, is null.
      yield* run(
        sql`CREATE FUNCTION ${name("mirror_timestamp")} (text) RETURNS timestamptz LANGUAGE plpgsql IMMUTABLE STRICT
        AS $$ BEGIN RETURN $1::timestamptz; EXCEPTION WHEN data_exception THEN RETURN NULL; END $$`
      )
    }
  })

/**
 * Drops the columns of points in time from the tables of older versions, in which SQLite did not convert those of other zones to UTC.
 * They are computed, and created again like any column that is missing. If other things depend on one, the table stays as it is.
 */
const dropTimes = (database: Database, tables: ReadonlyArray<Table>): Query<void> => {
  const { isPostgres, name, run, sql, transaction } = database
  const drop = (table: Table) =>
    Effect.gen(function*() {
      const { existing, isOwn } = yield* lookUp(database, table)
      const times = table.columns.filter((column) => column.type === "timestamp" && existing.has(column.name))
      if (!isOwn || times.length === 0) return
      yield* run(sql`DROP VIEW IF EXISTS ${name(`current_${table.table}`)}`)
      yield* Effect.forEach(
        times,
        (column) => run(sql`ALTER TABLE ${name(table.table)} DROP COLUMN ${sql(column.name)}`)
      )
    })
  const warn = (table: Table) => (error: SqlError) =>
    Effect.logWarning(
      `The table ${table.table} still has points in time in other zones than UTC, because something depends on its columns`,
      error.cause
    )
  return isPostgres
    ? Effect.void
    : Effect.forEach(tables, (table) => Effect.catchAll(transaction(drop(table)), warn(table)), { discard: true })
}

/**
 * Older versions wrote times by the clocks of their processes. Each list goes on after its last change, unless that clock was wrong by
 * more than a minute: then what comes is right again, and what there is stays.
 */
const addClock = (database: Database): Query<void> =>
  Effect.gen(function*() {
    const { isPostgres, name, run, sql } = database
    const lists = name("mirror_lists")
    const now = yield* database.now
    const latest = isPostgres
      ? sql`${now} + interval '1 minute'`
      : sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${now}, '+1 minute')`
    yield* run(sql`ALTER TABLE ${lists} ADD COLUMN clock ${sql.literal(isPostgres ? "timestamptz" : "TEXT")}`)
    yield* run(sql`UPDATE ${lists} AS l SET clock = ${sql.literal(isPostgres ? "LEAST" : "min")}(${latest}, COALESCE((
        SELECT c.at FROM ${name("mirror_changes")} c WHERE c.account = l.account AND c.list = l.list
        ORDER BY c.seq DESC LIMIT 1
      ), ${now}))`)
  })

/** For the rows that are marked as deleted, which are few. */
const indexDeleted = ({ name, naming: { prefix }, run, sql }: Database, table: Table): Query<void> =>
  run(
    sql`CREATE INDEX IF NOT EXISTS ${sql(`${prefix}${table.table}_deleted`)} ON ${
      name(table.table)
    } (account, deleted_at)
          WHERE deleted_at IS NOT NULL`
  )

/** Tables of older versions have no such index. */
const addIndexes = (database: Database, tables: ReadonlyArray<Table>): Query<void> =>
  Effect.forEach(tables, (table) =>
    Effect.flatMap(
      lookUp(database, table),
      ({ existing, isOwn }) => isOwn && existing.size > 0 ? indexDeleted(database, table) : Effect.void
    ), { discard: true })

/** Creates whatever is missing. If nothing is, no permission to write is needed, and nobody has to wait. */
export const ensure = (
  database: Database,
  tables: ReadonlyArray<Table>
): Effect.Effect<void, SqlError | MigrationError | TableInUse, SqlClient.SqlClient> =>
  Effect.gen(function*() {
    const { atLength, isPostgres, name, naming, run, sql, transaction } = database
    const { prefix, schema } = naming
    const done = `${schema === undefined ? "" : `${schema}.`}${prefix}mirror_migrations`
    const migrations = {
      "0001_create": create(database),
      "0002_utc": dropTimes(database, tables),
      "0003_clock": addClock(database),
      "0004_deleted": addIndexes(database, tables)
    }
    const isComplete = (table: Table) =>
      Effect.map(lookUp(database, table), ({ isOwn, missing }) => isOwn && missing.length === 0)
    if ((yield* Migrations.areDone(done, migrations)) && (yield* Effect.every(tables, isComplete))) return
    if (schema !== undefined) {
      const isRefused = (error: SqlError) => !Availability.isUnavailable(error)
      yield* Effect.retry(run(sql`CREATE SCHEMA IF NOT EXISTS ${sql(schema)}`), { while: isRefused, times: 3 })
    }
    yield* Migrations.run(done, migrations)
    yield* atLength(transaction(Effect.gen(function*() {
      // One process at a time; SQLite keeps writers apart by itself.
      if (isPostgres) yield* run(sql`LOCK TABLE ${name("mirror_lists")} IN SHARE ROW EXCLUSIVE MODE`)
      yield* Effect.forEach(tables, (table) => ensureTable(database, table), { discard: true })
    })))
  })

const Named = Schema.Struct({ name: Schema.String })

/** What there is of a table. */
const lookUp = (database: Database, table: Table) =>
  Effect.gen(function*() {
    const { name, read, sql } = database
    const existing = yield* columnsIn(database, table.table)
    const own = yield* read(Named, sql`SELECT name FROM ${name("mirror_tables")} WHERE name = ${table.table}`)
    return {
      existing,
      isOwn: own.length > 0,
      missing: table.columns.filter((column) => !existing.has(column.name))
    }
  })

const ensureTable = (database: Database, table: Table): Effect.Effect<void, SqlError | TableInUse> =>
  Effect.gen(function*() {
    const { name, naming: { prefix }, run, sql } = database
    const { existing, isOwn, missing } = yield* lookUp(database, table)
    if (existing.size > 0 && !isOwn) return yield* new TableInUse({ table: `${prefix}${table.table}` })
    if (existing.size === 0) {
      const view = `current_${table.table}`
      if ((yield* columnsIn(database, view)).size > 0) return yield* new TableInUse({ table: `${prefix}${view}` })
      yield* run(Columns.createTable(database, table))
      if (!isOwn) yield* run(sql`INSERT INTO ${name("mirror_tables")} (name) VALUES (${table.table})`)
      yield* run(
        sql`CREATE INDEX ${sql(`${prefix}${table.table}_ordinal`)} ON ${name(table.table)} (account, ordinal)
            WHERE deleted_at IS NULL`
      )
      yield* indexDeleted(database, table)
      if (database.isPostgres) yield* run(Columns.comment(database, table))
    } else {
      yield* Effect.forEach(missing, (column) => run(Columns.addColumn(database, table, column)), { discard: true })
    }
    if (missing.length > 0 || existing.size === 0) {
      const known = [...existing].filter((name) => table.columns.some((column) => column.name === name))
      yield* replaceView(database, table, [...known, ...missing.map((column) => column.name)])
    }
  })

/** The names of the columns, in the order of the table; none if there is no such table. */
export const columnsIn = (
  { isPostgres, naming: { prefix, schema }, read, sql }: Database,
  table: string
): Query<ReadonlySet<string>> => {
  const name = `${prefix}${table}`
  const columns = isPostgres
    ? sql`SELECT attname AS name FROM pg_attribute
          WHERE attrelid = to_regclass(format('%I.%I', COALESCE(CAST(${
      schema ?? null
    } AS text), current_schema()), CAST(${name} AS text)))
            AND attnum > 0 AND NOT attisdropped
          ORDER BY attnum`
    : sql`SELECT name FROM pragma_table_xinfo(${name}) ORDER BY cid`
  return Effect.map(read(Named, columns), (rows) => new Set(rows.map(({ name }) => name)))
}

/** The view of what currently exists. New columns come last, so that PostgreSQL can replace it. */
const replaceView = (
  { isPostgres, name, run, sql }: Database,
  table: Table,
  fields: ReadonlyArray<string>
): Query<void> => {
  const view = name(`current_${table.table}`)
  const columns = [
    "account",
    ...(table.owner === undefined ? [] : [table.owner.column]),
    table.id,
    "json",
    "first_seen_at",
    "changed_at",
    ...fields
  ].map((column) => sql`${sql(column)}`)
  const select = sql`SELECT ${sql.csv(columns)} FROM ${name(table.table)} WHERE deleted_at IS NULL`
  return isPostgres
    ? run(sql`CREATE OR REPLACE VIEW ${view} AS ${select}`)
    : Effect.zipRight(run(sql`DROP VIEW IF EXISTS ${view}`), run(sql`CREATE VIEW ${view} AS ${select}`))
}

/** Creates the tables, and adds what newer versions of the library know. */
import type { MigrationError } from "@effect/sql/Migrator"
import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Migrations from "@mailstream/sql/Migrations"
import * as Effect from "effect/Effect"
import { TableInUse } from "../MirrorError.ts"
import { type Database, quote } from "./database.ts"
import type { Column, ColumnType, Table } from "./tables.ts"

/**
 * - `mirror_lists`: one row per account and list. Its `version` changes with every commit, so that of two processes only
 *   one can continue.
 * - `mirror_seen`: the rows that the current pass has seen.
 * - `mirror_digests`: what a complete list consisted of after its last pass, in a form that is quickly compared.
 * - `mirror_changes`: what changed, in order. `after` is null as long as the row itself still holds it.
 * - `mirror_consumers`: up to where each consumer has committed the changes, and what it has committed beyond.
 * - `mirror_tables`: the tables that this copy has created.
 * - `mirror_asked`: the owners that have been asked for items that neither come nor go.
 */
const create = (database: Database): Effect.Effect<void, SqlError> => {
  const { isPostgres, name, run } = database
  const json = isPostgres ? "jsonb" : "TEXT"
  const time = isPostgres ? "timestamptz" : "TEXT"
  return Effect.gen(function*() {
    yield* run(`CREATE TABLE ${name("mirror_lists")} (
      account TEXT NOT NULL,
      list TEXT NOT NULL,
      service TEXT,
      version BIGINT NOT NULL,
      ordinals BIGINT NOT NULL,
      changes BIGINT NOT NULL,
      newest TEXT NOT NULL,
      pass TEXT,
      last_pass TEXT,
      completed_at ${time},
      error TEXT,
      PRIMARY KEY (account, list)
    )`)
    yield* run(`CREATE TABLE ${name("mirror_seen")} (
      account TEXT NOT NULL,
      list TEXT NOT NULL,
      block BIGINT NOT NULL,
      bits TEXT NOT NULL,
      PRIMARY KEY (account, list, block)
    )`)
    yield* run(`CREATE TABLE ${name("mirror_digests")} (
      account TEXT NOT NULL,
      list TEXT NOT NULL,
      first TEXT NOT NULL,
      digest TEXT NOT NULL,
      ordinals TEXT NOT NULL,
      lowest BIGINT NOT NULL,
      highest BIGINT NOT NULL,
      PRIMARY KEY (account, list, first)
    )`)
    yield* run(`CREATE TABLE ${name("mirror_changes")} (
      account TEXT NOT NULL,
      list TEXT NOT NULL,
      seq BIGINT NOT NULL,
      kind TEXT NOT NULL,
      owner TEXT NOT NULL,
      id TEXT NOT NULL,
      before ${json},
      after ${json},
      at ${time} NOT NULL,
      PRIMARY KEY (account, list, seq)
    )${isPostgres ? "" : " WITHOUT ROWID"}`)
    yield* run(`CREATE TABLE ${name("mirror_consumers")} (
      account TEXT NOT NULL,
      list TEXT NOT NULL,
      consumer TEXT NOT NULL,
      seq BIGINT NOT NULL,
      done TEXT NOT NULL,
      PRIMARY KEY (account, list, consumer)
    )`)
    yield* run(`CREATE TABLE ${name("mirror_tables")} (name TEXT NOT NULL PRIMARY KEY)`)
    yield* run(`CREATE TABLE ${name("mirror_asked")} (
      account TEXT NOT NULL,
      list TEXT NOT NULL,
      owner TEXT NOT NULL,
      PRIMARY KEY (account, list, owner)
    )`)
    if (isPostgres) {
      // The text has an offset, so that the result does not depend on the session. What PostgreSQL has no value for, such as the
      // year 0 or an offset of 23 hours, is null.
      yield* run(
        `CREATE FUNCTION ${name("mirror_timestamp")} (text) RETURNS timestamptz LANGUAGE plpgsql IMMUTABLE STRICT
        AS $$ BEGIN RETURN $1::timestamptz; EXCEPTION WHEN data_exception THEN RETURN NULL; END $$`
      )
    }
  })
}

/** Creates whatever is missing. If nothing is, no permission to write is needed, and nobody has to wait. */
export const ensure = (
  database: Database,
  tables: ReadonlyArray<Table>
): Effect.Effect<void, SqlError | MigrationError | TableInUse, SqlClient.SqlClient> =>
  Effect.gen(function*() {
    const { isPostgres, naming, run, transaction } = database
    const schema = isPostgres ? naming.schema : undefined
    const done = `${schema === undefined ? "" : `${schema}.`}${naming.prefix}mirror_migrations`
    const migrations = { "0001_create": create(database) }
    const isComplete = (table: Table) =>
      Effect.map(lookUp(database, table), ({ isOwn, missing }) => isOwn && missing.length === 0)
    if ((yield* Migrations.areDone(done, migrations)) && (yield* Effect.every(tables, isComplete))) return
    if (schema !== undefined) yield* Effect.retry(run(`CREATE SCHEMA IF NOT EXISTS ${quote(schema)}`), { times: 3 })
    yield* Migrations.run(done, migrations)
    yield* transaction(Effect.gen(function*() {
      // One process at a time; SQLite keeps writers apart by itself.
      if (isPostgres) yield* run(`LOCK TABLE ${database.name("mirror_lists")} IN SHARE ROW EXCLUSIVE MODE`)
      yield* Effect.forEach(tables, (table) => ensureTable(database, table), { discard: true })
    }))
  })

/** What there is of a table. */
const lookUp = (database: Database, table: Table) =>
  Effect.gen(function*() {
    const { name, run } = database
    const existing = yield* columnsIn(database, table.table)
    const [own] = yield* run(`SELECT name FROM ${name("mirror_tables")} WHERE name = ?`, [table.table])
    return {
      existing,
      isOwn: own !== undefined,
      missing: table.columns.filter((column) => !existing.has(column.name))
    }
  })

const ensureTable = (database: Database, table: Table): Effect.Effect<void, SqlError | TableInUse> =>
  Effect.gen(function*() {
    const { name, run } = database
    const { existing, isOwn, missing } = yield* lookUp(database, table)
    if (existing.size > 0 && !isOwn) {
      return yield* new TableInUse({ table: `${database.naming.prefix}${table.table}` })
    }
    if (existing.size === 0) {
      const view = `current_${table.table}`
      if ((yield* columnsIn(database, view)).size > 0) {
        return yield* new TableInUse({ table: `${database.naming.prefix}${view}` })
      }
      yield* run(definition(database, table))
      if (!isOwn) yield* run(`INSERT INTO ${name("mirror_tables")} (name) VALUES (?)`, [table.table])
      yield* run(
        `CREATE INDEX ${quote(`${database.naming.prefix}${table.table}_ordinal`)} ON ${name(table.table)}
         (account, ordinal) WHERE deleted_at IS NULL`
      )
      yield* comment(database, table)
    } else {
      yield* Effect.forEach(
        missing,
        (column) => run(`ALTER TABLE ${name(table.table)} ADD COLUMN ${columnDefinition(database, column)}`),
        { discard: true }
      )
    }
    if (missing.length > 0) {
      const known = [...existing].filter((name) => table.columns.some((column) => column.name === name))
      yield* replaceView(database, table, [...known, ...missing.map((column) => column.name)])
    } else if (existing.size === 0) yield* replaceView(database, table, [])
  })

/** The names of the columns, in the order of the table. */
const columnsIn = (
  { isPostgres, naming, run }: Database,
  table: string
): Effect.Effect<ReadonlySet<string>, SqlError> =>
  Effect.map(
    isPostgres
      ? run(
        `SELECT attname AS name FROM pg_attribute
         WHERE attrelid = to_regclass(format('%I.%I', COALESCE(CAST(? AS text), current_schema()), CAST(? AS text)))
           AND attnum > 0 AND NOT attisdropped
         ORDER BY attnum`,
        [naming.schema ?? null, `${naming.prefix}${table}`]
      )
      : run("SELECT name FROM pragma_table_xinfo(?) ORDER BY cid", [`${naming.prefix}${table}`]),
    (rows) => new Set(rows.map(({ name }) => String(name)))
  )

/** What each of the columns means that every table has. */
const meanings = {
  account: "The account that the item was copied from.",
  json: "The item as it was received, with all its fields.",
  ordinal: "Numbers the rows of an account, for the mirror itself.",
  last_change: "The last change of the row in mirror_changes.",
  first_seen_at: "When the item was first copied.",
  changed_at: "When the item was last found to be new, different or gone.",
  deleted_at: "When the item was found to be gone; null as long as it exists."
}

const definition = (database: Database, table: Table): string => {
  const { isPostgres, name } = database
  const time = isPostgres ? "timestamptz" : "TEXT"
  const owners = table.owner === undefined ? [] : [table.owner.column]
  const columns = [
    ["account TEXT NOT NULL", meanings.account],
    ...owners.map((owner) => [`${quote(owner)} TEXT NOT NULL`, `The id in ${table.owner?.table}.`]),
    [`${quote(table.id)} TEXT NOT NULL`, "The id of the item."],
    [`json ${isPostgres ? "jsonb" : "TEXT"} NOT NULL`, meanings.json],
    ["ordinal BIGINT NOT NULL", meanings.ordinal],
    ["last_change BIGINT NOT NULL", meanings.last_change],
    [`first_seen_at ${time} NOT NULL`, meanings.first_seen_at],
    [`changed_at ${time} NOT NULL`, meanings.changed_at],
    [`deleted_at ${time}`, meanings.deleted_at],
    ...table.columns.map((column) => [columnDefinition(database, column), meaningOf(column)])
  ]
  const key = ["account", ...owners.map(quote), quote(table.id)].join(", ")
  // SQLite keeps the comments with the definition, where `.schema` shows them.
  return `CREATE TABLE ${name(table.table)} (\n${
    columns.map(([column, meaning]) => `  ${column}, -- ${meaning}\n`).join("")
  }  PRIMARY KEY (${key})\n)`
}

const meaningOf = ({ name, type }: Column): string =>
  `The field ${name} of the item${type === "json" ? ", as JSON" : ""}.`

const types: Record<ColumnType, { readonly pg: string; readonly sqlite: string }> = {
  text: { pg: "text", sqlite: "TEXT" },
  boolean: { pg: "boolean", sqlite: "INTEGER" },
  number: { pg: "double precision", sqlite: "NUMERIC" },
  timestamp: { pg: "timestamptz", sqlite: "TEXT" },
  json: { pg: "jsonb", sqlite: "TEXT" }
}

/** The database computes the column from the item, so that the two cannot disagree. */
const columnDefinition = ({ isPostgres, name }: Database, column: Column): string => {
  const field = `'${column.name.replaceAll("'", "''")}'`
  const text = `json ->> ${field}`
  if (!isPostgres) {
    const value = column.type === "timestamp" ? iso(text) : text
    return `${quote(column.name)} ${types[column.type].sqlite} GENERATED ALWAYS AS (${value}) VIRTUAL`
  }
  const value = {
    text,
    boolean: `(${text})::boolean`,
    number: `(${text})::double precision`,
    timestamp: `${name("mirror_timestamp")}(${text})`,
    json: `json -> ${field}`
  }[column.type]
  return `${quote(column.name)} ${types[column.type].pg} GENERATED ALWAYS AS (${value}) STORED`
}

/**
 * A point in time as SQLite's date functions accept it: UTC ends in Z. Fractions of a second have six digits, so that the text is
 * in the order of time.
 */
const iso = (text: string): string => {
  const joined = `replace(${text}, ' ', 'T')`
  const inUtc = (zone: string) => {
    const local = `substr(${joined}, 1, length(${joined}) - ${zone.length})`
    const fraction = `CASE WHEN instr(${text}, '.') > 0 THEN '' ELSE '.' END || '000000'`
    return `WHEN ${text} LIKE '%${zone}' THEN substr(${local} || ${fraction}, 1, 26) || 'Z'`
  }
  return `CASE ${["Z", "+00", "+00:00", "+0000"].map(inUtc).join("\n    ")} ELSE ${joined} END`
}

const comment = ({ isPostgres, name, run }: Database, table: Table): Effect.Effect<void, SqlError> => {
  if (!isPostgres) return Effect.void
  const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`
  const comments = [
    [table.id, "The id of the item."] as const,
    ...Object.entries(meanings),
    ...table.columns.map((column) => [column.name, meaningOf(column)] as const)
  ]
  const statements = [
    `COMMENT ON TABLE ${name(table.table)} IS ${literal(`A copy of the ${table.title}, kept by Mailstream.`)};`,
    ...comments.map(([column, meaning]) =>
      `COMMENT ON COLUMN ${name(table.table)}.${quote(column)} IS ${literal(meaning)};`
    )
  ]
  // One statement for all of them: each would take a round trip.
  return Effect.asVoid(run(`DO $comments$ BEGIN ${statements.join(" ")} END $comments$`))
}

/** The view of what currently exists. New columns come last, so that PostgreSQL can replace it. */
const replaceView = (
  { isPostgres, name, run }: Database,
  table: Table,
  fields: ReadonlyArray<string>
): Effect.Effect<void, SqlError> => {
  const view = name(`current_${table.table}`)
  const columns = [
    "account",
    ...(table.owner === undefined ? [] : [table.owner.column]),
    table.id,
    "json",
    "first_seen_at",
    "changed_at",
    ...fields
  ].map(quote).join(", ")
  const select = `SELECT ${columns} FROM ${name(table.table)} WHERE deleted_at IS NULL`
  return isPostgres
    ? Effect.asVoid(run(`CREATE OR REPLACE VIEW ${view} AS ${select}`))
    : Effect.zipRight(
      run(`DROP VIEW IF EXISTS ${view}`),
      Effect.asVoid(run(`CREATE VIEW ${view} AS ${select}`))
    )
}

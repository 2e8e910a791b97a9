/** The columns of the tables of items, and what they mean. */
import type { Fragment, Statement } from "@effect/sql/Statement"
import type { Database } from "./database.ts"
import type { Column, ColumnType, Table } from "./tables.ts"

/** A column whose name, type and meaning are known. */
interface Described {
  readonly name: string
  readonly definition: Fragment
  readonly meaning: string
}

const described = (database: Database, table: Table): ReadonlyArray<Described> => {
  const { isPostgres, sql } = database
  const time = isPostgres ? "timestamptz" : "TEXT"
  const column = (name: string, type: string, meaning: string): Described => ({
    name,
    definition: sql`${sql(name)} ${sql.literal(type)}`,
    meaning
  })
  return [
    column("account", "TEXT NOT NULL", "The account that the item was copied from."),
    ...(table.owner === undefined
      ? []
      : [column(table.owner.column, "TEXT NOT NULL", `The id in ${table.owner.table}.`)]),
    column(table.id, "TEXT NOT NULL", "The id of the item."),
    column("json", `${isPostgres ? "jsonb" : "TEXT"} NOT NULL`, "The item as it was received, with all its fields."),
    column("ordinal", "BIGINT NOT NULL", "Numbers the rows of an account, for the mirror itself."),
    column("last_change", "BIGINT NOT NULL", "The last change of the row in mirror_changes."),
    column("first_seen_at", `${time} NOT NULL`, "When the item was first copied."),
    column("changed_at", `${time} NOT NULL`, "When the item was last found to be new, different or gone."),
    column("deleted_at", time, "When the item was found to be gone; null as long as it exists."),
    ...table.columns.map((field) => ({
      name: field.name,
      definition: computed(database, field),
      meaning: `The field ${field.name} of the item${field.type === "json" ? ", as JSON" : ""}.`
    }))
  ]
}

export const createTable = (database: Database, table: Table): Statement<object> => {
  const { name, sql } = database
  const { id, owner } = table
  // SQLite keeps the comments with the definition, where `.schema` shows them.
  const columns = described(database, table).map(({ definition, meaning }) =>
    sql`  ${definition}, ${sql.literal(`-- ${meaning}\n`)}`
  )
  const key = ["account", ...(owner === undefined ? [] : [owner.column]), id].map((column) => sql`${sql(column)}`)
  return sql`CREATE TABLE ${name(table.table)} (\n${sql.join("", false)(columns)}  PRIMARY KEY (${sql.csv(key)})\n)`
}

export const addColumn = (database: Database, table: Table, column: Column): Statement<object> =>
  database.sql`ALTER TABLE ${database.name(table.table)} ADD COLUMN ${computed(database, column)}`

const types: Record<ColumnType, { readonly pg: string; readonly sqlite: string }> = {
  text: { pg: "text", sqlite: "TEXT" },
  boolean: { pg: "boolean", sqlite: "INTEGER" },
  number: { pg: "double precision", sqlite: "NUMERIC" },
  timestamp: { pg: "timestamptz", sqlite: "TEXT" },
  json: { pg: "jsonb", sqlite: "TEXT" }
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** The database computes the column from the item, so that the two cannot disagree. */
const computed = ({ isPostgres, name, sql }: Database, { name: field, type }: Column): Fragment => {
  const text = `json ->> ${quoted(field)}`
  if (!isPostgres) {
    const value = sql.literal(type === "timestamp" ? iso(text) : text)
    return sql`${sql(field)} ${sql.literal(types[type].sqlite)} GENERATED ALWAYS AS (${value}) VIRTUAL`
  }
  const value = type === "timestamp"
    ? sql`${name("mirror_timestamp")}(${sql.literal(text)})`
    : sql.literal(
      type === "text" ? text : type === "json" ? `json -> ${quoted(field)}` : `(${text})::${types[type].pg}`
    )
  return sql`${sql(field)} ${sql.literal(types[type].pg)} GENERATED ALWAYS AS (${value}) STORED`
}

/**
 * A point in time as SQLite's date functions accept it: in UTC, which ends in Z. Fractions of a second have six digits, so that the
 * text is in the order of time. The item itself keeps the text that was received.
 */
const iso = (text: string): string => {
  const inUtc = (zone: string) => {
    const local = `substr(${joined(text)}, 1, length(${text}) - ${zone.length})`
    const fraction = `CASE WHEN instr(${text}, '.') > 0 THEN '' ELSE '.' END || '000000'`
    return `WHEN ${text} LIKE '%${zone}' THEN substr(${local} || ${fraction}, 1, 26) || 'Z'`
  }
  return `CASE ${["Z", "+00", "+00:00", "+0000"].map(inUtc).join("\n    ")} ELSE COALESCE(${shifted(text)}, ${
    joined(text)
  }) END`
}

const joined = (text: string): string => `replace(${text}, ' ', 'T')`

/** A point in time in another zone than UTC. What SQLite has no value for is null. */
const shifted = (text: string): string => {
  const rest = `substr(${text}, 20)`
  const sign = `(instr(${rest}, '+') + instr(${rest}, '-'))`
  const offset = `substr(${rest}, ${sign} + 1)`
  const minutes = `CASE length(${offset}) WHEN 2 THEN '00' ELSE substr(${offset}, -2) END`
  const back = `CASE WHEN instr(${rest}, '+') > 0 THEN '-' ELSE '+' END || substr(${offset}, 1, 2) || ':' || ${minutes}`
  const fraction = `substr(substr(${rest}, 2, max(0, ${sign} - 2)) || '000000', 1, 6)`
  return `strftime('%Y-%m-%dT%H:%M:%S', substr(${text}, 1, 19), ${back}) || '.' || ${fraction} || 'Z'`
}

/** What PostgreSQL says about a table. */
export const comment = (database: Database, table: Table): Statement<object> => {
  const { name, sql } = database
  const rows = name(table.table)
  const comments = [
    sql`COMMENT ON TABLE ${rows} IS ${sql.literal(quoted(`A copy of the ${table.title}, kept by Mailstream.`))};`,
    ...described(database, table).map(({ meaning, name }) =>
      sql`COMMENT ON COLUMN ${rows}.${sql(name)} IS ${sql.literal(quoted(meaning))};`
    )
  ]
  // One statement for all of them: each would take a round trip.
  return sql`DO $comments$ BEGIN ${sql.join(" ", false)(comments)} END $comments$`
}

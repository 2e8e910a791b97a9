/** The user's database: how its statements are written and run. */
import * as SqlClient from "@effect/sql/SqlClient"
import type { Fragment, Identifier, Statement } from "@effect/sql/Statement"
import * as Shared from "@mailstream/sql/Database"
import * as Postgres from "@mailstream/sql/Postgres"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

export type { Query } from "@mailstream/sql/Database"
export { Integer, nullable } from "@mailstream/sql/Database"

/** Where the tables are. */
export interface Naming {
  readonly schema: string | undefined
  readonly prefix: string
}

export type Database = ReturnType<typeof make>

const Numbered = Schema.Struct({ number: Shared.Integer })

/** What the databases write in different ways. */
const writing = (sql: SqlClient.SqlClient, isPostgres: boolean) => ({
  /**
   * Joins rows with the one row of a table for which a condition holds. It is looked up by an index for each of them,
   * whatever the database believes about the size of the table: for a new table, PostgreSQL would rather read all of it,
   * and SQLite would parse the array of items for each of its rows.
   */
  lookUp: (table: Identifier, alias: string, condition: Fragment): Fragment => {
    const as = sql.literal(alias)
    return isPostgres
      ? sql`CROSS JOIN LATERAL (SELECT * FROM ${table} ${as} WHERE ${condition} LIMIT 1) ${as}`
      : sql`CROSS JOIN ${table} ${as} ON ${condition}`
  },
  /** Whether a column has one of the values that are selected. They are selected once, whatever the database believes about the table. */
  oneOf: (column: Fragment, selected: Fragment): Fragment =>
    isPostgres ? sql`${column} = ANY (ARRAY(${selected}))` : sql`${column} IN (${selected})`,
  /** The column that tells the rows of a table apart, for the time of a transaction. */
  place: sql.literal(isPostgres ? "ctid" : "rowid"),
  /** Collects values of all rows into one JSON array: drivers take much longer to pass on rows. */
  collect: (...values: ReadonlyArray<string | Fragment>): Fragment =>
    isPostgres
      ? sql`CAST(COALESCE(json_agg(json_build_array(${sql.csv(values)})), '[]') AS text)`
      : sql`json_group_array(json_array(${sql.csv(values)}))`,
  /**
   * How many bytes a primary key may have, and how deeply arrays and objects may be nested in an item. PostgreSQL's indexes have
   * at most 2,704 bytes per row. SQLite's JSON has at most 1,000 levels, one of which is the array of items; for PostgreSQL,
   * functions that call themselves for each level have no room for many more.
   */
  limits: { keyBytes: isPostgres ? 2600 : Infinity, depth: 990 },
  /** At the end of a selection: others who select these rows in the same way wait until this transaction has ended. In SQLite, all writers do. */
  forUpdate: sql.literal(isPostgres ? "FOR UPDATE" : ""),
  /** A point in time, given in ISO form. */
  time: (iso: string | null): Fragment => isPostgres ? sql`CAST(${iso} AS timestamptz)` : sql`${iso}`,
  /** A point in time in ISO form, whatever the settings of the session. */
  iso: (time: string): Fragment => sql.literal(isPostgres ? inUtc(time, "MS") : time),
  /** The same, with all digits that the database stores. */
  exact: (time: string): Fragment => sql.literal(isPostgres ? inUtc(time, "US") : time),
  /** The current time, by the clock of the database: those of several processes may differ. */
  now: isPostgres ? Effect.succeed(sql.literal("clock_timestamp()")) : Effect.map(current, (iso) => sql`${iso}`),
  /** A point in time that is later than the one in a column, and not before another one. */
  after: (column: string, time: Fragment): Fragment =>
    isPostgres
      ? sql`GREATEST(${sql(column)} + interval '1 microsecond', ${time})`
      : sql`max(COALESCE(strftime('%Y-%m-%dT%H:%M:%fZ', ${sql(column)}, '+0.001 seconds'), ''), ${time})`
})

const inUtc = (time: string, fraction: "MS" | "US"): string =>
  `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.${fraction}"Z"')`

/** The time of this process. SQLite has no other clock: it runs within the process. */
const current: Effect.Effect<string> = Effect.map(DateTime.now, DateTime.formatIso)

/** No statement takes longer: neither the one that drops what is old from a large table, nor the one that creates its index. */
const longest = "1 hour"

export const make = (given: SqlClient.SqlClient, naming: Naming) => {
  const database = Shared.make(given)
  const { isPostgres, read, sql } = database
  return {
    ...database,
    naming,
    /** The name of a table, a view or a function, qualified. */
    name: (table: string): Identifier =>
      sql(`${naming.schema === undefined ? "" : `${naming.schema}.`}${naming.prefix}${table}`),
    /** Runs a statement that selects a `number` from each row. */
    numbers: (statement: Statement<object>): Shared.Query<ReadonlyArray<number>> =>
      Effect.map(read(Numbered, statement), (rows) => rows.map(({ number }) => number)),
    /** Whether the caller has begun a transaction. */
    isNested: Effect.map(Effect.serviceOption(SqlClient.TransactionConnection), Option.isSome),
    /** For statements that read or write large tables. */
    atLength: Postgres.allow(longest),
    ...writing(sql, isPostgres)
  }
}

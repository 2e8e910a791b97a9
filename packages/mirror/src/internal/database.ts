/** The user's database: how its statements are written and run. */
import * as SqlClient from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import type { Fragment, Identifier, Statement } from "@effect/sql/Statement"
import * as Availability from "@mailstream/sql/Availability"
import * as Postgres from "@mailstream/sql/Postgres"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { toJson } from "./json.ts"

export type Query<A> = Effect.Effect<A, SqlError>

/** Where the tables are. */
export interface Naming {
  readonly schema: string | undefined
  readonly prefix: string
}

export type Database = ReturnType<typeof make>

/** PostgreSQL's drivers pass on a `bigint` as text. */
export const Integer = Schema.Union(Schema.Number, Schema.NumberFromString)

export const nullable = <A, I>(schema: Schema.Schema<A, I>): Schema.Schema<A | undefined, I | null> =>
  Schema.transform(Schema.NullOr(schema), Schema.UndefinedOr(Schema.typeSchema(schema)), {
    strict: true,
    decode: (value) => value ?? undefined,
    encode: (value) => value ?? null
  })

const Numbers = Schema.Array(Schema.Struct({ number: Integer }))

const isLocked = (error: unknown): boolean => error instanceof SqlError && Availability.isLocked(error)

/** What the databases write in different ways. */
const writing = (sql: SqlClient.SqlClient, isPostgres: boolean) => ({
  /** Items of a JSON array as rows `e (nr, value)` that are numbered from 1. */
  items: (json: string): Fragment =>
    isPostgres
      ? sql`jsonb_array_elements(CAST(${json} AS jsonb)) WITH ORDINALITY AS e (value, nr)`
      : sql`(SELECT key + 1 AS nr, value FROM json_each(${json})) AS e`,
  /** `IN (…)`, for any number of values. */
  among: (values: ReadonlyArray<string | number>): Fragment => {
    const json = toJson(values)
    return isPostgres
      ? sql`IN (SELECT jsonb_array_elements_text(CAST(${json} AS jsonb)))`
      : sql`IN (SELECT value FROM json_each(${json}))`
  },
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
  /** A point in time, given in ISO form. */
  time: (iso: string | null): Fragment => isPostgres ? sql`CAST(${iso} AS timestamptz)` : sql`${iso}`,
  /** A point in time in ISO form, whatever the settings of the session. */
  iso: (time: string): Fragment =>
    sql.literal(isPostgres ? `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')` : time)
})

/** No statement takes longer: neither the one that drops what is old from a large table, nor the one that creates its index. */
const longest = "1 hour"

export const make = (given: SqlClient.SqlClient, naming: Naming) => {
  const sql = Postgres.bounded(given)
  const isPostgres = sql.onDialectOrElse({ pg: () => true, orElse: () => false })
  const run = (statement: Statement<object>): Query<ReadonlyArray<object>> =>
    isPostgres ? statement.withoutTransform : Availability.waitForLock(statement.withoutTransform, isLocked)
  return {
    sql,
    naming,
    isPostgres,
    /** The name of a table, a view or a function, qualified. */
    name: (table: string): Identifier =>
      sql(`${naming.schema === undefined ? "" : `${naming.schema}.`}${naming.prefix}${table}`),
    run: (statement: Statement<object>): Query<void> => Effect.asVoid(run(statement)),
    /** Runs a statement, and decodes its rows. */
    read: <A, I>(row: Schema.Schema<A, I>, statement: Statement<object>): Query<ReadonlyArray<A>> => {
      const decode = Schema.decodeUnknown(Schema.Array(row))
      return Effect.flatMap(run(statement), (rows) => Effect.orDie(decode(rows)))
    },
    /** Runs a statement that selects a `number` from each row. */
    numbers: (statement: Statement<object>): Query<ReadonlyArray<number>> =>
      Effect.flatMap(
        run(statement),
        (rows) =>
          Effect.map(Effect.orDie(Schema.decodeUnknown(Numbers)(rows)), (rows) => rows.map(({ number }) => number))
      ),
    /** Runs statements atomically. Waits for a while if another process holds a lock. */
    transaction: <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError, R> =>
      Availability.waitForLock(
        // Clients regard a transaction that cannot be ended as a defect.
        Effect.catchSomeDefect(
          sql.withTransaction(work),
          (defect): Option.Option<Effect.Effect<A, E | SqlError, R>> =>
            defect instanceof SqlError ? Option.some(Effect.fail(defect)) : Option.none()
        ),
        isLocked
      ),
    /** Whether the caller has begun a transaction. */
    isNested: Effect.map(Effect.serviceOption(SqlClient.TransactionConnection), Option.isSome),
    /** For statements that read or write large tables. */
    atLength: Postgres.allow(longest),
    ...writing(sql, isPostgres)
  }
}

/** The current time, as the database stores it. */
export const now: Effect.Effect<string> = Effect.map(DateTime.now, DateTime.formatIso)

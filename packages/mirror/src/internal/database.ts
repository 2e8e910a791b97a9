/** The user's database: how its statements are written and run. */
import type * as SqlClient from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import type { Fragment, Identifier, Statement } from "@effect/sql/Statement"
import * as Availability from "@mailstream/sql/Availability"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { toJson } from "./json.ts"

/** The result of statements. */
export type Query<A> = Effect.Effect<A, SqlError>

/** Where the tables are. */
export interface Naming {
  readonly schema: string | undefined
  readonly prefix: string
}

export interface Database {
  readonly sql: SqlClient.SqlClient
  readonly naming: Naming
  readonly isPostgres: boolean
  /** The name of a table, a view or a function, qualified. */
  readonly name: (table: string) => Identifier
  readonly run: (statement: Statement<object>) => Query<void>
  /** Runs a statement, and decodes its rows. */
  readonly read: <A, I>(
    row: Schema.Schema<A, I>,
    statement: Statement<object>
  ) => Query<ReadonlyArray<A>>
  /** Runs statements atomically. Waits for a while if another process holds a lock. */
  readonly transaction: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E | SqlError, R>
  /** Items of a JSON array as rows `e (nr, value)` that are numbered from 1. */
  readonly items: (json: string) => Fragment
  /** `IN (…)`, for any number of values. */
  readonly among: (values: ReadonlyArray<string | number>) => Fragment
  /**
   * Joins rows with the one row of a table for which a condition holds. It is looked up by an index for each of them,
   * whatever the database believes about the size of the table: for a new table, PostgreSQL would rather read all of it,
   * and SQLite would parse the array of items for each of its rows.
   */
  readonly lookUp: (table: Identifier, alias: string, condition: Fragment) => Fragment
  /** Collects values of all rows into one JSON array: drivers take much longer to pass on rows. */
  readonly collect: (...values: ReadonlyArray<string | Fragment>) => Fragment
  /** What rows can hold. */
  readonly limits: {
    /** How many bytes a primary key may have. */
    readonly keyBytes: number
    /** How deeply arrays and objects may be nested in an item. */
    readonly depth: number
  }
  /** A point in time, given in ISO form. */
  readonly time: (iso: string | null) => Fragment
  /** A point in time in ISO form, whatever the settings of the session. */
  readonly iso: (time: string) => Fragment
}

/** PostgreSQL's drivers pass on a `bigint` as text. */
export const Integer = Schema.Union(Schema.Number, Schema.NumberFromString)

/** A column that may be null. */
export const nullable = <A, I>(schema: Schema.Schema<A, I>): Schema.Schema<A | undefined, I | null> =>
  Schema.transform(Schema.NullOr(schema), Schema.UndefinedOr(Schema.typeSchema(schema)), {
    strict: true,
    decode: (value) => value ?? undefined,
    encode: (value) => value ?? null
  })

/** Rows that have been numbered. */
export const Numbered = Schema.Struct({ ordinal: Integer })

const isLocked = (error: unknown): boolean => error instanceof SqlError && Availability.isLocked(error)

export const make = (sql: SqlClient.SqlClient, naming: Naming): Database => {
  const isPostgres = sql.onDialectOrElse({ pg: () => true, orElse: () => false })
  /**
   * A transaction does not wait longer than this for another one, and one whose process was paused or vanished does not
   * keep its locks.
   */
  const bounds =
    sql`SELECT set_config('lock_timeout', '10s', true), set_config('idle_in_transaction_session_timeout', '30s', true)`
  // The PostgreSQL client would cancel an interrupted statement, and the cancellation can reach the connection when it is
  // already working for another caller.
  const execute = (statement: Statement<object>) =>
    isPostgres
      ? Effect.uninterruptible(statement.withoutTransform)
      : Availability.waitForLock(statement.withoutTransform, isLocked)
  return {
    sql,
    naming,
    isPostgres,
    name: (table) => sql(`${naming.schema === undefined ? "" : `${naming.schema}.`}${naming.prefix}${table}`),
    run: (statement) => Effect.asVoid(execute(statement)),
    read: (row, statement) => {
      const decode = Schema.decodeUnknown(Schema.Array(row))
      return Effect.flatMap(execute(statement), (rows) => Effect.orDie(decode(rows)))
    },
    transaction: <A, E, R>(work: Effect.Effect<A, E, R>) =>
      Availability.waitForLock(
        // The client regards a transaction that cannot be ended as a defect.
        Effect.catchSomeDefect(
          sql.withTransaction(isPostgres ? Effect.zipRight(bounds, work) : work),
          (defect): Option.Option<Effect.Effect<A, E | SqlError, R>> =>
            defect instanceof SqlError ? Option.some(Effect.fail(defect)) : Option.none()
        ),
        isLocked
      ),
    items: (json) =>
      isPostgres
        ? sql`jsonb_array_elements(CAST(${json} AS jsonb)) WITH ORDINALITY AS e (value, nr)`
        : sql`(SELECT key + 1 AS nr, value FROM json_each(${json})) AS e`,
    among: (values) => {
      const json = toJson(values)
      return isPostgres
        ? sql`IN (SELECT jsonb_array_elements_text(CAST(${json} AS jsonb)))`
        : sql`IN (SELECT value FROM json_each(${json}))`
    },
    lookUp: (table, alias, condition) => {
      const as = sql.literal(alias)
      return isPostgres
        ? sql`CROSS JOIN LATERAL (SELECT * FROM ${table} ${as} WHERE ${condition} LIMIT 1) ${as}`
        : sql`CROSS JOIN ${table} ${as} ON ${condition}`
    },
    collect: (...values) =>
      isPostgres
        ? sql`CAST(COALESCE(json_agg(json_build_array(${sql.csv(values)})), '[]') AS text)`
        : sql`json_group_array(json_array(${sql.csv(values)}))`,
    // PostgreSQL's indexes have at most 2,704 bytes per row. SQLite's JSON has at most 1,000 levels, one of which is the
    // array of items; for PostgreSQL, functions that call themselves for each level have no room for many more.
    limits: { keyBytes: isPostgres ? 2600 : Infinity, depth: 990 },
    time: (iso) => isPostgres ? sql`CAST(${iso} AS timestamptz)` : sql`${iso}`,
    iso: (time) =>
      sql.literal(isPostgres ? `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')` : time)
  }
}

/** The current time, as the database stores it. */
export const now: Effect.Effect<string> = Effect.map(DateTime.now, DateTime.formatIso)

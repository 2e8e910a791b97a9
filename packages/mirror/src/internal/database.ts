/** The user's database: how its statements are written and run. */
import * as SqlClient from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import * as Availability from "@mailstream/sql/Availability"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** Where the tables are. */
export interface Naming {
  readonly schema: string | undefined
  readonly prefix: string
}

export type Row = Readonly<Record<string, unknown>>

export type Param = string | number | null

export interface Database {
  readonly naming: Naming
  readonly isPostgres: boolean
  /** A table's name, quoted and qualified. */
  readonly name: (table: string) => string
  /** Runs a statement whose parameters are written as `?`. */
  readonly run: (statement: string, params?: ReadonlyArray<Param>) => Effect.Effect<ReadonlyArray<Row>, SqlError>
  /** Runs statements atomically. Waits for a while if another process holds a lock. */
  readonly transaction: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E | SqlError, R>
  /** Items of a JSON array, given as a parameter, as rows `e (nr, value)` that are numbered from 1. */
  readonly items: string
  /** Strings of a JSON array, given as a parameter: `IN (…)`. */
  readonly strings: string
  /**
   * Joins rows with the one row of a table for which a condition holds. It is looked up by an index for each of them,
   * whatever the database believes about the size of the table: for a new table, PostgreSQL would rather read all of it,
   * and SQLite would parse the array of items for each of its rows.
   */
  readonly lookUp: (table: string, alias: string, condition: string) => string
  /** Collects values of all rows into one JSON array: drivers take much longer to pass on rows. */
  readonly collect: (...values: ReadonlyArray<string>) => string
  /** What rows can hold. */
  readonly limits: {
    /** How many bytes a primary key may have. */
    readonly keyBytes: number
    /** How deeply arrays and objects may be nested in an item. */
    readonly depth: number
  }
  /** A parameter that holds a point in time in ISO form. */
  readonly time: string
  /** A point in time in ISO form, whatever the settings of the session. */
  readonly iso: (time: string) => string
}

const isLocked = (error: unknown): boolean => error instanceof SqlError && Availability.isLocked(error)

/**
 * A transaction does not wait longer than this for another one, and one whose process was paused or vanished does not keep
 * its locks.
 */
const bounds =
  "SELECT set_config('lock_timeout', '10s', true), set_config('idle_in_transaction_session_timeout', '30s', true)"

export const quote = (name: string): string => `"${name.replaceAll("\"", "\"\"")}"`

export const make = (naming: Naming): Effect.Effect<Database, never, SqlClient.SqlClient> =>
  Effect.map(SqlClient.SqlClient, (sql): Database => {
    const isPostgres = sql.onDialectOrElse({ pg: () => true, orElse: () => false })
    const statement: Database["run"] = (text, params = []) => {
      let count = 0
      const numbered = isPostgres ? text.replaceAll("?", () => `$${++count}`) : text
      return sql.unsafe<Row>(numbered, params).withoutTransform
    }
    return {
      naming,
      isPostgres,
      name: (table) => {
        const name = quote(`${naming.prefix}${table}`)
        return naming.schema === undefined ? name : `${quote(naming.schema)}.${name}`
      },
      // The PostgreSQL client would cancel an interrupted statement, and the cancellation can reach the connection when it
      // is already working for another caller.
      run: isPostgres
        ? (text, params) => Effect.uninterruptible(statement(text, params))
        : (text, params) => Availability.waitForLock(statement(text, params), isLocked),
      transaction: <A, E, R>(work: Effect.Effect<A, E, R>) =>
        Availability.waitForLock(
          // The client regards a transaction that cannot be ended as a defect.
          Effect.catchSomeDefect(
            sql.withTransaction(isPostgres ? Effect.zipRight(statement(bounds), work) : work),
            (defect): Option.Option<Effect.Effect<A, E | SqlError, R>> =>
              defect instanceof SqlError ? Option.some(Effect.fail(defect)) : Option.none()
          ),
          isLocked
        ),
      items: isPostgres
        ? "jsonb_array_elements(CAST(? AS jsonb)) WITH ORDINALITY AS e (value, nr)"
        : "(SELECT key + 1 AS nr, value FROM json_each(?)) AS e",
      strings: `SELECT ${isPostgres ? "jsonb_array_elements_text(CAST(? AS jsonb))" : "value FROM json_each(?)"}`,
      lookUp: (table, alias, condition) =>
        isPostgres
          ? `CROSS JOIN LATERAL (SELECT * FROM ${table} ${alias} WHERE ${condition} LIMIT 1) ${alias}`
          : `CROSS JOIN ${table} ${alias} ON ${condition}`,
      collect: (...values) =>
        isPostgres
          ? `CAST(COALESCE(json_agg(json_build_array(${values.join(", ")})), '[]') AS text)`
          : `json_group_array(json_array(${values.join(", ")}))`,
      // PostgreSQL's indexes have at most 2,704 bytes per row. SQLite's JSON has at most 1,000 levels, one of which is the
      // array of items; for PostgreSQL, functions that call themselves for each level have no room for many more.
      limits: { keyBytes: isPostgres ? 2600 : Infinity, depth: 990 },
      time: isPostgres ? "CAST(? AS timestamptz)" : "?",
      iso: (time) => isPostgres ? `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')` : time
    }
  })

/** The current time, as the database stores it. */
export const now: Effect.Effect<string> = Effect.map(DateTime.now, DateTime.formatIso)

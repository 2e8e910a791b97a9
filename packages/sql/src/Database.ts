/**
 * A database whose statements are written for SQLite and PostgreSQL alike.
 *
 * @since 1.0.0
 */
import type * as SqlClient from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import type { Fragment, Statement } from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Availability from "./Availability.ts"
import * as Postgres from "./Postgres.ts"

/**
 * @since 1.0.0
 * @category models
 */
export type Query<A> = Effect.Effect<A, SqlError>

/**
 * What a program does with a database.
 *
 * @since 1.0.0
 * @category models
 */
export interface Database {
  /** The client, with the limits of `Postgres.bounded`. */
  readonly sql: SqlClient.SqlClient
  readonly isPostgres: boolean
  readonly run: (statement: Statement<object>) => Query<void>
  /** Runs a statement, and decodes its rows. */
  readonly read: <A, I>(row: Schema.Schema<A, I>, statement: Statement<object>) => Query<ReadonlyArray<A>>
  /** Runs statements atomically. Waits for a while if another process holds a lock. */
  readonly transaction: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E | SqlError, R>
  /** Items of a JSON array as rows `e (nr, value)` that are numbered from 1. */
  readonly items: (json: string) => Fragment
  /** `IN (…)`, for any number of values. */
  readonly among: (values: ReadonlyArray<string | number>) => Fragment
}

/**
 * An integer: PostgreSQL's drivers pass on a `bigint` as text.
 *
 * @since 1.0.0
 * @category schemas
 */
export const Integer: Schema.Schema<number, number | string> = Schema.Union(Schema.Number, Schema.NumberFromString)

/**
 * A value that is `undefined` where the column is null.
 *
 * @since 1.0.0
 * @category schemas
 */
export const nullable = <A, I>(schema: Schema.Schema<A, I>): Schema.Schema<A | undefined, I | null> =>
  Schema.transform(Schema.NullOr(schema), Schema.UndefinedOr(Schema.typeSchema(schema)), {
    strict: true,
    decode: (value) => value ?? undefined,
    encode: (value) => value ?? null
  })

/**
 * JSON that either database accepts: PostgreSQL has neither the character U+0000 nor half a surrogate pair.
 *
 * @since 1.0.0
 * @category constructors
 */
export const toJson = (value: unknown): string => {
  const json = JSON.stringify(value)
  return json.includes("\\u") ? json.replace(unstorable, (_, before: string) => `${before}\\ufffd`) : json
}

/**
 * Text that either database accepts, or its beginning if it is longer than this. It is cut between characters.
 *
 * @since 1.0.0
 * @category constructors
 */
export const toText = (text: string, maxLength = Infinity): string =>
  (text.length > maxLength ? text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, "") : text)
    .replace(/[\0\p{Cs}]/gu, "\ufffd")

/** An escape that stands after an even number of backslashes. */
const unstorable = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g

const isLocked = (error: unknown): boolean => error instanceof SqlError && Availability.isLocked(error)

/**
 * @since 1.0.0
 * @category constructors
 */
export const make = (given: SqlClient.SqlClient): Database => {
  const sql = Postgres.bounded(given)
  const isPostgres = sql.onDialectOrElse({ pg: () => true, orElse: () => false })
  const run = (statement: Statement<object>): Query<ReadonlyArray<object>> =>
    isPostgres ? statement.withoutTransform : Availability.waitForLock(statement.withoutTransform, isLocked)
  return {
    sql,
    isPostgres,
    run: (statement) => Effect.asVoid(run(statement)),
    read: (row, statement) => {
      const decode = Schema.decodeUnknown(Schema.Array(row))
      return Effect.flatMap(run(statement), (rows) => Effect.orDie(decode(rows)))
    },
    transaction: <A, E, R>(work: Effect.Effect<A, E, R>) =>
      Availability.waitForLock(
        // Clients regard a transaction that cannot be ended as a defect.
        Effect.catchSomeDefect(
          sql.withTransaction(work),
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
    }
  }
}

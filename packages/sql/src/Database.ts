/**
 * A database whose statements are written for SQLite and PostgreSQL alike.
 *
 * @since 1.0.0
 */
import type * as SqlClient from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import type { Fragment, Statement } from "@effect/sql/Statement"
import * as Sql from "@mailstream/kernel/Sql"
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
export const toJson: (value: unknown) => string = Sql.toJson

/**
 * Text that either database accepts; if it is longer than this, its beginning and an ellipsis. It is cut between characters.
 *
 * @since 1.0.0
 * @category constructors
 */
export const toText: (text: string, maxLength?: number) => string = Sql.toText

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
    items: (json) => Sql.items<Fragment>({ sql, isPostgres }, json),
    among: (values) => Sql.among<Fragment>({ sql, isPostgres }, values)
  }
}

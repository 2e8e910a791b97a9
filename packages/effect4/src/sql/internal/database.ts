/** A database whose statements are written for SQLite and PostgreSQL alike. */
import type { Dialect } from "@mailstream/kernel/Sql"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Statement } from "effect/sql/Statement"
import { monotonicMillis } from "../../internal/fibers.ts"
import { fromDefect, isLocked } from "./errors.ts"

export type Query<A> = Effect.Effect<A, SqlError>

export interface Database extends Dialect<Statement<object>> {
  readonly sql: SqlClient.SqlClient
  readonly run: (statement: Statement<object>) => Query<ReadonlyArray<object>>
  /** Runs statements atomically. Waits for a while if another process holds a lock. */
  readonly transaction: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E | SqlError, R>
}

/** Waits while another process holds a lock on a SQLite file: the work is repeated until it gets the lock. */
export const waitForLock = <A, E, R>(
  work: Effect.Effect<A, E, R>,
  patience: Duration.Input = "5 seconds"
): Effect.Effect<A, E, R> =>
  // Most work meets no lock, so the rest is built only when it does.
  Effect.catchIf(work, isLocked, () =>
    Effect.flatMap(
      Effect.clockWith((clock) => Effect.succeed([clock, monotonicMillis(clock)] as const)),
      ([clock, began]) =>
        Effect.retry(work, {
          while: (error) =>
            isLocked(error) && monotonicMillis(clock) - began < Duration.toMillis(Duration.fromInputUnsafe(patience)),
          schedule: Schedule.modifyDelay(
            Schedule.exponential("10 millis"),
            ({ duration }) => Effect.succeed(Duration.min(duration, Duration.millis(250)))
          )
        })
    ))

export const make = (sql: SqlClient.SqlClient): Database => {
  const isPostgres = sql.onDialectOrElse({ pg: () => true, orElse: () => false })
  const waiting = <A, E, R>(work: Effect.Effect<A, E, R>) => isPostgres ? work : waitForLock(work)
  return {
    sql,
    isPostgres,
    run: (statement) => waiting(statement.withoutTransform),
    transaction: (work) => waiting(fromDefect(sql.withTransaction(work)))
  }
}

export const current: Effect.Effect<Database, never, SqlClient.SqlClient> = Effect.map(SqlClient.SqlClient, make)

/** The time now, in milliseconds. */
export const millis: Effect.Effect<number> = Clock.currentTimeMillis

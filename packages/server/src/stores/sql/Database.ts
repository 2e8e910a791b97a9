/** A database client, and how the store runs its work on it. */
import * as SqlClient from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import type { Fragment } from "@effect/sql/Statement"
import * as Availability from "@mailstream/sql/Availability"
import * as Postgres from "@mailstream/sql/Postgres"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { StoreError } from "../StoreError.ts"

/** The tables of the store as one account sees them: every statement about an item names the account. */
export interface Tables {
  readonly sql: SqlClient.SqlClient
  readonly account: string
}

export interface Database extends Tables {
  /**
   * At the end of a statement that reads rows which the transaction is about to change: they stay locked until it ends. SQLite
   * has one writer at a time anyway.
   */
  readonly forUpdate: Fragment
  /** The same, but without the rows that another transaction has locked. */
  readonly forUpdateUnlocked: Fragment
  /** Runs statements. This waits for a while if another process holds a lock. */
  readonly run: <A, E>(work: Effect.Effect<A, E>) => Effect.Effect<A, Failure<E | SqlError>>
  /** Runs statements atomically. On SQLite this also keeps writers apart. */
  readonly transaction: <A, E>(work: Effect.Effect<A, E>) => Effect.Effect<A, Failure<E | SqlError>>
  /** The same, but fails at once if another process holds a lock, on PostgreSQL within a second. */
  readonly attempt: <A, E>(work: Effect.Effect<A, E>) => Effect.Effect<A, Failure<E | SqlError>>
}

/** Failures of the database become a `StoreError`. */
type Failure<E> = Exclude<E, Extract<E, SqlError>> | StoreError

/** How long an operation that is not worth a delay may take. */
const attemptTime = Duration.seconds(1)

/**
 * The limits of statements to PostgreSQL, so that an operation ends in time. They are given up before that, because what they
 * wait for is known then: a lock, or a response, for which PostgreSQL itself is asked.
 */
export const limitsFor = (timeout: Duration.Duration): Postgres.Limits => ({
  lock: Duration.times(timeout, 0.5),
  statement: timeout
})

/** The database of each account. Operations on PostgreSQL take no longer than this. */
export const make = (
  timeout: Duration.Duration
): Effect.Effect<(account: string) => Database, never, SqlClient.SqlClient> =>
  Effect.map(SqlClient.SqlClient, (client) => {
    const sql = Postgres.bounded(client, limitsFor(timeout))
    const isPostgres = sql.onDialectOrElse({ pg: () => true, orElse: () => false })
    const patiently: Guard = isPostgres ? within(timeout) : waitingForLock
    const hastily: Guard = isPostgres ? within(Duration.min(timeout, attemptTime)) : Effect.uninterruptible
    const run: Database["run"] = (work) => mapSqlError(patiently(work))
    return (account) => ({
      sql,
      account,
      forUpdate: sql.literal(isPostgres ? "FOR UPDATE" : ""),
      forUpdateUnlocked: sql.literal(isPostgres ? "FOR UPDATE SKIP LOCKED" : ""),
      run,
      transaction: (work) => run(withTransaction(sql, work)),
      attempt: (work) => mapSqlError(hastily(withTransaction(sql, work)))
    })
  })

/**
 * Fails in time, whatever the database does. What is still under way is interrupted, which cancels its statement, but not
 * waited for.
 */
const within = (time: Duration.Duration) => <A, E>(work: Effect.Effect<A, E>): Effect.Effect<A, E | SqlError> =>
  Effect.timeoutFail(Effect.disconnect(work), { duration: time, onTimeout: () => tooLate(time) })

const tooLate = (time: Duration.Duration): SqlError => {
  const message = `No connection to the database, or no response from it, within ${Duration.format(time)}`
  return new SqlError({ cause: new Error(message), message })
}

const waitingForLock: Guard = (work) =>
  Availability.waitForLock(work, (error) => error instanceof SqlError && Availability.isLocked(error))

type Guard = <A, E>(work: Effect.Effect<A, E>) => Effect.Effect<A, E | SqlError>

/** A transaction that fails if it cannot be ended. The client would regard that as a defect. */
const withTransaction = <A, E>(
  sql: SqlClient.SqlClient,
  work: Effect.Effect<A, E>
): Effect.Effect<A, E | SqlError> =>
  Effect.catchSomeDefect(
    sql.withTransaction(work),
    (defect) => defect instanceof SqlError ? Option.some(Effect.fail(defect)) : Option.none()
  )

const mapSqlError = <A, E>(work: Effect.Effect<A, E>): Effect.Effect<A, Failure<E>> =>
  Effect.catchIf(
    work,
    (error): error is Extract<E, SqlError> => error instanceof SqlError,
    (cause) =>
      Availability.isUnavailable(cause)
        ? new StoreError({ reason: "Unavailable", description: "The database is not available.", cause })
        : new StoreError({ reason: "Failed", description: "The database failed.", cause })
  )

/** Fails as the database does, or only as the store does. */
export interface Run {
  <A>(work: Effect.Effect<A, SqlError | StoreError>): Effect.Effect<A, StoreError>
}

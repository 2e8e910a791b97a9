/** A database client, and how the store runs its work on it. */
import * as SqlClient from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import type { Fragment } from "@effect/sql/Statement"
import * as Availability from "@mailstream/sql/Availability"
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
  /** Runs statements. On SQLite this waits for a while if another process holds a lock. */
  readonly run: <A, E>(work: Effect.Effect<A, E>) => Effect.Effect<A, Failure<E>>
  /** Runs statements atomically. On SQLite this also keeps writers apart. */
  readonly transaction: <A, E>(work: Effect.Effect<A, E>) => Effect.Effect<A, Failure<E | SqlError>>
  /** The same, but fails at once if another process holds a lock. */
  readonly attempt: <A, E>(work: Effect.Effect<A, E>) => Effect.Effect<A, Failure<E | SqlError>>
}

/** Failures of the database become a `StoreError`. */
type Failure<E> = Exclude<E, Extract<E, SqlError>> | StoreError

/** The database of each account. */
export const make: Effect.Effect<(account: string) => Database, never, SqlClient.SqlClient> = Effect.map(
  SqlClient.SqlClient,
  (sql) => {
    const guard = sql.onDialectOrElse({
      // An interrupted caller waits for the statement, which takes only a moment. The PostgreSQL client would cancel it,
      // and the cancellation can reach the connection late, when it is already working for another caller.
      pg: (): Guard => Effect.uninterruptible,
      orElse: (): Guard => (work) =>
        Availability.waitForLock(work, (error) => error instanceof SqlError && Availability.isLocked(error))
    })
    const onPostgres = (text: string) => sql.literal(sql.onDialectOrElse({ pg: () => text, orElse: () => "" }))
    const run: Database["run"] = (work) => mapSqlError(guard(work))
    return (account) => ({
      sql,
      account,
      forUpdate: onPostgres("FOR UPDATE"),
      forUpdateUnlocked: onPostgres("FOR UPDATE SKIP LOCKED"),
      run,
      transaction: (work) => run(withTransaction(sql, work)),
      attempt: (work) => mapSqlError(Effect.uninterruptible(withTransaction(sql, work)))
    })
  }
)

type Guard = <A, E>(work: Effect.Effect<A, E>) => Effect.Effect<A, E>

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

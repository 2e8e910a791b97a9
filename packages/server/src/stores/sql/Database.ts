/** A database client, and how the store runs its work on it. */
import * as SqlClient from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import { StoreError } from "../StoreError.ts"

export interface Database {
  readonly sql: SqlClient.SqlClient
  /** Runs statements. */
  readonly run: <A, E>(work: Effect.Effect<A, E>) => Effect.Effect<A, Failure<E>>
  /** Runs statements atomically. On SQLite this also keeps writers apart. */
  readonly transaction: <A, E>(work: Effect.Effect<A, E>) => Effect.Effect<A, Failure<E | SqlError>>
}

/** Failures of the database become a `StoreError`. */
type Failure<E> = Exclude<E, Extract<E, SqlError>> | StoreError

export const make: Effect.Effect<Database, never, SqlClient.SqlClient> = Effect.map(SqlClient.SqlClient, (sql) => {
  const run = sql.onDialectOrElse({
    // An interrupted caller waits for the statement, which takes only a moment. The PostgreSQL client would cancel it,
    // and the cancellation can reach the connection late, when it is already working for another caller.
    pg: (): Database["run"] => (work) => Effect.uninterruptible(mapSqlError(work)),
    orElse: () => mapSqlError
  })
  return { sql, run, transaction: (work) => run(sql.withTransaction(work)) }
})

const mapSqlError = <A, E>(work: Effect.Effect<A, E>): Effect.Effect<A, Failure<E>> =>
  Effect.catchIf(
    work,
    (error): error is Extract<E, SqlError> => error instanceof SqlError,
    (cause) => new StoreError({ reason: "Failed", description: "The database failed.", cause })
  )

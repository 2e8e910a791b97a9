/** Failures of databases, as Effect classifies them. */
import * as Sql from "@mailstream/kernel/Sql"
import * as Effect from "effect/Effect"
import * as SqlError from "effect/sql/SqlError"
import { StatementTimeout } from "../StatementTimeout.ts"

interface Fields {
  readonly cause: unknown
  readonly message: string
}

/** A failure of PostgreSQL, by its code. */
const reasonOf = (fields: Fields): SqlError.SqlErrorReason => {
  const { cause } = fields
  const code = Sql.codeOf(cause)
  if (cause instanceof StatementTimeout) {
    return cause.reason === "Lock"
      ? new SqlError.LockTimeoutError(fields)
      : cause.reason === "Silent"
      ? new SqlError.ConnectionError(fields)
      : new SqlError.StatementTimeoutError(fields)
  }
  // The driver reports a connection that ended or was never made without a code of PostgreSQL.
  if (code === undefined || /^(08|E[A-Z]{3,}$|57P)/.test(code)) return new SqlError.ConnectionError(fields)
  if (code === "23505") return new SqlError.UniqueViolation({ ...fields, constraint: constraintOf(cause) })
  if (code === "40P01") return new SqlError.DeadlockError(fields)
  if (code === "42501") return new SqlError.AuthorizationError(fields)
  if (code === "55P03") return new SqlError.LockTimeoutError(fields)
  if (code === "57014") return new SqlError.StatementTimeoutError(fields)
  if (code.startsWith("23")) return new SqlError.ConstraintError(fields)
  if (code.startsWith("28")) return new SqlError.AuthenticationError(fields)
  if (code.startsWith("40")) return new SqlError.SerializationError(fields)
  if (code.startsWith("42")) return new SqlError.SqlSyntaxError(fields)
  return new SqlError.UnknownError(fields)
}

const constraintOf = (cause: unknown): string =>
  typeof cause === "object" && cause !== null && "constraint" in cause && typeof cause.constraint === "string"
    ? cause.constraint
    : "unknown"

export const ofPostgres = (cause: unknown, message: string): SqlError.SqlError =>
  new SqlError.SqlError({ reason: reasonOf({ cause, message }) })

/** A failure of SQLite: the codes of its errors are names. */
export const ofSqlite = (cause: unknown, message: string): SqlError.SqlError =>
  new SqlError.SqlError({ reason: SqlError.classifySqliteError(cause, { message }) })

/** The message of the innermost cause. */
const messageOf = (error: unknown): string => {
  const inner = error instanceof Error ? error.cause : undefined
  return inner instanceof Error ? messageOf(inner) : error instanceof Error ? error.message : ""
}

/** Whether the database is unavailable at the moment. */
export const isUnavailable = (error: unknown): boolean =>
  SqlError.isSqlError(error) &&
  (Sql.isUnavailable(error, messageOf(error)) || isLockTimeout(error) || error.reason._tag === "ConnectionError")

/** Another process holds a lock on a SQLite file. Nothing was changed. */
export const isLocked = (error: unknown): boolean =>
  SqlError.isSqlError(error) && (Sql.isLocked(error) || isLockTimeout(error))

/** Other clients have codes of their own, which Effect has classified. */
const isLockTimeout = ({ reason }: SqlError.SqlError): boolean => reason._tag === "LockTimeoutError"

/** Effect 4.0 regards a transaction that cannot be ended as a defect. */
export const fromDefect = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError.SqlError, R> =>
  Effect.catchDefect(work, (defect) => SqlError.isSqlError(defect) ? Effect.fail(defect) : Effect.die(defect))

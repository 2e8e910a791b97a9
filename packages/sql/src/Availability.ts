/**
 * Transient failures of a database: a lock, a lost connection, a full disk.
 *
 * @since 1.0.0
 */
import type { SqlError } from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schedule from "effect/Schedule"

/** The code of the innermost cause: `SQLITE_BUSY`, `57P01`, `ECONNREFUSED`. */
const codeOf = (error: unknown): string | undefined => {
  if (!Predicate.hasProperty(error, "cause")) {
    return Predicate.hasProperty(error, "code") && typeof error.code === "string" ? error.code : undefined
  }
  return codeOf(error.cause) ?? (Predicate.hasProperty(error, "code") ? String(error.code) : undefined)
}

/**
 * Another process holds a lock on the file. Nothing was changed.
 *
 * @since 1.0.0
 * @category guards
 */
export const isLocked = (error: SqlError): boolean => /^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(codeOf(error) ?? "")

/**
 * SQLite: locked, full, or the file cannot be read or written. PostgreSQL, by class: 08 no connection, 40 rolled back,
 * 53 out of resources, 57 shut down; and 55P03, a lock that was not available in time. The network's own codes begin with an E.
 */
const transient =
  /^(SQLITE_(BUSY|LOCKED|PROTOCOL|FULL|IOERR|CANTOPEN|READONLY)|(08|40|53|57)[0-9A-Z]{3}$|55P03$|E[A-Z]{3,}$)/

/** The PostgreSQL client reports a connection that ended or was never made without a code. */
const withoutConnection = /connection|timeout/i

const messageOf = (error: SqlError): string => Predicate.isError(error.cause) ? error.cause.message : error.message

/**
 * Whether the database is unavailable at the moment.
 *
 * @since 1.0.0
 * @category guards
 */
export const isUnavailable = (error: SqlError): boolean => {
  const code = codeOf(error)
  return code === undefined ? withoutConnection.test(messageOf(error)) : transient.test(code)
}

/**
 * Waits while another process holds a lock, by default for up to five seconds: the work is repeated until it gets the lock.
 *
 * @since 1.0.0
 * @category combinators
 */
export const waitForLock = <A, E, R>(
  work: Effect.Effect<A, E, R>,
  isLocked: (error: E) => boolean,
  patience: Duration.DurationInput = "5 seconds"
): Effect.Effect<A, E, R> =>
  // Most work meets no lock, so the rest is built only when it does.
  Effect.catchIf(work, isLocked, () =>
    Effect.flatMap(Clock.currentTimeNanos, (began) => {
      // A schedule would measure the time by a clock that can be set.
      const isPatient = Effect.map(
        Clock.currentTimeNanos,
        (now) => Duration.lessThan(Duration.nanos(now - began), Duration.decode(patience))
      )
      return Effect.retry(work, {
        while: (error) => isLocked(error) ? isPatient : Effect.succeed(false),
        schedule: Schedule.exponential("10 millis").pipe(Schedule.union(Schedule.spaced("250 millis")))
      })
    }))

/**
 * Transient failures of a database: a lock, a lost connection, a full disk.
 *
 * @since 1.0.0
 */
import type { SqlError } from "@effect/sql/SqlError"
import * as Sql from "@mailstream/kernel/Sql"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schedule from "effect/Schedule"

/**
 * Another process holds a lock on the file. Nothing was changed.
 *
 * @since 1.0.0
 * @category guards
 */
export const isLocked = (error: SqlError): boolean => Sql.isLocked(error)

const messageOf = (error: SqlError): string => Predicate.isError(error.cause) ? error.cause.message : error.message

/**
 * Whether the database is unavailable at the moment.
 *
 * @since 1.0.0
 * @category guards
 */
export const isUnavailable = (error: SqlError): boolean => Sql.isUnavailable(error, messageOf(error))

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

/** Waits for a database that is unavailable for a while. */
import { SqlError } from "@effect/sql/SqlError"
import * as Availability from "@mailstream/sql/Availability"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Database } from "./database.ts"

/** How long a database may be unavailable. */
export const longest = Duration.hours(1)

/** Attempts are at least and at most this far apart. */
const [shortestPause, longestPause] = [Duration.seconds(1), Duration.seconds(30)]

/** How long to wait after some attempts that failed, for this long; undefined if that is enough. */
export const pauseAfter = (attempts: number, elapsed: Duration.Duration): Duration.Duration | undefined =>
  Duration.lessThan(elapsed, longest)
    ? Duration.min(Duration.times(shortestPause, 2 ** Math.min(attempts - 1, 10)), longestPause)
    : undefined

/** A file that cannot be read is not expected to come back. */
const isTemporary = ({ isPostgres }: Database, error: unknown): error is SqlError =>
  error instanceof SqlError && (isPostgres ? Availability.isUnavailable(error) : Availability.isLocked(error))

const reasonOf = ({ cause, message }: SqlError): string =>
  cause instanceof Error && cause.message !== "" ? cause.message : message

/** Repeats work while the database is unavailable, and says so. */
export const recovering = <A, E, R>(
  database: Database,
  list: string,
  work: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.catchIf(work, (error) => isTemporary(database, error), (first) =>
    Effect.gen(function*() {
      const began = yield* Clock.currentTimeNanos
      let error = first
      for (let attempts = 1;; attempts++) {
        const pause = pauseAfter(attempts, Duration.nanos((yield* Clock.currentTimeNanos) - began))
        if (pause === undefined) return yield* Effect.fail(error)
        if (attempts === 1 && isTemporary(database, error)) {
          yield* Effect.logWarning(
            `${list}: the database is unavailable: ${reasonOf(error)}. Waiting for it, for up to an hour.`
          )
        }
        yield* Effect.sleep(pause)
        const result = yield* Effect.either(work)
        if (result._tag === "Right") {
          yield* Effect.logInfo(`${list}: the database is available again.`)
          return result.right
        }
        if (!isTemporary(database, result.left)) return yield* Effect.fail(result.left)
        error = result.left
      }
    }))

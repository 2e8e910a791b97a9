/** Waiting for something to become true, for as long as a busy machine may need. */
import type { SqlClient } from "@effect/sql"
import { Clock, Duration, Effect, type Scope } from "effect"
import { inspect } from "node:util"

export const until = <A, E, R>(
  what: string,
  look: Effect.Effect<A, E, R>,
  isSo: (found: A) => boolean,
  patience: Duration.DurationInput = "25 seconds"
): Effect.Effect<A, E, R> => {
  let last: A | undefined
  const attempt: Effect.Effect<A, E, R> = Effect.flatMap(look, (found) => {
    last = found
    return isSo(found) ? Effect.succeed(found) : Effect.zipRight(Effect.sleep("200 millis"), attempt)
  })
  return Effect.flatMap(Effect.timeoutOption(attempt, patience), (found) =>
    found._tag === "Some"
      ? Effect.succeed(found.value)
      : Effect.dieMessage(
        `${what}: not within ${Duration.format(patience)}; last seen: ${
          inspect(last, { depth: 5, breakLength: Infinity })
        }`
      ))
}

/** What a step of a program may wait for: a timer, and a response of the database. */
const tick = 100

/**
 * How late such a step was at most so far, in seconds, because the machine is busy. A worker takes several of them one after the other: what it
 * has to do within a certain time may take so much longer.
 */
export const lateness = (sql: SqlClient.SqlClient): Effect.Effect<() => number, never, Scope.Scope> =>
  Effect.gen(function*() {
    let most = 0
    const step = Effect.gen(function*() {
      const began = yield* Clock.currentTimeMillis
      yield* Effect.sleep(tick)
      yield* Effect.ignore(sql`SELECT 1`)
      most = Math.max(most, (yield* Clock.currentTimeMillis) - began - tick)
    })
    yield* Effect.forkScoped(Effect.forever(step))
    return () => steps * most / 1000
  })

/** How many steps in a row. */
const steps = 8

/**
 * Whether the database can be used, as the beats of this worker find it. An outage is one state: what fails meanwhile is not worth a line,
 * neither for each statement nor for each account.
 */
import type { SqlError } from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Reasons from "./reasons.ts"

/** Why the database cannot be used, and since when. */
export interface Problem {
  readonly reason: string
  /** When it was last known to work, in ISO form. */
  readonly since: string
}

export interface Outage {
  readonly current: () => Problem | undefined
  /** A beat has failed. */
  readonly failed: (error: SqlError) => Effect.Effect<void>
  /** The database has confirmed a beat. */
  readonly confirmed: Effect.Effect<void>
  /** A line about what has failed, unless this is why: it is known by the next beat. */
  readonly warn: (text: string, error: unknown) => Effect.Effect<void>
  /** Says that the database has cut off a pass, at most once a minute and unless this is why: beats need less of it, such as no disk space. */
  readonly cutOff: (error: string) => Effect.Effect<void>
}

/** Beats are more frequent. */
const nextBeat = Duration.seconds(3)

/** How often to say that passes are cut off. */
const interval = Duration.minutes(1)

const iso = (millis: number): string => new Date(millis).toISOString()

/** For a worker whose database has just responded. */
export const make: Effect.Effect<Outage, never, Scope.Scope> = Effect.gen(function*() {
  const scope = yield* Effect.scope
  let last = yield* Clock.currentTimeMillis
  let problem: Problem | undefined
  let outages = 0
  let isQuiet = false
  return {
    current: () => problem,
    failed: (error) =>
      Effect.suspend(() => {
        if (problem !== undefined) return Effect.void
        outages++
        problem = { reason: Reasons.describe(error), since: iso(last) }
        return Effect.logWarning(
          `The database cannot be used: ${problem.reason}. It did respond at ${problem.since}. ` +
            "If it does not soon, passes are interrupted, for others to continue; this worker tries again until it does."
        )
      }),
    confirmed: Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const [before, ended] = [last, problem]
      last = now
      problem = undefined
      return ended === undefined
        ? Effect.void
        : Effect.logInfo(`The database can be used again, after ${Duration.format(Duration.millis(now - before))}.`)
    }),
    warn: (text, error) =>
      Effect.delay(
        Effect.suspend(() => problem === undefined ? Effect.logWarning(text, error) : Effect.logDebug(text, error)),
        nextBeat
      ),
    cutOff: (error) =>
      Effect.suspend(() => {
        if (isQuiet || problem !== undefined) return Effect.void
        isQuiet = true
        const before = outages
        const say = Effect.suspend(() =>
          outages === before
            ? Effect.logWarning(
              `The database has cut off a pass, which continues in a moment: ${error.replace(/[.]$/, "")}. ` +
                "If there are more, this is said once a minute."
            )
            : Effect.void
        )
        const end = Effect.delay(Effect.sync(() => isQuiet = false), interval)
        return Effect.asVoid(Effect.forkIn(Effect.zipRight(Effect.delay(say, nextBeat), end), scope))
      })
  }
})

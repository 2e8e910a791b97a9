/** What one worker does for all of them: the one that has been there for longest. */
import type { SqlError } from "@effect/sql/SqlError"
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { Accounts } from "../Accounts.ts"
import * as Entries from "./entries.ts"
import type { Ledger } from "./ledger.ts"
import type { Outage } from "./outage.ts"

/** How often to ask which accounts there are. */
const interval = Duration.seconds(5)

/** How often to drop what is not needed any more. */
const pruneInterval = Duration.seconds(30)

export interface Options {
  readonly ledger: Ledger
  /** Drops what is not needed any more. */
  readonly prune: Effect.Effect<unknown, SqlError>
  /** The longest time that an account waits for its next turn. */
  readonly longest: Duration.Duration
  /** Open while this worker is the one. */
  readonly isFirst: Effect.Latch
  readonly outage: Outage
}

/** Repeats a step, whether it fails or not. Why it fails is said once, until it succeeds, or fails for another reason. */
const repeatedly = <E, R>(
  every: Duration.Duration,
  outage: Outage,
  step: Effect.Effect<unknown, E, R>
): Effect.Effect<unknown, never, R> =>
  Effect.suspend(() => {
    let said = ""
    const retrying = (cause: Cause.Cause<E>) =>
      Effect.suspend(() => {
        const why = Cause.pretty(cause)
        if (why === said) return Effect.void
        return Effect.map(outage.warn("A step for all workers failed; retrying until it succeeds", cause), () => {
          // An outage has a line of its own, not this one.
          said = outage.current() === undefined ? why : ""
        })
      })
    const once = Effect.matchCauseEffect(step, { onFailure: retrying, onSuccess: () => Effect.sync(() => said = "") })
    return Effect.repeat(once, Schedule.spaced(every))
  })

export const run = ({ isFirst, ledger, longest, outage, prune }: Options): Effect.Effect<never, never, Accounts> =>
  Effect.gen(function*() {
    const accounts = yield* Accounts
    let known = ""
    const reconcile = Effect.gen(function*() {
      const ids = [...new Set(yield* accounts.ids)].sort()
      const [errors, valid] = Arr.separate(ids.map((id) => Entries.checkId(id)))
      const now = JSON.stringify(ids)
      if (now !== known) {
        if (errors[0] !== undefined) yield* Effect.logWarning(`An account's ${errors[0].message}; it is ignored`)
        yield* ledger.reconcile(valid)
        known = now
      }
    })
    const steps = [
      repeatedly(interval, outage, isFirst.whenOpen(reconcile)),
      repeatedly(interval, outage, isFirst.whenOpen(Effect.zipRight(ledger.sweep, ledger.repair(longest)))),
      repeatedly(pruneInterval, outage, isFirst.whenOpen(prune))
    ]
    return yield* Effect.zipRight(Effect.all(steps, { concurrency: "unbounded", discard: true }), Effect.never)
  })

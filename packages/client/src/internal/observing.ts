/** Calls the functions that callers pass, and reports to them what a call does. */
import { type RequestError, ValidationError } from "@mailstream/core"
import { InvalidOption } from "@mailstream/core/InvalidOption"
import type { RetryPolicy } from "@mailstream/http/RetryPolicy"
import * as Tracking from "@mailstream/stream/Progress"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { identity } from "effect/Function"
import * as Schedule from "effect/Schedule"
import type { MailstreamError } from "../MailstreamError.ts"
import type { Progress, RetryNotice } from "../Progress.ts"
import * as Checks from "./checks.ts"
import { Thrown, toError } from "./errors.ts"

/**
 * Runs the caller's code. What it throws is thrown again; what it returns is checked before anybody waits for it.
 */
export const promised = <A>(
  run: (signal: AbortSignal) => A | Promise<A>,
  check: (result: unknown) => Checks.Checked<unknown>
): Effect.Effect<A, Thrown | InvalidOption | ValidationError> =>
  Effect.tryPromise({
    try: (signal) => {
      const result = run(signal)
      Either.getOrThrowWith(check(result), identity)
      return Promise.resolve(result)
    },
    catch: (error) => error instanceof InvalidOption || error instanceof ValidationError ? error : new Thrown(error)
  })

/** Runs the caller's code, which must do what it has to do before it returns or before its promise is resolved. */
export const done = (
  name: string,
  run: (signal: AbortSignal) => unknown
): Effect.Effect<void, Thrown | InvalidOption | ValidationError> => {
  const check = (result: unknown) => Checks.handled(result, name)
  return Effect.flatMap(promised(run, check), check)
}

/**
 * Runs a function that only looks on. Nothing that reports to it can fail, so whatever it throws is a defect here, and
 * `fromCause` finds it.
 */
const notified = (name: string, run: () => unknown): Effect.Effect<void> => Effect.orDie(done(name, run))

const progressOf = ({ waited, waiting, ...counts }: Tracking.Progress): Progress => ({
  ...counts,
  waited: Duration.toMillis(waited),
  waiting: waiting === undefined ? waiting : Duration.toMillis(waiting)
})

/** A tracker for one run of a walk, which calls a function with every change before the walk continues. */
export const tracker = (
  progress: ((progress: Progress) => unknown) | undefined
): Effect.Effect<Tracking.Tracker | undefined> =>
  progress === undefined ? Effect.succeed(progress) : Effect.map(Tracking.make, (ref): Tracking.Tracker => {
    const modify: Tracking.Tracker["modify"] = (change) =>
      ref.modifyEffect((before) => {
        const changed = change(before)
        return Effect.as(notified("progress", () => progress(progressOf(changed[1]))), changed)
      })
    return Object.create(ref, { modify: { value: modify } }) as Tracking.Tracker
  })

/**
 * The same policy for errors that are retried at all, which calls a function before every wait, and writes a message for a
 * call of a list. Walks write their own.
 */
export const notifying = (
  policy: RetryPolicy,
  onRetry: ((notice: RetryNotice) => unknown) | undefined,
  isRetried: (error: RequestError) => boolean,
  list?: string
): RetryPolicy =>
  onRetry === undefined && list === undefined ? policy : policy.pipe(
    Schedule.whileInput(isRetried),
    Schedule.intersect(Schedule.identity<RequestError>()),
    Schedule.intersect(Schedule.forever),
    Schedule.modifyDelayEffect(([[_, failure], repeated], delay) => {
      const wait = Duration.toMillis(delay)
      // Only what a caller threw is not one of the errors of this package.
      const error = toError(failure) as MailstreamError
      const message = `${list}: retrying in ${Math.ceil(wait)} ms: ${error.message}`
      return (list === undefined ? Effect.void : Effect.logDebug(message)).pipe(
        Effect.zipRight(notified("onRetry", () => onRetry?.({ attempt: repeated + 1, error, wait }))),
        Effect.as(delay)
      )
    })
  )

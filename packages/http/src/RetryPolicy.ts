/**
 * When to retry a failed request. A policy is a `Schedule` over the errors of a request, so any `Schedule` will do.
 *
 * The policy does not decide which errors are retried: only transient ones are (`isTransient`), and a create only if it
 * certainly was not processed (`isUnprocessed`).
 *
 * @since 1.0.0
 */
import { afterAttempts, type RequestError, retryAfter } from "@mailstream/core"
import { monotonicMillis } from "@mailstream/kernel/Fibers"
import * as Chunk from "effect/Chunk"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { dual } from "effect/Function"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Decision from "effect/ScheduleDecision"
import * as Interval from "effect/ScheduleInterval"
import * as Intervals from "effect/ScheduleIntervals"

/**
 * @since 1.0.0
 * @category models
 */
export type RetryPolicy = Schedule.Schedule<unknown, RequestError>

/**
 * @since 1.0.0
 * @category models
 */
export interface Options {
  /** The maximum number of retries, rounded down; `Infinity` for any number. Below 1 or `NaN`, there are none. */
  readonly times: number
  /** The first delay; each further one is twice as long. A negative one is zero. */
  readonly base: Duration.DurationInput
  /** The longest delay between two attempts, and the longest `retry-after` that is respected. A negative one is zero. */
  readonly cap: Duration.DurationInput
}

/**
 * The same policy, with delays of at most `cap` and at least as long as the API requests (`retry-after`). If the API
 * requests more than `cap`, it gives up immediately: the error says how long to wait.
 *
 * @since 1.0.0
 * @category combinators
 * @example
 * ```ts
 * import { RetryPolicy } from "@mailstream/http"
 * import { Schedule } from "effect"
 *
 * const policy = Schedule.spaced("100 millis").pipe(RetryPolicy.withRetryAfter("5 seconds"))
 * ```
 */
export const withRetryAfter: {
  (cap: Duration.DurationInput): (self: RetryPolicy) => RetryPolicy
  (self: RetryPolicy, cap: Duration.DurationInput): RetryPolicy
} = /* #__PURE__ */ dual(2, (self: RetryPolicy, cap: Duration.DurationInput): RetryPolicy => {
  const asked = (error: RequestError) => Option.getOrElse(retryAfter(error), () => Duration.zero)
  return self.pipe(
    Schedule.intersect(Schedule.identity<RequestError>()),
    Schedule.whileInput((error: RequestError) => Duration.lessThanOrEqualTo(asked(error), cap)),
    // Rounded to milliseconds: jitter produces fractions, which integer clocks cannot handle.
    Schedule.modifyDelay(([_, error], delay) =>
      Duration.max(Duration.min(Duration.millis(Math.ceil(Duration.toMillis(delay))), cap), asked(error))
    )
  )
})

/**
 * Exponential backoff with jitter, `withRetryAfter`.
 *
 * @since 1.0.0
 * @category constructors
 * @example
 * ```ts
 * import { RetryPolicy } from "@mailstream/http"
 *
 * const policy = RetryPolicy.make({ times: 3, base: "100 millis", cap: "5 seconds" })
 * ```
 */
export const make = ({ base, cap, times }: Options): RetryPolicy =>
  Schedule.exponential(base).pipe(
    Schedule.jittered,
    Schedule.intersect(Schedule.recurs(Math.floor(times))),
    withRetryAfter(cap)
  )

/**
 * No retries: the first failure is final.
 *
 * @since 1.0.0
 * @category policies
 */
export const none: RetryPolicy = Schedule.stop

const default_: RetryPolicy = make({ times: 5, base: "200 millis", cap: "30 seconds" })

export {
  /**
   * Five retries within a few seconds; delays of up to 30 seconds if the API requests them.
   *
   * @since 1.0.0
   * @category policies
   */
  default_ as default
}

/**
 * For background work: twenty retries, up to two minutes apart, about half an hour in total.
 *
 * @since 1.0.0
 * @category policies
 */
export const patient: RetryPolicy = /* #__PURE__ */ make({ times: 20, base: "500 millis", cap: "2 minutes" })

/**
 * The same policy, on a monotonic clock. Schedules measure with the wall clock: if it is set back by an hour, one that
 * stops after a minute (`Schedule.upTo`) would stop an hour late. Everything that retries here applies it.
 *
 * @since 1.0.0
 * @category combinators
 */
export const monotonic = <Out, In, R>(policy: Schedule.Schedule<Out, In, R>): Schedule.Schedule<Out, In, R> =>
  Schedule.makeWithState(policy.initial, (wallTime, input: In, state) =>
    Effect.clockWith((clock) => {
      const now = monotonicMillis(clock)
      return Effect.map(
        policy.step(now, input, state),
        ([next, output, decision]) => [next, output, shifted(decision, wallTime - now)]
      )
    }))

/**
 * Retries a request, whose first attempt is 1, and adds to the error with which it gives up how often and how long it was
 * tried (`afterAttempts`). `retry` says when to retry: `Effect.retry`, with a policy. `since` is when the first attempt began, in
 * milliseconds of the monotonic clock, if that was earlier.
 *
 * @since 1.0.0
 * @category combinators
 */
export const counting = <A, R, A2, R2>(
  request: (attempt: number) => Effect.Effect<A, RequestError, R>,
  retry: (attempt: Effect.Effect<A, RequestError, R>) => Effect.Effect<A2, RequestError, R2>,
  since?: number
): Effect.Effect<A2, RequestError, R2> =>
  Effect.clockWith((clock) => {
    const start = since ?? monotonicMillis(clock)
    let attempts = 0
    return Effect.mapError(
      retry(Effect.suspend(() => request(++attempts))),
      (error) => afterAttempts(error, attempts, monotonicMillis(clock) - start)
    )
  })

/** A decision in terms of another clock. */
const shifted = (decision: Decision.ScheduleDecision, millis: number): Decision.ScheduleDecision =>
  Decision.isDone(decision) ? decision : {
    ...decision,
    intervals: Intervals.make(
      Chunk.map(
        decision.intervals.intervals,
        ({ endMillis, startMillis }) => Interval.make(startMillis + millis, endMillis + millis)
      )
    )
  }

/**
 * When to retry a failed request. A policy is a `Schedule` over the errors of a request, so any `Schedule` will do.
 *
 * The policy does not decide which errors are retried: only transient ones are (`isTransient`), and a create only if it
 * certainly was not processed (`isUnprocessed`).
 *
 * @since 1.0.0
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { dual } from "effect/Function"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import { afterAttempts, type RequestError, retryAfter } from "../core/index.ts"
import { monotonicMillis } from "../internal/fibers.ts"

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
  readonly base: Duration.Input
  /** The longest delay between two attempts, and the longest `retry-after` that is respected. A negative one is zero. */
  readonly cap: Duration.Input
}

/**
 * The same policy, with delays of at most `cap` and at least as long as the API requests (`retry-after`). If the API
 * requests more than `cap`, it gives up immediately: the error says how long to wait.
 *
 * @since 1.0.0
 * @category combinators
 * @example
 * ```ts
 * import { RetryPolicy } from "@mailstream/effect4"
 * import { Schedule } from "effect"
 *
 * const policy = Schedule.spaced("100 millis").pipe(RetryPolicy.withRetryAfter("5 seconds"))
 * ```
 */
export const withRetryAfter: {
  (cap: Duration.Input): (self: RetryPolicy) => RetryPolicy
  (self: RetryPolicy, cap: Duration.Input): RetryPolicy
} = /* #__PURE__ */ dual(2, (self: RetryPolicy, cap: Duration.Input): RetryPolicy => {
  const longest = millisOf(cap)
  const asked = (error: RequestError): number =>
    Option.match(retryAfter(error), { onNone: () => 0, onSome: Duration.toMillis })
  return self.pipe(
    Schedule.while(({ input }: Schedule.Metadata<unknown, RequestError>) => asked(input) <= longest),
    // Rounded to milliseconds: jitter produces fractions, which integer clocks cannot handle.
    Schedule.modifyDelay(({ duration, input }) =>
      Effect.succeed(Duration.millis(Math.max(Math.min(Math.ceil(millisOf(duration)), longest), asked(input))))
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
 * import { RetryPolicy } from "@mailstream/effect4"
 *
 * const policy = RetryPolicy.make({ times: 3, base: "100 millis", cap: "5 seconds" })
 * ```
 */
export const make = ({ base, cap, times }: Options): RetryPolicy =>
  Schedule.exponential(millisOf(base)).pipe(
    Schedule.jittered,
    Schedule.while(({ attempt }: Schedule.Metadata<unknown, RequestError>) => attempt <= times),
    withRetryAfter(cap)
  )

/** Durations of Effect 4 may be negative. */
const millisOf = (duration: Duration.Input): number => Math.max(0, Duration.toMillis(duration))

/**
 * No retries: the first failure is final.
 *
 * @since 1.0.0
 * @category policies
 */
export const none: RetryPolicy = Schedule.recurs(0)

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
export const monotonic = <Out, In, E, R>(policy: Schedule.Schedule<Out, In, E, R>): Schedule.Schedule<Out, In, E, R> =>
  Schedule.fromStep(Effect.map(
    Schedule.toStep(policy),
    (step) => (_wallTime: number, input: In) => Effect.clockWith((clock) => step(monotonicMillis(clock), input))
  ))

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

/**
 * When a failed request is sent again. A policy is a `Schedule` over the errors of a request, so any `Schedule` will do.
 *
 * Which errors are worth another attempt is not up to the policy: only transient ones are retried (`isTransient`), and
 * a create only when it certainly was not carried out (`isUnprocessed`).
 *
 * @since 0.1.0
 */
import { type RequestError, retryAfter } from "@mailstream/core"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"

/**
 * @since 0.1.0
 * @category models
 */
export type RetryPolicy = Schedule.Schedule<unknown, RequestError>

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** The number of retries at most. */
  readonly times: number
  /** The first wait; each further one is twice as long. */
  readonly base: Duration.DurationInput
  /** The longest wait between two attempts, and the longest `retry-after` that is heeded. */
  readonly cap: Duration.DurationInput
}

/**
 * Exponential waits with jitter, at least as long as the API asks for (`retry-after`). If the API asks for more than
 * `cap`, the policy gives up at once: the error carries the wait.
 *
 * @since 0.1.0
 * @category constructors
 * @example
 * ```ts
 * import { RetryPolicy } from "@mailstream/http"
 *
 * const policy = RetryPolicy.make({ times: 3, base: "100 millis", cap: "5 seconds" })
 * ```
 */
export const make = (options: Options): RetryPolicy => {
  const cap = Duration.decode(options.cap)
  const asked = (error: RequestError) => Option.getOrElse(retryAfter(error), () => Duration.zero)
  return Schedule.exponential(options.base).pipe(
    Schedule.jittered,
    Schedule.intersect(Schedule.recurs(options.times)),
    Schedule.intersect(Schedule.identity<RequestError>()),
    Schedule.whileInput((error: RequestError) => Duration.lessThanOrEqualTo(asked(error), cap)),
    // Whole milliseconds: jitter makes fractions, which clocks that count in integers cannot handle.
    Schedule.modifyDelay(([_, error], delay) =>
      Duration.max(Duration.min(Duration.millis(Math.ceil(Duration.toMillis(delay))), cap), asked(error))
    )
  )
}

/**
 * No retries: the first failure is final.
 *
 * @since 0.1.0
 * @category policies
 */
export const none: RetryPolicy = Schedule.stop

const default_: RetryPolicy = make({ times: 5, base: "200 millis", cap: "30 seconds" })

export {
  /**
   * Five retries within some seconds; waits of up to 30 seconds if the API asks for them.
   *
   * @since 0.1.0
   * @category policies
   */
  default_ as default
}

/**
 * For work that may take its time: twenty retries, up to two minutes apart, about half an hour in all.
 *
 * @since 0.1.0
 * @category policies
 */
export const patient: RetryPolicy = /* #__PURE__ */ make({ times: 20, base: "500 millis", cap: "2 minutes" })

/**
 * Retry policies for the terminal. Unless the user asks for patience, a service that has never responded is not retried:
 * its address is most likely wrong, and the user wants to know at once.
 */
import { type RequestError, retryAfter } from "@mailstream/core"
import * as RetryPolicy from "@mailstream/http/RetryPolicy"
import type * as Progress from "@mailstream/stream/Progress"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Text from "../terminal/Text.ts"
import * as Flag from "../usage/Flag.ts"
import * as Value from "../usage/Value.ts"

const policies: { readonly [name: string]: RetryPolicy.RetryPolicy } = {
  patient: RetryPolicy.patient,
  none: RetryPolicy.none
}

/** The longest delay between two attempts, unless the service asks for a longer one. */
const longest = Duration.minutes(1)

/**
 * Retries each request for this long, with any delay that the service asks for within that time. The last delay ends with the
 * time.
 */
const upTo = (time: Duration.Duration): RetryPolicy.RetryPolicy =>
  RetryPolicy.make({ times: Infinity, base: "500 millis", cap: time }).pipe(
    Schedule.intersect(Schedule.identity<RequestError>()),
    Schedule.intersect(Schedule.elapsed),
    Schedule.whileOutput(([[, error], elapsed]) =>
      Duration.lessThan(elapsed, time) && Duration.lessThanOrEqualTo(Duration.sum(elapsed, asked(error)), time)
    ),
    Schedule.modifyDelay(([[, error], elapsed], delay) =>
      Duration.min(Duration.min(delay, Duration.max(longest, asked(error))), Duration.subtract(time, elapsed))
    )
  )

/** The delay that the service asks for. */
const asked = (error: RequestError): Duration.Duration => Option.getOrElse(retryAfter(error), () => Duration.zero)

const parse = (text: string): Either.Either<RetryPolicy.RetryPolicy, string> => {
  const named = Object.hasOwn(policies, text) ? policies[text] : undefined
  if (named !== undefined) return Either.right(named)
  return Either.mapBoth(Value.duration.parse(text), {
    onLeft: () => "must be patient, none or a time, such as 10m",
    onRight: upTo
  })
}

/** `--retry`: which policy the user wants. `fallback` says what happens without it. */
export const flag = (fallback: string): Flag.Flag<RetryPolicy.RetryPolicy | undefined> =>
  Flag.optional(
    { name: "patient|none|TIME", values: { _tag: "OneOf", words: Object.keys(policies) }, parse },
    "How long to retry requests that fail temporarily: patient for about half an hour, a time such as 10m for that long, " +
      `none not at all. These also wait for a service that has never responded. Default: ${fallback}.`
  )

/** Remembers why the last attempt failed, to show it during the wait for the next one. */
export const noting = (): {
  readonly reason: () => string
  readonly by: (policy: RetryPolicy.RetryPolicy) => RetryPolicy.RetryPolicy
} => {
  let reason = ""
  return {
    reason: () => reason,
    by: Schedule.tapInput((error) =>
      Effect.sync(() => {
        reason = Text.ofError(error)
      })
    )
  }
}

const isConnect = (error: RequestError): boolean => error._tag === "TransportError" && error.reason === "Connect"

/**
 * Whether the service has responded to a walk. A page counts when it is complete, but its items may arrive long before
 * that; and there has been no retry unless the service was reached, since `once` allows none before that.
 */
export const hasResponded = (progress: Progress.Tracker): Effect.Effect<boolean> =>
  Effect.map(progress, ({ items, pages, retries }) => pages > 0 || items > 0 || retries > 0)

/** Connection failures are retried once the service has responded. */
export const once =
  (hasResponded: Effect.Effect<boolean>) => (policy: RetryPolicy.RetryPolicy): RetryPolicy.RetryPolicy =>
    Schedule.whileInputEffect(
      policy,
      (error: RequestError) => isConnect(error) ? hasResponded : Effect.succeed(true)
    )

/** The kernel's rate limit, with durations and what responses ask for. */
import * as Limit from "@mailstream/kernel/Limit"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as ErrorResponse from "../../core/ErrorResponse.ts"
import * as InvalidOption from "../../core/InvalidOption.ts"
import type { Head } from "../Transport.ts"

export { initial, release, type Rule, type State, take } from "@mailstream/kernel/Limit"

/** The options of a rate limit. */
export interface Given {
  readonly requests?: number | undefined
  readonly per?: Duration.Input | undefined
  readonly maxPause?: Duration.Input | undefined
}

/** Whether these are options of a rate limit. */
export const check = (
  { maxPause = "1 minute", per = "1 second", requests = 1 }: Given
): Result.Result<void, InvalidOption.InvalidOption> =>
  Result.gen(function*() {
    yield* InvalidOption.positive("rateLimit.requests", requests)
    yield* InvalidOption.duration("rateLimit.per", per)
    yield* InvalidOption.duration("rateLimit.maxPause", maxPause, { infinite: true })
  })

export const ruleOf = ({ maxPause, per, requests }: Given): Limit.Rule =>
  Limit.ruleOf({ requests, per: millisOf(per), maxPause: millisOf(maxPause) })

const millisOf = (duration: Given["per"]): number | undefined =>
  duration === undefined ? undefined : Duration.toMillis(duration)

/** Returns a turn, and applies what the response says about the limit. Dates in it are those of the wall clock. */
export const learn = (
  rule: Limit.Rule,
  state: Limit.State,
  response: Head,
  now: number,
  wallTime: number
): Limit.State =>
  Limit.learn(rule, state, response, now, () =>
    Option.getOrUndefined(
      Option.map(
        ErrorResponse.retryAfter({ status: response.status, headers: response.headers, now: wallTime }),
        Duration.toMillis
      )
    ))

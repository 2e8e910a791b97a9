/** The kernel's rate limit, with durations and what responses ask for. */
import * as Limit from "@mailstream/kernel/Limit"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as ErrorResponse from "../../core/ErrorResponse.ts"
import type { Options } from "../RateLimit.ts"
import type { Head } from "../Transport.ts"

export { initial, release, type Rule, type State, take } from "@mailstream/kernel/Limit"

export const ruleOf = ({ maxPause, per, requests }: Options): Limit.Rule =>
  Limit.ruleOf({ requests, per: millisOf(per), maxPause: millisOf(maxPause) })

const millisOf = (duration: Options["per"]): number | undefined =>
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

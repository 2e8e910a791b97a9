/**
 * The rate limit of an account: N requests per window, shared by all of its keys. Every response says how many are left.
 *
 * @since 1.0.0
 */
import { RateLimitExceeded } from "@mailstream/core"
import * as InvalidOption from "@mailstream/core/InvalidOption"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Views from "../stores/Views.ts"
import * as Monotonic from "./Monotonic.ts"

/**
 * @since 1.0.0
 * @category models
 */
export interface Options {
  /** How many requests are allowed in each window, at least 1. */
  readonly requests: number
  /** The length of a window. Default: one second. */
  readonly per?: Duration.DurationInput | undefined
}

/**
 * @since 1.0.0
 * @category models
 */
export interface RateLimit {
  /** Counts one request. Fails if it exceeds the limit. */
  readonly take: Effect.Effect<void, RateLimitExceeded>
  /** The `ratelimit-*` headers of a response sent now. */
  readonly headers: Effect.Effect<{ readonly [name: string]: string }>
}

/**
 * The rate limit of each account: none of them uses up what another may still send.
 *
 * @since 1.0.0
 * @category constructors
 */
export const make = (options: Options): Effect.Effect<(account: string) => RateLimit, InvalidOption.InvalidOption> =>
  Effect.gen(function*() {
    const requests = yield* InvalidOption.integer("rateLimit.requests", options.requests, { min: 1 })
    const per = yield* InvalidOption.duration("rateLimit.per", options.per ?? "1 second")
    return Views.once(() => unsafeMake(requests, Duration.toMillis(per)))
  })

const unsafeMake = (requests: number, per: number): RateLimit => {
  const policy = `${requests};w=${Math.ceil(per / 1000)}`
  let remaining = requests
  let resetAt = -Infinity

  const startWindow = (now: number): void => {
    if (now < resetAt) return
    remaining = requests
    resetAt = now + per
  }

  return {
    take: Effect.flatMap(Monotonic.millis, (now) => {
      startWindow(now)
      if (remaining > 0) {
        remaining--
        return Effect.void
      }
      return new RateLimitExceeded({
        statusCode: 429,
        message: `Too many requests. The limit is ${requests} requests per ${Duration.format(per)}.`,
        retryAfter: Duration.millis(resetAt - now)
      })
    }),
    headers: Effect.map(Monotonic.millis, (now) => {
      startWindow(now)
      return {
        "ratelimit-limit": String(requests),
        "ratelimit-remaining": String(remaining),
        "ratelimit-reset": String(Math.ceil((resetAt - now) / 1000)),
        "ratelimit-policy": policy
      }
    })
  }
}

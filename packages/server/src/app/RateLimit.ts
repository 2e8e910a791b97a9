/**
 * The rate limit of the service: so many requests in each stretch of time, for the whole account. Every answer says
 * how many are left.
 *
 * @since 0.1.0
 */
import { RateLimitExceeded } from "@mailstream/core"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** How many requests are answered in each `per`. */
  readonly requests: number
  /** Default: one second. */
  readonly per?: Duration.DurationInput | undefined
}

/**
 * @since 0.1.0
 * @category models
 */
export interface RateLimit {
  /** Counts one request. Fails where it is one too many. */
  readonly take: Effect.Effect<void, RateLimitExceeded>
  /** The `ratelimit-*` headers of an answer that is given now. */
  readonly headers: Effect.Effect<{ readonly [name: string]: string }>
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: Options): Effect.Effect<RateLimit> =>
  Effect.sync(() => {
    const per = Duration.toMillis(options.per ?? "1 second")
    const policy = `${options.requests};w=${Math.ceil(per / 1000)}`
    let remaining = options.requests
    let resetAt = 0

    const turn = (now: number): void => {
      if (now < resetAt) return
      remaining = options.requests
      resetAt = now + per
    }

    return {
      take: Effect.flatMap(Clock.currentTimeMillis, (now) => {
        turn(now)
        if (remaining > 0) {
          remaining--
          return Effect.void
        }
        return new RateLimitExceeded({
          statusCode: 429,
          message: `Too many requests. The limit is ${options.requests} requests per ${Duration.format(per)}.`,
          retryAfter: Duration.millis(resetAt - now)
        })
      }),
      headers: Effect.map(Clock.currentTimeMillis, (now) => {
        turn(now)
        return {
          "ratelimit-limit": String(options.requests),
          "ratelimit-remaining": String(remaining),
          "ratelimit-reset": String(Math.ceil((resetAt - now) / 1000)),
          "ratelimit-policy": policy
        }
      })
    }
  })

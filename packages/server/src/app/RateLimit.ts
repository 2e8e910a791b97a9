/**
 * The rate limit of an account: N requests per window, with whichever of its keys. Every response says how many are left.
 *
 * @since 1.0.0
 */
import { RateLimitExceeded } from "@mailstream/core"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Account from "../stores/Account.ts"

/**
 * @since 1.0.0
 * @category models
 */
export interface Options {
  /** How many requests are allowed in each window. */
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
 * The rate limit of one account.
 *
 * @since 1.0.0
 * @category constructors
 */
export const make = (options: Options): Effect.Effect<RateLimit> => Effect.sync(() => unsafeMake(options))

/**
 * The rate limit of each account: none of them uses up what another may still send.
 *
 * @since 1.0.0
 * @category constructors
 */
export const makeAccounts = (options: Options): Effect.Effect<(account: string) => RateLimit> =>
  Effect.sync(() => Account.once(() => unsafeMake(options)))

const unsafeMake = (options: Options): RateLimit => {
  const per = Duration.toMillis(options.per ?? "1 second")
  const policy = `${options.requests};w=${Math.ceil(per / 1000)}`
  let remaining = options.requests
  let resetAt = 0

  const startWindow = (now: number): void => {
    if (now < resetAt) return
    remaining = options.requests
    resetAt = now + per
  }

  return {
    take: Effect.flatMap(Clock.currentTimeMillis, (now) => {
      startWindow(now)
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
      startWindow(now)
      return {
        "ratelimit-limit": String(options.requests),
        "ratelimit-remaining": String(remaining),
        "ratelimit-reset": String(Math.ceil((resetAt - now) / 1000)),
        "ratelimit-policy": policy
      }
    })
  }
}

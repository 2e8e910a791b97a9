/**
 * Keeps a client within the API's rate limit: a decorated `HttpClient` that everything which uses it shares, so that
 * the endpoints know nothing of it.
 *
 * Effect's own `RateLimiter` spaces calls by a fixed rule. This one also learns: the `ratelimit-*` headers of every
 * answer say how many requests are left until when, and a 429 makes everybody wait.
 *
 * @since 0.1.0
 */
import * as HttpClient from "@effect/platform/HttpClient"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import { waitOf } from "@mailstream/core"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** Space the requests: so many in each `per`, evenly. Without it requests are not spaced. */
  readonly requests?: number | undefined
  /** Default: one second. */
  readonly per?: Duration.DurationInput | undefined
  /**
   * The longest time that requests are held back after one answer, whatever it asks for; default: one minute. Who
   * was told to wait longer has that in the error.
   */
  readonly maxPause?: Duration.DurationInput | undefined
}

/**
 * Makes a decorator. All clients that go through the same decorator share one limit.
 *
 * @since 0.1.0
 * @category constructors
 * @example
 * ```ts
 * import { HttpClient } from "@effect/platform"
 * import { RateLimit } from "@mailstream/http"
 * import { Effect } from "effect"
 *
 * const client = Effect.gen(function*() {
 *   const limited = yield* RateLimit.make({ requests: 2, per: "1 second" })
 *   return limited(yield* HttpClient.HttpClient)
 * })
 * ```
 */
export const make = (
  options: Options = {}
): Effect.Effect<<E, R>(client: HttpClient.HttpClient.With<E, R>) => HttpClient.HttpClient.With<E, R>> =>
  Effect.sync(() => {
    const gate = makeGate(options)
    return (client) => HttpClient.transform(client, gate)
  })

const makeGate = (options: Options) => {
  const maxPause = Duration.toMillis(options.maxPause ?? "1 minute")
  const interval = options.requests === undefined ? 0 : Duration.toMillis(options.per ?? "1 second") / options.requests
  const queue = Effect.unsafeMakeSemaphore(1)

  // All times are the clock's milliseconds.
  let nextSlot = 0
  let pausedUntil = 0
  let inFlight = 0
  let limit = Infinity
  let remaining = Infinity
  let period = 1000
  let resetAt = 0
  // Whether an answer of this window has told its end, or it is only assumed.
  let told = false

  /** Takes a turn where one is free at this moment; otherwise says until when to wait. */
  const take = (now: number): number | undefined => {
    if (now >= resetAt) {
      remaining = limit
      resetAt = now + period
      told = false
    }
    const free = Math.max(pausedUntil, nextSlot, remaining > 0 ? 0 : resetAt)
    if (free > now) return free
    nextSlot = now + interval
    remaining--
    inFlight++
    return undefined
  }

  // Whoever cannot go at once waits in line; only the first in line watches the clock. A turn is taken where nothing
  // can interrupt it, so that it is always given back; waiting for one can be interrupted.
  const turn = (restore: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>): Effect.Effect<void> => {
    const wait: Effect.Effect<void> = Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const free = take(now)
      return free === undefined ? Effect.void : Effect.zipRight(restore(Effect.sleep(free - now)), wait)
    })
    return Effect.flatMap(
      Clock.currentTimeMillis,
      (now) =>
        take(now) === undefined
          ? Effect.void
          : Effect.zipRight(restore(queue.take(1)), Effect.ensuring(wait, queue.release(1)))
    )
  }

  const learn = (response: HttpClientResponse.HttpClientResponse, now: number): void => {
    const { headers } = response
    const left = number(headers["ratelimit-remaining"])
    const reset = number(headers["ratelimit-reset"])
    limit = number(headers["ratelimit-limit"]) ?? limit
    const window = number(/;\s*w=(\d+)/.exec(headers["ratelimit-policy"] ?? "")?.[1])
    if (window !== undefined) period = window * 1000
    if (left !== undefined && reset !== undefined && reset * 1000 <= maxPause) {
      // The others in flight may not have been counted yet. Answers may overtake each other, and their seconds are
      // rounded up: within one window, the lowest count and the earliest end are the right ones.
      const known = told && now < resetAt
      remaining = Math.min(left - (inFlight - 1), known ? remaining : Infinity)
      resetAt = Math.min(now + reset * 1000, known ? resetAt : Infinity)
      told = true
    }
    if (response.status === 429) {
      const wait = Option.getOrElse(waitOf({ status: response.status, headers, now }), () => Duration.seconds(1))
      pausedUntil = Math.max(pausedUntil, now + Math.min(Duration.toMillis(wait), maxPause))
    }
  }

  return <E, R>(
    send: Effect.Effect<HttpClientResponse.HttpClientResponse, E, R>
  ): Effect.Effect<HttpClientResponse.HttpClientResponse, E, R> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.zipRight(
        turn(restore),
        restore(send).pipe(
          Effect.tap((response) => Effect.map(Clock.currentTimeMillis, (now) => learn(response, now))),
          Effect.ensuring(Effect.sync(() => {
            inFlight--
          }))
        )
      )
    )
}

const number = (text: string | undefined): number | undefined =>
  text !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined

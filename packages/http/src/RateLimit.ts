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
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Gate from "./internal/gate.ts"

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
    const gate = Gate.make(options)
    return (client) =>
      HttpClient.transform(client, (send) =>
        Effect.uninterruptibleMask((restore) =>
          Effect.clockWith((clock) =>
            gate(send, { clock, restore }, { onFailure: Effect.failCause, onSuccess: Effect.succeed })
          )
        ))
  })

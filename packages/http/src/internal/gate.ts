import * as ErrorResponse from "@mailstream/core/ErrorResponse"
import type * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Options } from "../RateLimit.ts"
import type { Observed } from "../Telemetry.ts"
import type { Head } from "./transport.ts"

type Masked = Pick<Observed, "clock" | "restore">

/**
 * `Effect.matchCauseEffect` of a request that is sent when it is its turn, for where nothing can be interrupted. All
 * requests that go through the same gate share one limit.
 */
export interface Gate {
  <A extends Head, E, R, B, E2, R2>(
    send: Effect.Effect<A, E, R>,
    masked: Masked,
    match: {
      readonly onFailure: (cause: Cause.Cause<E>) => Effect.Effect<B, E2, R2>
      readonly onSuccess: (answer: A) => Effect.Effect<B, E2, R2>
    }
  ): Effect.Effect<B, E2, R | R2>
}

/** Everybody may pass. */
export const free: Gate = (send, { restore }, match) => Effect.matchCauseEffect(restore(send), match)

export const make = (options: Options): Gate => {
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
  const wait = (restore: Masked["restore"]): Effect.Effect<void> => {
    const first: Effect.Effect<void> = Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const free = take(now)
      return free === undefined ? Effect.void : Effect.zipRight(restore(Effect.sleep(free - now)), first)
    })
    return Effect.zipRight(restore(queue.take(1)), Effect.ensuring(first, queue.release(1)))
  }

  const learn = ({ headers, status }: Head, now: number): void => {
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
    if (status === 429) {
      const wait = Option.getOrElse(ErrorResponse.retryAfter({ status, headers, now }), () => Duration.seconds(1))
      pausedUntil = Math.max(pausedUntil, now + Math.min(Duration.toMillis(wait), maxPause))
    }
  }

  return (send, { clock, restore }, { onFailure, onSuccess }) => {
    let passed = take(clock.unsafeCurrentTimeMillis()) === undefined
    const sent = passed ? restore(send) : Effect.flatMap(wait(restore), () => {
      passed = true
      return restore(send)
    })
    return Effect.matchCauseEffect(sent, {
      onFailure: (cause) => {
        if (passed) inFlight--
        return onFailure(cause)
      },
      onSuccess: (answer) => {
        learn(answer, clock.unsafeCurrentTimeMillis())
        inFlight--
        return onSuccess(answer)
      }
    })
  }
}

const number = (text: string | undefined): number | undefined =>
  text !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined

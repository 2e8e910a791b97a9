/** The rate limit as a pure state machine. All times are in milliseconds of the clock. */
import * as ErrorResponse from "@mailstream/core/ErrorResponse"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import type { Options } from "../RateLimit.ts"
import type { Head } from "../Transport.ts"

export interface Rule {
  /** The time from one request to the next. */
  readonly interval: number
  /** The longest pause that a response can cause. */
  readonly maxPause: number
}

export interface State {
  readonly inFlight: number
  /** When the spacing allows the next request. */
  readonly nextSlot: number
  /** When the pause after a 429 is over. */
  readonly pausedUntil: number
  /** How many requests the API allows per window, and the length of a window, as learned from its responses. */
  readonly limit: number
  readonly period: number
  /** How many requests are left in the current window, and when it ends. */
  readonly remaining: number
  readonly resetAt: number
  /** Whether a response has said when the window ends; otherwise the end is an estimate. */
  readonly confirmed: boolean
}

export const initial: State = {
  inFlight: 0,
  nextSlot: 0,
  pausedUntil: 0,
  limit: Infinity,
  period: 1000,
  remaining: Infinity,
  resetAt: 0,
  confirmed: false
}

export const ruleOf = ({ maxPause = "1 minute", per = "1 second", requests = Infinity }: Options): Rule => ({
  interval: Duration.toMillis(per) / requests,
  maxPause: Duration.toMillis(maxPause)
})

/** Takes a turn if one is free now; otherwise returns when to try again. */
export const take = (
  rule: Rule,
  state: State,
  now: number
): readonly [state: State, waitUntil: number | undefined] => {
  const current = now >= state.resetAt ? renew(rule, state, now) : state
  const freeAt = Math.max(current.pausedUntil, current.nextSlot, current.remaining > 0 ? 0 : current.resetAt)
  if (freeAt > now) return [current, freeAt]
  return [{
    ...current,
    inFlight: current.inFlight + 1,
    nextSlot: now + rule.interval,
    remaining: current.remaining - 1
  }, undefined]
}

/** Begins a window. Whatever the API says, it has room for one request and is no longer than the longest pause. */
const renew = ({ maxPause }: Rule, state: State, now: number): State => ({
  ...state,
  remaining: Math.max(state.limit, 1),
  resetAt: now + Math.min(state.period, maxPause),
  confirmed: false
})

/** Returns a turn without a response. */
export const release = (state: State): State => ({ ...state, inFlight: state.inFlight - 1 })

/** Returns a turn, and applies what the response says about the limit. */
export const learn = (rule: Rule, state: State, response: Head, now: number): State =>
  pause(rule, count(rule, release(state), response, now), response, now)

/** Applies the `ratelimit-*` headers. */
const count = ({ maxPause }: Rule, state: State, { headers }: Head, now: number): State => {
  const { "ratelimit-limit": limit, "ratelimit-policy": policy } = headers
  const learned = limit === undefined && policy === undefined ? state : {
    ...state,
    limit: number(limit) ?? state.limit,
    period: periodOf(policy) ?? state.period
  }
  const remaining = number(headers["ratelimit-remaining"])
  const reset = number(headers["ratelimit-reset"])
  if (remaining === undefined || reset === undefined || reset * 1000 > maxPause) return learned
  // The API may not have counted the other requests in flight yet. Responses may overtake each other, and their seconds
  // are rounded up: within one window, the lowest count and the earliest end are right.
  const known = state.confirmed && now < state.resetAt
  return {
    ...learned,
    remaining: Math.min(remaining - state.inFlight, known ? state.remaining : Infinity),
    resetAt: Math.min(now + reset * 1000, known ? state.resetAt : Infinity),
    confirmed: true
  }
}

/** Applies a 429: pauses for `retry-after`, or one second. */
const pause = ({ maxPause }: Rule, state: State, { headers, status }: Head, now: number): State => {
  if (status !== 429) return state
  const wait = Option.getOrElse(ErrorResponse.retryAfter({ status, headers, now }), () => Duration.seconds(1))
  return { ...state, pausedUntil: Math.max(state.pausedUntil, now + Math.min(Duration.toMillis(wait), maxPause)) }
}

/** The length of the window in `10;w=1`. */
const periodOf = (policy = ""): number | undefined => {
  const seconds = number(/;\s*w=(\d+)/.exec(policy)?.[1])
  return seconds === undefined ? undefined : seconds * 1000
}

const number = (text: string | undefined): number | undefined =>
  text !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined

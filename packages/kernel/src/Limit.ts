/** The rate limit as a pure state machine. All times are in milliseconds of a monotonic clock. */
import type { Head } from "./Head.ts"

const second = 1000

export interface Rule {
  /** The time from one request to the next. */
  readonly interval: number
  /** The longest time for which responses can delay a request. */
  readonly maxPause: number
}

/** What is known before the first request. */
export const initial = {
  inFlight: 0,
  /** When the spacing allows the next request. */
  nextSlot: 0,
  /** When the pause after a 429 is over. */
  pausedUntil: 0,
  /** How many requests per second are sent at first after that pause, and when the pace allows the next one. */
  pace: Infinity,
  nextPaced: 0,
  /** How many requests the API accepted in the current second of counting, when it began, and in the one before. */
  accepted: 0,
  countedFrom: -Infinity,
  acceptedBefore: 0,
  /** How many requests the API allows per window, and the length of a window, as learned from its responses. */
  limit: Infinity,
  period: 1000,
  /** How many requests are left in the current window, and when it ends. */
  remaining: Infinity,
  resetAt: 0,
  /** Whether a response has said when the window ends; otherwise the end is an estimate. */
  confirmed: false,
  /** For how long responses have held requests back, in total, and since when they do so now. */
  held: 0,
  heldFrom: Infinity
}

export type State = Readonly<typeof initial>

/** What a client is told, in milliseconds. */
export interface Options {
  readonly requests?: number | undefined
  readonly per?: number | undefined
  readonly maxPause?: number | undefined
}

export const ruleOf = ({ maxPause = 60_000, per = second, requests = Infinity }: Options): Rule => ({
  interval: per / requests,
  maxPause
})

/**
 * Takes a turn if one is free now; otherwise returns when to try again. A request that has been denied a turn passes
 * the `held` of the state at that time: once responses have held it back for the longest pause, only the spacing counts.
 */
export const take = (
  { interval, maxPause }: Rule,
  state: State,
  now: number,
  heldBefore?: number
): readonly [state: State, waitUntil: number | undefined] => {
  const current = now >= state.resetAt ? renew(maxPause, state, now) : state
  const { nextSlot, pausedUntil, remaining } = current
  const held = current.held + Math.max(0, now - current.heldFrom)
  const earliest = Math.max(now, nextSlot)
  const allowed = Math.max(pausedUntil, current.nextPaced, remaining > 0 ? 0 : current.resetAt)
  const freeAt = Math.max(nextSlot, Math.min(allowed, earliest + maxPause - (held - (heldBefore ?? held))))
  if (freeAt > now) return [{ ...current, held, heldFrom: earliest }, freeAt]
  const next = {
    ...current,
    held,
    heldFrom: Infinity,
    inFlight: current.inFlight + 1,
    nextSlot: now + interval,
    nextPaced: now + second / paceAt(current, now),
    remaining: remaining - 1
  }
  return [next, undefined]
}

/** Begins a window. Whatever the API says, it has room for one request and is no longer than the longest pause. */
const renew = (maxPause: number, state: State, now: number): State => ({
  ...state,
  remaining: Math.max(state.limit, 1),
  resetAt: now + Math.min(state.period, maxPause),
  confirmed: false
})

/** Returns a turn without a response. */
export const release = (state: State): State => ({ ...state, inFlight: state.inFlight - 1 })

/** Returns a turn, and applies what the response says about the limit. `wait` is how long it asks to wait, if it does. */
export const learn = (
  rule: Rule,
  state: State,
  response: Head,
  now: number,
  wait: () => number | undefined
): State => {
  // Each of the two returns the turn as well, which saves a copy.
  const counted = count(rule, state, response, now)
  return response.status === 429 ? pause(rule, counted, now, wait() ?? second) : accept(counted, now)
}

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
    remaining: Math.min(remaining - (state.inFlight - 1), known ? state.remaining : Infinity),
    resetAt: Math.min(now + reset * 1000, known ? state.resetAt : Infinity),
    confirmed: true
  }
}

/** Counts an accepted request. Those that were sent before a pause still say how many the API accepts. */
const accept = (state: State, now: number): State => {
  const isSameSecond = now < state.countedFrom + second
  const next = {
    ...state,
    inFlight: state.inFlight - 1,
    accepted: isSameSecond ? state.accepted + 1 : 1,
    countedFrom: isSameSecond ? state.countedFrom : now,
    acceptedBefore: isSameSecond ? state.acceptedBefore : acceptedLately(state, now)
  }
  return now < state.pausedUntil ? { ...next, pace: Math.max(next.pace, acceptedLately(next, now)) } : next
}

/** The most requests that the API accepted within a second, of the last two. */
const acceptedLately = ({ accepted, acceptedBefore, countedFrom }: State, now: number): number =>
  now < countedFrom + 2 * second ? Math.max(accepted, acceptedBefore) : 0

/**
 * Applies a 429: pauses for `retry-after`, or one second. If all waiting requests were sent at once after that, most of
 * them would be rejected again, so they are sent at the pace at which the API last accepted them.
 */
const pause = ({ maxPause }: Rule, state: State, now: number, wait: number): State => ({
  ...state,
  inFlight: state.inFlight - 1,
  pausedUntil: Math.max(state.pausedUntil, now + Math.min(wait, maxPause)),
  pace: Math.max(acceptedLately(state, now), now < state.pausedUntil ? state.pace : 1)
})

/** The pace doubles every two seconds after a pause: the limit may be higher than it seemed, or no longer apply. */
const paceAt = ({ pace, pausedUntil }: State, now: number): number =>
  pace * 2 ** Math.max(0, Math.floor((now - pausedUntil) / (2 * second)))

/** The length of the window in `10;w=1`. */
const periodOf = (policy = ""): number | undefined => {
  const seconds = number(/;\s*w=(\d+)/.exec(policy)?.[1])
  return seconds === undefined ? undefined : seconds * 1000
}

const number = (text: string | undefined): number | undefined =>
  text !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined

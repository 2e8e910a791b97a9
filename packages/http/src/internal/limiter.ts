import { monotonicMillis, type Restore } from "@mailstream/kernel/Fibers"
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { constVoid } from "effect/Function"
import type { Head } from "../Transport.ts"
import * as Limit from "./limit.ts"

/** The turn of one request. It must be used in an uninterruptible region, so that it always ends. */
export interface Turn {
  /** Sends the request when its turn comes. Only waiting and sending can be interrupted. */
  readonly send: <A, E, R>(request: Effect.Effect<A, E, R>, restore: Restore) => Effect.Effect<A, E, R>
  /** Ends the turn, with the response if there is one. */
  readonly end: (response?: Head) => void
}

export const TypeId: unique symbol = /* #__PURE__ */ Symbol.for("@mailstream/http/RateLimit")

/** Gives each request its turn. */
export type Limiter = (clock: Clock.Clock) => Turn

/** A limiter that clients share. */
export interface Shared {
  readonly [TypeId]: Limiter
}

const free: Turn = { send: (request, restore) => restore(request), end: constVoid }

/** Sends every request immediately. */
const unlimited: Limiter = () => free

/** The limiter for an option of a client. */
export const fromOption = (rateLimit: Limit.Given | Shared | false = {}): Limiter => {
  if (rateLimit === false) return unlimited
  if (TypeId in rateLimit) return rateLimit[TypeId]
  const rule = Limit.ruleOf(rateLimit)
  return make(() => rule)
}

/** Keeps requests within one rate limit: each of them needs a turn. The rule is that of the moment. */
export const make = (rule: () => Limit.Rule): Limiter => {
  // Requests that cannot be sent immediately wait in line; only the first in line watches the clock.
  const line = Effect.unsafeMakeSemaphore(1)
  let state: Limit.State = Limit.initial

  /** Takes a turn, or returns when to try again. */
  const take = (clock: Clock.Clock, heldBefore?: number): number | undefined => {
    const [next, waitUntil] = Limit.take(rule(), state, monotonicMillis(clock), heldBefore)
    state = next
    return waitUntil
  }

  /** Waits for a turn that was denied. */
  const wait = (clock: Clock.Clock, restore: Restore): Effect.Effect<void> => {
    const heldBefore = state.held
    const first: Effect.Effect<void> = Effect.suspend(() => {
      const waitUntil = take(clock, heldBefore)
      return waitUntil === undefined
        ? Effect.void
        : Effect.zipRight(restore(Effect.sleep(Math.ceil(waitUntil - monotonicMillis(clock)))), first)
    })
    return Effect.zipRight(restore(line.take(1)), Effect.ensuring(first, line.release(1)))
  }

  return (clock) => {
    let taken = false
    return {
      send: (request, restore) => {
        taken = take(clock) === undefined
        return taken ? restore(request) : Effect.flatMap(wait(clock, restore), () => {
          taken = true
          return restore(request)
        })
      },
      end: (response) => {
        if (!taken) return
        state = response === undefined
          ? Limit.release(state)
          : Limit.learn(rule(), state, response, monotonicMillis(clock), clock.unsafeCurrentTimeMillis())
      }
    }
  }
}

/** Effects that callers promise to return. */
import * as Effect from "effect/Effect"
import { constVoid } from "effect/Function"
import * as Predicate from "effect/Predicate"

/** The effect that a function of the caller's returns. Without types it may return anything, and nothing would be done. */
export const required = <A, E, R>(name: string, run: () => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    const effect: unknown = run()
    if (Effect.isEffect(effect)) return effect as Effect.Effect<A, E, R>
    // Nobody will see what becomes of a promise.
    if (Predicate.isPromiseLike(effect)) effect.then(constVoid, constVoid)
    return Effect.die(new TypeError(`${name} did not return an Effect. ${advice}`))
  })

const advice = "Wrap a promise: Effect.promise(() => save(item))"

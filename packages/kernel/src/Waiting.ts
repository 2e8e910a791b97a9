/** Waits that end. */
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"

/**
 * Bounds the wait for an effect, even if neither of them can be interrupted: the effect is interrupted without waiting
 * for it. `Effect.timeoutFail` waits for ever in a region that cannot be interrupted, even for `Effect.disconnect`.
 */
export const within = <A, E, E2>(
  effect: Effect.Effect<A, E>,
  patience: Duration.Duration,
  onTimeout: () => E2
): Effect.Effect<A, E | E2> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function*() {
      const result = yield* Deferred.make<A, E | E2>()
      const running = yield* Effect.forkDaemon(Effect.intoDeferred(Effect.interruptible(effect), result))
      const timer = yield* Deferred.failSync(result, onTimeout).pipe(
        Effect.delay(patience),
        Effect.interruptible,
        Effect.forkDaemon
      )
      return yield* restore(Deferred.await(result)).pipe(
        Effect.ensuring(Effect.zipRight(Fiber.interruptFork(running), Fiber.interruptFork(timer)))
      )
    })
  )

/**
 * Runs two effects until one of them ends. An interruption ends when both of them have ended: that of `Effect.raceFirst` does not wait
 * for them, so that finalizers of the fiber around it run, and its resources are gone, while they still work. Both can be interrupted
 * when the other one has ended, also in a region that cannot.
 */
export const raceFirst = <A, E, R, A2, E2, R2>(
  one: Effect.Effect<A, E, R>,
  other: Effect.Effect<A2, E2, R2>
): Effect.Effect<A | A2, E | E2, R | R2> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function*() {
      const first = yield* Deferred.make<A | A2, E | E2>()
      const run = <B extends A | A2, F extends E | E2, S>(side: Effect.Effect<B, F, S>) =>
        Effect.fork(Effect.intoDeferred(Effect.interruptible(side), first))
      const fibers = [yield* run(one), yield* run(other)]
      const exit = yield* Effect.exit(restore(Deferred.await(first)))
      yield* Fiber.interruptAll(fibers)
      return yield* exit
    })
  )

/** Waits that end. */
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"

/**
 * Bounds the wait for an effect, even if neither of them can be interrupted: the effect is interrupted without waiting
 * for it. `Effect.timeoutOrElse` waits for ever in a region that cannot be interrupted.
 */
export const within = <A, E, E2>(
  effect: Effect.Effect<A, E>,
  patience: Duration.Duration,
  onTimeout: () => E2
): Effect.Effect<A, E | E2> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function*() {
      const result = yield* Deferred.make<A, E | E2>()
      const running = yield* Effect.forkDetach(Deferred.into(Effect.interruptible(effect), result))
      const timer = yield* Effect.forkDetach(
        Effect.interruptible(Effect.delay(Deferred.failSync(result, onTimeout), patience))
      )
      return yield* restore(Deferred.await(result)).pipe(
        Effect.ensuring(Effect.sync(() => {
          running.interruptUnsafe()
          timer.interruptUnsafe()
        }))
      )
    })
  )

/**
 * Runs two effects until one of them ends, and then waits for the end of the other one, which is interrupted. Both can be interrupted
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
        Effect.forkChild(Deferred.into(Effect.interruptible(side), first))
      const fibers = [yield* run(one), yield* run(other)]
      const exit = yield* Effect.exit(restore(Deferred.await(first)))
      yield* Fiber.interruptAll(fibers)
      return yield* exit
    })
  )

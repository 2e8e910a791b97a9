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

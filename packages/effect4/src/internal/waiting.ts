/** Waits that end. */
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

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

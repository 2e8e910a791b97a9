/** Work that finishes what it has begun when the user stops it. */
import type * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"

/** How long a command that was told to stop waits for what is in flight: less than the program itself does. */
const patience = Duration.seconds(8)

/**
 * Runs an effect that ends soon after `halt`: if it is interrupted, what it has begun is finished, for a while. `onStopped` runs
 * if it does not succeed.
 */
export const stoppable = <A, E, R, R2>(
  effect: Effect.Effect<A, E, R>,
  halt: Deferred.Deferred<void>,
  onStopped: (cause: Cause.Cause<E>) => Effect.Effect<void, never, R2>
): Effect.Effect<A, E, R | R2> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function*() {
      // A child would be interrupted together with this fiber.
      const fiber = yield* Effect.forkDaemon(restore(effect))
      const ended = yield* Effect.exit(restore(Fiber.await(fiber)))
      if (Exit.isFailure(ended)) {
        yield* Deferred.succeed(halt, undefined)
        // This fiber has been interrupted already, so that another one ends the wait.
        const limit = yield* Effect.delay(Fiber.interrupt(fiber), patience).pipe(
          Effect.interruptible,
          Effect.forkDaemon
        )
        yield* Fiber.await(fiber)
        yield* Fiber.interrupt(limit)
      }
      const exit = Exit.flatten(ended)
      if (Exit.isFailure(exit)) yield* onStopped(exit.cause)
      return yield* exit
    })
  )

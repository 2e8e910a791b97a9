/** One reading for all who want to read at the same time. */
import type * as Cause from "effect/Cause"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"

/**
 * Everyone who asks during a reading gets its result. The reading continues if one of them is interrupted, and ends when it has taken as long
 * as `patience`. Nobody waits longer than that. The next reading begins only after this one has ended, so that a database that does not
 * respond has one at a time.
 */
export const make = <A, E, R>(
  read: Effect.Effect<A, E, R>,
  patience: Duration.DurationInput
): Effect.Effect<Effect.Effect<A, E | Cause.TimeoutException>, never, R> =>
  Effect.map(Effect.context<R>(), (context) => {
    type Failure = E | Cause.TimeoutException
    let current: Fiber.Fiber<A, Failure> | undefined
    const end = Effect.sync(() => {
      current = undefined
    })
    const bounded: Effect.Effect<A, Failure> = Effect.timeout(Effect.provide(read, context), patience)
    // It would inherit that it cannot be interrupted from the region that begins it.
    const begin = Effect.map(Effect.forkDaemon(Effect.ensuring(Effect.interruptible(bounded), end)), (fiber) => {
      current = fiber
      return fiber
    })
    return Effect.uninterruptible(Effect.suspend(() => current === undefined ? begin : Effect.succeed(current))).pipe(
      Effect.flatMap(Fiber.join),
      Effect.timeout(patience)
    )
  })

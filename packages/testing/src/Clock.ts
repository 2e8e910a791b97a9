/** Tests whose waits take no time. */
import { Chunk, Effect, Fiber, Option, TestClock } from "effect"

/** Runs everything that does not wait for the clock. */
export const settle: Effect.Effect<void> = Effect.repeatN(Effect.yieldNow(), 100)

/** Runs an effect on a test clock that jumps to the next timer whenever nothing else is left to do. */
export const jumping = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.gen(function*() {
    const fiber = yield* Effect.fork(effect)
    const jump: Effect.Effect<void> = Effect.gen(function*() {
      yield* settle
      if (Option.isSome(yield* Fiber.poll(fiber))) return
      const timers = Chunk.toReadonlyArray(yield* TestClock.sleeps())
      if (timers.length > 0) yield* TestClock.setTime(Math.min(...timers))
      return yield* jump
    })
    yield* jump
    return yield* Fiber.join(fiber)
  })

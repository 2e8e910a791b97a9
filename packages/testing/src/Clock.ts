/** Tests whose waits take no time. */
import { Chunk, Effect, Fiber, TestClock } from "effect"
import { patience } from "./Eventually.ts"

/**
 * Runs every fiber until it waits for the clock or for something outside of the process. Fibers that can go on do so in
 * microtasks, and all of them run before the next turn of the event loop, however many there are.
 */
export const settle: Effect.Effect<void> = Effect.async((resume) => {
  const turn = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(turn))
})

/**
 * Waits until a fiber sleeps until this time of the test clock, in milliseconds. A request over a real socket takes some
 * turns of the event loop to get there.
 */
export const sleepingUntil = (time: number): Effect.Effect<void> =>
  Effect.suspend(() => {
    const end = performance.now() + patience
    const look: Effect.Effect<void> = Effect.gen(function*() {
      yield* settle
      const timers = Chunk.toReadonlyArray(yield* TestClock.sleeps())
      if (timers.includes(time)) return
      if (performance.now() > end) {
        return yield* Effect.dieMessage(`Nothing sleeps until ${time}, but until: ${timers.join(", ") || "no time"}`)
      }
      return yield* look
    })
    return look
  })

/** Lets the test clock jump from timer to timer until a condition holds, but not while anything else is left to do. */
export const jumpingUntil = (
  isOver: () => boolean,
  isBusy: () => boolean = () => false
): Effect.Effect<void> =>
  Effect.gen(function*() {
    yield* settle
    if (isOver()) return
    const timers = isBusy() ? [] : Chunk.toReadonlyArray(yield* TestClock.sleeps())
    if (timers.length > 0) yield* TestClock.setTime(Math.min(...timers))
    return yield* jumpingUntil(isOver, isBusy)
  })

/** Runs an effect on a test clock that jumps to the next timer whenever nothing else is left to do. */
export const jumping = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.gen(function*() {
    const fiber = yield* Effect.fork(effect)
    yield* jumpingUntil(() => fiber.unsafePoll() !== null)
    return yield* Fiber.join(fiber)
  })

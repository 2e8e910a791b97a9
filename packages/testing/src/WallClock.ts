/** A wall clock that a test sets, as an operator or NTP does. */
import { Clock, Duration, Effect, Fiber, TestClock } from "effect"
import * as TestingClock from "./Clock.ts"

export interface Settable {
  readonly clock: Clock.Clock
  /** Shows this much more or less than the real time from now on. */
  readonly shift: (by: Duration.DurationInput, direction: "forward" | "back") => void
}

/** The current clock, whose milliseconds can be shifted. Its nanoseconds are monotonic, and its timers are those of before. */
export const make: Effect.Effect<Settable> = Effect.map(Effect.clock, (inner) => {
  let shifted = 0
  const millis = () => inner.unsafeCurrentTimeMillis() + shifted
  return {
    clock: {
      [Clock.ClockTypeId]: Clock.ClockTypeId,
      unsafeCurrentTimeMillis: millis,
      unsafeCurrentTimeNanos: () => inner.unsafeCurrentTimeNanos(),
      currentTimeMillis: Effect.sync(millis),
      currentTimeNanos: inner.currentTimeNanos,
      sleep: (duration) => inner.sleep(duration)
    },
    shift: (by, direction) => {
      shifted = (direction === "back" ? -1 : 1) * Duration.toMillis(by)
    }
  }
})

/** A step of the wall clock: nothing, or a day. */
export const steps = [[0, "forward"], ["24 hours", "forward"], ["24 hours", "back"]] as const

/** How many milliseconds of the test's clock a wait takes, however it ends, if the wall clock is set `after` it has begun. */
export const elapsed = (
  wait: Effect.Effect<unknown, unknown>,
  after: Duration.DurationInput,
  [by, direction]: (typeof steps)[number]
): Effect.Effect<number> =>
  Effect.gen(function*() {
    const inner = yield* Effect.clock
    const { clock, shift } = yield* make
    const began = inner.unsafeCurrentTimeMillis()
    let ended = began
    const fiber = yield* wait.pipe(
      Effect.ensuring(Effect.sync(() => {
        ended = inner.unsafeCurrentTimeMillis()
      })),
      Effect.exit,
      Effect.withClock(clock),
      Effect.fork
    )
    const isOver = () => fiber.unsafePoll() !== null
    yield* TestingClock.settle
    yield* TestClock.adjust(after)
    if (isOver()) return yield* Effect.dieMessage("It ended before the clock was set.")
    shift(by, direction)
    yield* TestingClock.jumpingUntil(() => inner.unsafeCurrentTimeMillis() >= began + 100_000 || isOver())
    if (!isOver()) return yield* Effect.dieMessage("It did not end.")
    yield* Fiber.join(fiber)
    return ended - began
  })

/** A wall clock that a test sets, as an operator or NTP does. */
import { Clock, Duration, Effect } from "effect"

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

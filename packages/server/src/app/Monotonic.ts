/** The clock for waits and durations: it never jumps, as the wall clock does when it is set. It does not tell the time. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** In milliseconds, since an arbitrary moment. */
export const unsafeMillis = (clock: Clock.Clock): number => Number(clock.unsafeCurrentTimeNanos()) / 1e6

export const millis: Effect.Effect<number> = Clock.clockWith((clock) => Effect.sync(() => unsafeMillis(clock)))

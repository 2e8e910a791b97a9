/** Waits for what happens outside, and moves the clock, without waiting for time to pass. */
import { Clock, Effect } from "effect"

const turn = Effect.promise(() => new Promise(setImmediate))

/** Waits until something is so. */
export const until = <E = never, R = never>(isSo: (() => boolean) | Effect.Effect<boolean, E, R>) =>
  Effect.repeat(Effect.zipRight(turn, typeof isSo === "function" ? Effect.sync(isSo) : isSo), { until: (done) => done })

/** As if it were done an hour later. */
export const anHourLater = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.clockWith((clock) =>
    Effect.withClock(effect, {
      [Clock.ClockTypeId]: Clock.ClockTypeId,
      unsafeCurrentTimeMillis: () => clock.unsafeCurrentTimeMillis() + 3_600_000,
      currentTimeMillis: Effect.map(clock.currentTimeMillis, (now) => now + 3_600_000),
      unsafeCurrentTimeNanos: () => clock.unsafeCurrentTimeNanos(),
      currentTimeNanos: clock.currentTimeNanos,
      sleep: (duration) => clock.sleep(duration)
    })
  )

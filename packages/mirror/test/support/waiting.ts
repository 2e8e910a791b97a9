/** Waits for what happens outside, and moves the clock, without waiting for time to pass. */
import * as WallClock from "@mailstream/testing/WallClock"
import { Effect } from "effect"

const turn = Effect.promise(() => new Promise(setImmediate))

/** Waits until something is so. */
export const until = <E = never, R = never>(isSo: (() => boolean) | Effect.Effect<boolean, E, R>) =>
  Effect.repeat(Effect.zipRight(turn, typeof isSo === "function" ? Effect.sync(isSo) : isSo), { until: (done) => done })

/** As if it were done an hour later. */
export const anHourLater = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(WallClock.make, ({ clock, shift }) => {
    shift("1 hour", "forward")
    return Effect.withClock(effect, clock)
  })

/** Moments on both clocks: the wall clock can be set, and the monotonic one stands still in a machine that sleeps. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { monotonicMillis } from "./Fibers.ts"

export interface Moment {
  readonly wall: number
  readonly monotonic: number
}

export const of = (clock: Clock.Clock): Moment => ({
  wall: clock.unsafeCurrentTimeMillis(),
  monotonic: monotonicMillis(clock)
})

export const now: Effect.Effect<Moment> = Clock.clockWith((clock) => Effect.sync(() => of(clock)))

/** How many milliseconds have passed at least, whatever happened to one of the clocks. */
export const elapsed = (from: Moment, to: Moment): number =>
  Math.max(to.wall - from.wall, to.monotonic - from.monotonic)

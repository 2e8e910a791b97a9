/** Moments of Effect's clocks. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { monotonicMillis } from "./Fibers.ts"
import type { Moment } from "./Moments.ts"

export { elapsed, type Moment } from "./Moments.ts"

export const of = (clock: Clock.Clock): Moment => ({
  wall: clock.unsafeCurrentTimeMillis(),
  monotonic: monotonicMillis(clock)
})

export const now: Effect.Effect<Moment> = Clock.clockWith((clock) => Effect.sync(() => of(clock)))

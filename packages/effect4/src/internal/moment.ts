/** Moments of Effect's clocks. */
import type { Moment } from "@mailstream/kernel/Moments"
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { monotonicMillis } from "./fibers.ts"

export const of = (clock: Clock.Clock): Moment => ({
  wall: clock.currentTimeMillisUnsafe(),
  monotonic: monotonicMillis(clock)
})

export const now: Effect.Effect<Moment> = /* #__PURE__ */ Effect.clockWith((clock) => Effect.sync(() => of(clock)))

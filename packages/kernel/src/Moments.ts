/** Moments on both clocks: the wall clock can be set, and the monotonic one stands still in a machine that sleeps. */
export interface Moment {
  readonly wall: number
  readonly monotonic: number
}

/** How many milliseconds have passed at least, whatever happened to one of the clocks. */
export const elapsed = (from: Moment, to: Moment): number =>
  Math.max(to.wall - from.wall, to.monotonic - from.monotonic)

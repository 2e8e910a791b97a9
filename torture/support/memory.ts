/** How much memory is in use while something runs. */
import { collect } from "@mailstream/testing/Memory"
import { Effect } from "effect"

export const megabytes = (bytes: number): number => bytes / 1e6

/** Live memory: objects, and the bytes outside the heap that they hold. */
export const live = (): number => {
  collect()
  const { external, heapUsed } = process.memoryUsage()
  return megabytes(heapUsed + external)
}

let highest: number | undefined

/** Samples the live memory, if it is being watched. */
export const look = (): void => {
  if (highest !== undefined) highest = Math.max(highest, live())
}

/**
 * Runs an effect, and returns the peak growth of live memory in megabytes, sampled periodically and whenever `look` is
 * called. One at a time.
 */
export const watched = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<readonly [value: A, peak: number], E, R> =>
  Effect.suspend(() => {
    const before = live()
    highest = before
    const looking = Effect.forever(Effect.zipRight(Effect.sleep("25 millis"), Effect.sync(look)))
    return Effect.raceFirst(effect, looking).pipe(
      Effect.map((value) => [value, (highest ?? before) - before] as const),
      Effect.ensuring(Effect.sync(() => {
        highest = undefined
      }))
    )
  })

/** Waits for what happens outside of fibers: on sockets, in files, in other processes. */
import { Effect } from "effect"
import { setTimeout } from "node:timers/promises"

/** In milliseconds; less than a test may take, so that its failure says what did not happen. */
export const patience = 10_000

const never = (what: string, seconds: number) =>
  Effect.dieMessage(`This did not happen within ${seconds} seconds: ${what}`)

/** Waits until something has happened. Dies with its name if it does not. */
export const eventually = (what: string, hasHappened: () => boolean): Effect.Effect<void> =>
  Effect.async((resume) => {
    const end = performance.now() + patience
    let next: NodeJS.Timeout | undefined
    const look = (): void => {
      if (hasHappened()) resume(Effect.void)
      else if (performance.now() < end) next = globalThis.setTimeout(look, 1)
      else resume(never(what, patience / 1000))
    }
    look()
    return Effect.sync(() => clearTimeout(next))
  })

/**
 * Waits until a number stops growing, because whatever makes it grow has to wait, or has passed a limit. If it stops too
 * early on a busy machine, a test finds less than there is, never more.
 */
export const stalled = (what: string, count: () => number, limit = Infinity): Effect.Effect<void> =>
  Effect.suspend(() => {
    let [before, quiet] = [0, 0]
    return eventually(what, () => {
      const now = count()
      quiet = now > 0 && now === before ? quiet + 1 : 0
      before = now
      return quiet === 50 || now > limit
    })
  })

/** In real time, whatever the clock of the test. */
const pause = Effect.promise(() => setTimeout(10))

/** Looks until what it finds is as expected, and returns that: for what takes a process or a database to find. */
export const found = <A, E, R>(
  what: string,
  look: Effect.Effect<A, E, R>,
  isExpected: (found: A) => boolean,
  seconds = 45
): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    const end = performance.now() + seconds * 1000
    const again: Effect.Effect<A, E, R> = Effect.flatMap(look, (found) =>
      isExpected(found)
        ? Effect.succeed(found)
        : performance.now() < end
        ? Effect.zipRight(pause, again)
        : never(what, seconds))
    return again
  })

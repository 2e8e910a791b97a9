/** Commits that may arrive in any order: the stored position never passes anything that is not committed. */
import * as Effect from "effect/Effect"

export interface Committing<out E> {
  /** Registers a position, in order, and returns what commits it. */
  readonly add: (to: number) => Effect.Effect<void, E>
}

export const make = <E>(
  from: number,
  store: (from: number, to: number) => Effect.Effect<void, E>
): Effect.Effect<Committing<E>> =>
  Effect.map(Effect.makeSemaphore(1), (turns) => {
    const open: Array<{ readonly to: number; isDone: boolean }> = []
    let stored = from
    return {
      add: (to) => {
        const entry = { to, isDone: false }
        open.push(entry)
        return turns.withPermits(1)(Effect.suspend(() => {
          entry.isDone = true
          const first = open.findIndex(({ isDone }) => !isDone)
          const done = first < 0 ? open.length : first
          const last = open[done - 1]
          if (last === undefined || last.to === stored) return Effect.void
          return Effect.map(store(stored, last.to), () => {
            stored = last.to
            open.splice(0, done)
          })
        }))
      }
    }
  })

/** Time that passes only when nothing else is left to do, for everything in this process. */

interface Timer {
  readonly at: number
  readonly call: () => void
}

export interface Time {
  /** The milliseconds since the beginning. */
  readonly now: () => number
}

const begin = Date.UTC(2026, 10, 19)

/** Longer than any chain of turns of the event loop that waits for nothing else. */
const quietTurns = 5

const real = { setTimeout, clearTimeout, setImmediate }

/** Replaces the clocks of this process, until they are restored. */
const replaceClocks = (now: () => number): () => void => {
  const clocks = [
    [Date, "now", () => begin + Math.floor(now())],
    [performance, "now", now],
    [process.hrtime, "bigint", () => BigInt(Math.round(now() * 1e6))]
  ] as const
  const originals = clocks.map(([clock, method]): unknown => Reflect.get(clock, method))
  for (const [clock, method, read] of clocks) Reflect.set(clock, method, read)
  return () => clocks.forEach(([clock, method], index) => Reflect.set(clock, method, originals[index]))
}

/**
 * Imports modules while all clocks show a whole millisecond: those of both versions of Effect remember when they began, and what they
 * measure would be rounded in different ways.
 */
export const imported = async <A>(modules: () => Promise<A>): Promise<A> => {
  const restore = replaceClocks(() => 0)
  return modules().finally(restore)
}

/**
 * Runs a program in virtual time. Timers are called in the order of their times, those of the same time in the order in which they
 * were set, each when everything before it has come to rest. A program that waits for something that never happens fails.
 */
export const virtually = async <A>(program: (time: Time) => Promise<A>): Promise<A> => {
  const timers = new Map<number, Timer>()
  let [now, id, activity, immediates] = [0, 0, 0, 0]

  const set = (call: (...args: ReadonlyArray<unknown>) => void, millis = 0, ...args: ReadonlyArray<unknown>) => {
    activity++
    timers.set(++id, { at: now + Math.max(0, millis), call: () => call(...args) })
    const timer = id
    const handle = {
      timer,
      ref: () => handle,
      unref: () => handle,
      hasRef: () => true,
      [Symbol.toPrimitive]: () => timer
    }
    return handle
  }
  const clear = (handle: unknown): void => {
    if (typeof handle === "object" && handle !== null && "timer" in handle) timers.delete(Number(handle.timer))
    else real.clearTimeout(handle as undefined)
  }
  const immediately = (call: (...args: ReadonlyArray<unknown>) => void, ...args: ReadonlyArray<unknown>) => {
    activity++
    immediates++
    return real.setImmediate(() => {
      immediates--
      call(...args)
    })
  }
  const turn = () => new Promise<void>((resolve) => void real.setImmediate(resolve))
  const rest = async (): Promise<void> => {
    for (
      let quiet = 0, before = -1;
      quiet < quietTurns || immediates > 0;
      quiet = activity === before ? quiet + 1 : 0
    ) {
      before = activity
      await turn()
    }
  }

  const patch = (globals: object): void => void Object.assign(globalThis, globals)
  patch({ setTimeout: set, clearTimeout: clear, setImmediate: immediately })
  const restore = replaceClocks(() => now)
  try {
    let hasEnded = false
    const running = program({ now: () => now }).finally(() => {
      hasEnded = true
    })
    running.catch(() => {})
    for (let steps = 0;; steps++) {
      await rest()
      if (hasEnded) return await running
      const next = [...timers].reduce<readonly [number, Timer] | undefined>(
        (first, other) => first === undefined || other[1].at < first[1].at ? other : first,
        undefined
      )
      if (next === undefined || steps === 100_000) throw new Error("The program never ends.")
      timers.delete(next[0])
      now = next[1].at
      next[1].call()
    }
  } finally {
    patch(real)
    restore()
  }
}

/** A wall clock that another process sets, at once for all that read it: even for one that is suspended at that moment. */
import { Clock, Duration, Effect } from "effect"
import { openSync, readSync, writeSync } from "node:fs"

/** By how much the clock is moved at a time: more than the service remembers an idempotency key. */
const step = Duration.toMillis("25 hours")

/** Waits this long or longer are those for a quota. They take seconds. */
const long = Duration.minutes(10)
const short = Duration.seconds(2)

/** The current clock, as many steps ahead as the file says. Its nanoseconds are monotonic. */
export const layered = (file: string): Effect.Effect<Clock.Clock> =>
  Effect.map(Effect.clock, (inner) => {
    const [descriptor, byte] = [openSync(file, "r"), Buffer.alloc(1)]
    const millis = () => {
      readSync(descriptor, byte, 0, 1, 0)
      return inner.unsafeCurrentTimeMillis() + byte[0]! * step
    }
    return {
      [Clock.ClockTypeId]: Clock.ClockTypeId,
      unsafeCurrentTimeMillis: millis,
      unsafeCurrentTimeNanos: () => inner.unsafeCurrentTimeNanos(),
      currentTimeMillis: Effect.sync(millis),
      currentTimeNanos: inner.currentTimeNanos,
      sleep: (duration) => inner.sleep(Duration.greaterThanOrEqualTo(duration, long) ? short : duration)
    }
  })

/** Runs an effect with the clock of a file; with that of the system if there is none. */
export const withFile = (file: string) => <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  file === "" ? effect : Effect.flatMap(layered(file), (clock) => Effect.withClock(effect, clock))

/** A file with a clock, and a way to move it by a step. */
export const make = (file: string): { readonly file: string; readonly move: () => void } => {
  const descriptor = openSync(file, "w")
  let steps = 0
  // A single byte is never read in part.
  const write = () => void writeSync(descriptor, Buffer.of(steps), 0, 1, 0)
  write()
  return {
    file,
    move: () => {
      steps++
      write()
    }
  }
}

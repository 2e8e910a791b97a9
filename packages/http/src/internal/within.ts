import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"

const live = Context.get(DefaultServices.liveServices, Clock.Clock)

/** Whether a clock is the machine's, so that its timers can be used without a fiber that sleeps. */
export const isLive = (clock: Clock.Clock): boolean => clock === live

/** What a timer of the machine can wait for at the most. */
const longest = 2 ** 31 - 1

/** Calls back after a while, unless it is told not to. Nobody waits forever: then nothing is called. */
export const after = (duration: Duration.Duration, call: () => void): () => void => {
  const millis = Duration.toMillis(duration)
  if (millis > longest) return () => {}
  const timer = setTimeout(call, millis)
  return () => clearTimeout(timer)
}

/**
 * `Effect.timeoutFail`, with one fiber instead of two where the clock is the machine's.
 */
export const within = <A, E, E2, R>(
  effect: Effect.Effect<A, E, R>,
  duration: Duration.Duration,
  onTimeout: () => E2
): Effect.Effect<A, E | E2, R> =>
  Effect.clockWith((clock) =>
    isLive(clock)
      ? Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(Effect.forkDaemon(restore(effect)), (fiber) =>
          restore(Effect.async<A, E | E2>((resume) => {
            const cancel = after(
              duration,
              () => resume(Effect.zipRight(Fiber.interrupt(fiber), Effect.failSync(onTimeout)))
            )
            fiber.addObserver((exit) => {
              cancel()
              resume(exit)
            })
            return Effect.zipRight(Effect.sync(cancel), Fiber.interrupt(fiber))
          })))
      )
      : Effect.timeoutFail(effect, { duration, onTimeout })
  )

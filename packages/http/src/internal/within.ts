import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { constVoid } from "effect/Function"
import type { Pending } from "./transport.ts"

const live = Context.get(DefaultServices.liveServices, Clock.Clock)

/** Whether a clock is the machine's, so that its timers can be used without a fiber that sleeps. */
const isLive = (clock: Clock.Clock): boolean => clock === live

/** What a timer of the machine can wait for at the most. */
const longest = 2 ** 31 - 1

/** Calls back after a while, unless it is told not to. Nobody waits forever: then nothing is called. */
const after = (duration: Duration.Duration, call: () => void): () => void => {
  const millis = Duration.toMillis(duration)
  if (millis > longest) return constVoid
  const timer = setTimeout(call, millis)
  return () => clearTimeout(timer)
}

/**
 * `Effect.async` with an end to the waiting, and no fiber for that where the clock is the machine's. What was begun is
 * abandoned when it takes too long.
 */
export const wait = <A, E>(
  duration: Duration.Duration,
  onTimeout: E,
  begin: (resume: (result: Effect.Effect<A, E>) => void) => () => void
): Pending<A, E> => {
  let cancel = constVoid
  let end = constVoid
  const abandon = (): void => {
    cancel()
    end()
  }
  const fail = (): E => {
    abandon()
    return onTimeout
  }
  return {
    abandon,
    result: Effect.clockWith((clock) => {
      const timed = isLive(clock)
      const waiting = Effect.async<A, E>((resume) => {
        if (timed) cancel = after(duration, () => resume(Effect.fail(fail())))
        end = begin((result) => {
          cancel()
          resume(result)
        })
      })
      return timed ? waiting : Effect.timeoutFail(waiting, { duration, onTimeout: fail })
    })
  }
}

/** Waits for the end. Nothing is left behind when whoever waits is interrupted. */
export const complete = <A, E>({ abandon, result }: Pending<A, E>): Effect.Effect<A, E> =>
  Effect.onInterrupt(result, () => Effect.sync(abandon))

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

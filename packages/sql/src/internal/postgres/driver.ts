/**
 * What the `pg` driver below a client can do besides running statements: cancel one, drop its connection, and look at it from
 * another session. Its timers are the system's, as those of the driver.
 */
import * as Driver from "@mailstream/kernel/postgres/Driver"
import type { Look } from "@mailstream/kernel/postgres/Limits"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Fiber from "effect/Fiber"
import { identity as same } from "effect/Function"
import * as Runtime from "effect/Runtime"

export {
  connectingWithin,
  identify,
  identity,
  type Session,
  sessionOf,
  type Stream
} from "@mailstream/kernel/postgres/Driver"

/** Waits for a fiber, but no longer than this, nor after the signal. */
export const within = <A, E>(
  fiber: Fiber.RuntimeFiber<A, E>,
  millis: number,
  signal?: AbortSignal
): Effect.Effect<ReturnType<typeof fiber.unsafePoll>> =>
  Effect.async((resume) => {
    const forget = () => {
      prevent()
      fiber.removeObserver(done)
    }
    const done = () => {
      forget()
      resume(Effect.sync(() => fiber.unsafePoll()))
    }
    const prevent = Driver.later(millis, signal, done)
    fiber.addObserver(done)
    return Effect.sync(forget)
  })

/** Closes the connection without a word to the server: whatever runs on it fails at once. */
export const destroy = (session: Driver.Session): Effect.Effect<void> => Effect.sync(() => Driver.destroy(session))

/**
 * Asks the server to cancel what a session is doing, through a connection of its own. Returns false if it is unknown whether the
 * request has arrived: then it may still arrive, and the session must not be used for anything else.
 */
export const cancel = (session: Driver.Session): Effect.Effect<boolean> =>
  Effect.async((resume) => Driver.cancel(session, (isDone) => resume(Effect.succeed(isDone))))

/** Looks at a session from another one, which is opened for that, for up to this long, or until the signal. */
export const lookAt = (session: Driver.Session, millis: number, signal?: AbortSignal): Effect.Effect<Look> =>
  Effect.async((resume) => {
    const end = Driver.lookAt(session, millis, signal, (look) => resume(Effect.succeed(look)))
    return Effect.sync(end)
  })

/** Whether a pooler gives the process behind a session to others between its transactions. */
export const isShared = <E>(
  session: Driver.Session,
  run: (statement: string) => Effect.Effect<ReadonlyArray<unknown>, E>
): Effect.Effect<boolean, E> =>
  Effect.flatMap(Effect.runtime<never>(), (runtime) =>
    Effect.tryPromise({
      try: (signal) =>
        Driver.isShared(
          session,
          (statement) =>
            Runtime.runPromise(runtime)(Effect.either(run(statement)), { signal }).then(Either.getOrThrowWith(same)),
          signal
        ),
      // Nothing else fails: what another session is refused is a result.
      catch: (error) => error as E
    }))

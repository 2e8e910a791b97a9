/**
 * What the program ends with.
 *
 * | code | meaning |
 * |---|---|
 * | 0 | all is well; also where the reader of a pipe has seen enough, and where a signal ends what never ends by itself (`follow`, `serve`) |
 * | 1 | it failed, and one line says how |
 * | 2 | it was called in a wrong way, and one line says what to do |
 * | 130, 143 | SIGINT, SIGTERM ended it before it was done |
 *
 * @since 0.1.0
 */
import type { Teardown } from "@effect/platform/Runtime"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as MutableRef from "effect/MutableRef"

/**
 * @since 0.1.0
 * @category codes
 */
export const ok = 0

/**
 * @since 0.1.0
 * @category codes
 */
export const failed = 1

/**
 * @since 0.1.0
 * @category codes
 */
export const wrongUsage = 2

/**
 * @since 0.1.0
 * @category codes
 */
export const interrupted = 130

/**
 * @since 0.1.0
 * @category codes
 */
export const terminated = 143

/**
 * Whether a signal is the regular end of what is running.
 *
 * @since 0.1.0
 * @category services
 */
export class Endless extends Context.Reference<Endless>()("@mailstream/cli/Endless", {
  defaultValue: () => MutableRef.make(false)
}) {}

/**
 * Marks an effect that ends with a signal alone.
 *
 * @since 0.1.0
 * @category combinators
 */
export const endless = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.zipRight(Effect.map(Endless, MutableRef.set(true)), effect)

/**
 * Ends the process with the number that the program came to, or with that of the signal that interrupted it.
 *
 * @since 0.1.0
 * @category teardown
 */
export const teardown = (endless: MutableRef.MutableRef<boolean>, signal: () => "SIGINT" | "SIGTERM"): Teardown =>
(
  exit,
  onExit
) =>
  onExit(Exit.match(exit, {
    onSuccess: (code) => typeof code === "number" ? code : ok,
    onFailure: (cause) => {
      if (!Cause.isInterruptedOnly(cause)) return failed
      if (MutableRef.get(endless)) return ok
      return signal() === "SIGTERM" ? terminated : interrupted
    }
  }))

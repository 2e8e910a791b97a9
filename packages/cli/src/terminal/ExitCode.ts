/**
 * The exit codes of the program.
 *
 * | code | meaning |
 * |---|---|
 * | 0 | success; also when the reader closes the pipe, or a signal ends a command that runs until it is stopped (`follow`, `serve`, `worker`, `sync --every`, `changes --follow`) |
 * | 1 | failure: one line says what happened |
 * | 2 | usage error: one line says what to type instead |
 * | 129, 130, 143 | ended by SIGHUP, SIGINT, SIGTERM before it finished |
 *
 * @since 1.0.0
 */
import type { Teardown } from "@effect/platform/Runtime"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as MutableRef from "effect/MutableRef"

/**
 * @since 1.0.0
 * @category codes
 */
export const ok = 0

/**
 * @since 1.0.0
 * @category codes
 */
export const failed = 1

/**
 * @since 1.0.0
 * @category codes
 */
export const usageError = 2

/**
 * @since 1.0.0
 * @category codes
 */
export const hungUp = 129

/**
 * @since 1.0.0
 * @category codes
 */
export const interrupted = 130

/**
 * @since 1.0.0
 * @category codes
 */
export const terminated = 143

/**
 * Whether the running command ends only by a signal, so that a signal means success.
 *
 * @since 1.0.0
 * @category services
 */
export class Endless extends Context.Reference<Endless>()("@mailstream/cli/Endless", {
  defaultValue: () => MutableRef.make(false)
}) {}

/**
 * Marks an effect as one that ends only by a signal.
 *
 * @since 1.0.0
 * @category combinators
 */
export const endless = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.zipRight(Effect.map(Endless, MutableRef.set(true)), effect)

/**
 * The signals that shut the program down cleanly.
 *
 * @since 1.0.0
 * @category models
 */
export type Signal = "SIGHUP" | "SIGINT" | "SIGTERM"

const ofSignal: { readonly [signal in Signal]: number } = {
  SIGHUP: hungUp,
  SIGINT: interrupted,
  SIGTERM: terminated
}

/**
 * Ends the process with the exit code of the program, or with that of the signal that interrupted it.
 *
 * @since 1.0.0
 * @category teardown
 */
export const teardown = (endless: MutableRef.MutableRef<boolean>, signal: () => Signal): Teardown => (exit, onExit) =>
  onExit(Exit.match(exit, {
    onSuccess: (code) => typeof code === "number" ? code : ok,
    onFailure: (cause) => {
      if (!Cause.isInterruptedOnly(cause)) return failed
      return MutableRef.get(endless) ? ok : ofSignal[signal()]
    }
  }))

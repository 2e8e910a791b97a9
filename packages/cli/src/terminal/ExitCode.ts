/** The exit codes of the program. `usage/Help.ts` has what they mean. */
import type { Teardown } from "@effect/platform/Runtime"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as MutableRef from "effect/MutableRef"

export const codes = { ok: 0, failed: 1, usageError: 2, SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

/** Whether the running command ends only by a signal, so that a signal means success. */
export class Endless extends Context.Reference<Endless>()("@mailstream/cli/Endless", {
  defaultValue: () => MutableRef.make(false)
}) {}

/** Marks an effect as one that ends only by a signal. */
export const endless = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.zipRight(Effect.map(Endless, MutableRef.set(true)), effect)

/** The signals that shut the program down cleanly. */
export type Signal = "SIGHUP" | "SIGINT" | "SIGTERM"

/** Ends the process with the exit code of the program, or with that of the signal that interrupted it. */
export const teardown = (endless: MutableRef.MutableRef<boolean>, signal: () => Signal): Teardown => (exit, onExit) =>
  onExit(Exit.match(exit, {
    onSuccess: (code) => typeof code === "number" ? code : codes.ok,
    onFailure: (cause) => {
      if (!Cause.isInterruptedOnly(cause)) return codes.failed
      return MutableRef.get(endless) ? codes.ok : codes[signal()]
    }
  }))

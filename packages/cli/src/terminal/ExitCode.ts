/** The exit codes of the program. `usage/Help.ts` has what they mean. */
import type { Teardown } from "@effect/platform/Runtime"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Signal } from "./Signals.ts"

export const codes = { ok: 0, failed: 1, usageError: 2, unknown: 3, SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

/** What decides about the exit code besides the result. */
export interface Ending {
  /** Whether the running command ends only by a signal, so that a signal means success. */
  isEndless: boolean
  /** The signal that has interrupted the program. Anything else that is interrupted is a failure. */
  signal: Signal | undefined
}

export class CurrentEnding extends Context.Reference<CurrentEnding>()("@mailstream/cli/CurrentEnding", {
  defaultValue: (): Ending => ({ isEndless: false, signal: undefined })
}) {}

/** Marks the running command as one that ends only by a signal. */
export const markEndless: Effect.Effect<void> = Effect.map(CurrentEnding, (ending) => {
  ending.isEndless = true
})

/** To stop what never ends by itself is a success. */
export const ofSignal = ({ isEndless }: Ending, signal: Signal): number => isEndless ? codes.ok : codes[signal]

/** Ends the process with the exit code of the program, or with that of the signal that interrupted it. */
export const teardown = (ending: Ending): Teardown => (exit, onExit) =>
  onExit(Exit.match(exit, {
    onSuccess: (code) => typeof code === "number" ? code : codes.ok,
    onFailure: (cause) => {
      if (!Cause.isInterruptedOnly(cause) || ending.signal === undefined) return codes.failed
      return ofSignal(ending, ending.signal)
    }
  }))

/** What is known about a change that failed or was stopped, and what to do about it. */
import { isTransient, type Outcome, outcome, type RequestError } from "@mailstream/core"
import type * as Operation from "@mailstream/core/Operation"

/** What advice depends on. */
export interface Options {
  /** A command that shows what is there. */
  readonly look: string
  /** The option that makes a repetition harmless, for an operation with an idempotency key. */
  readonly key?: string | undefined
}

/** What to do after an outcome. */
export const advice = (
  { repetition }: Pick<Operation.Any, "repetition">,
  known: Outcome,
  { key, look }: Options
): string => {
  if (known === "not_processed") return "Nothing was changed, so it can be run again."
  switch (repetition) {
    case "keyed":
      return `To repeat it so that nothing is sent twice, run the same command with ${key} within 24 hours.`
    case "once":
      return `It may have been done, and running it again would do it twice: look first, with '${look}'.`
    case "guarded":
      return "It can be run again: if it has been done, that is refused."
    default:
      return "It can be run again: if it has been done, nothing more changes."
  }
}

/** What to do after an error. A refusal speaks for itself. */
export const adviceAfter = (
  operation: Pick<Operation.Any, "repetition">,
  error: RequestError,
  options: Options
): string =>
  operation.repetition === "read" || outcome(error) === "not_processed" && !isTransient(error)
    ? ""
    : advice(operation, outcome(error), options)

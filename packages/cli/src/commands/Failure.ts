/**
 * What a failure is to the user: one line and an exit code.
 *
 * @since 0.1.0
 */
import type * as CliApp from "@effect/cli/CliApp"
import * as ValidationError from "@effect/cli/ValidationError"
import type { QuitException } from "@effect/platform/Terminal"
import type { Checkpoint } from "@mailstream/stream"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as LogLevel from "effect/LogLevel"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import type { WalkError } from "../api/AnyList.ts"
import * as ExitCode from "../terminal/ExitCode.ts"
import type { OutputError } from "../terminal/OutputError.ts"
import { type PipeClosed, Stdio } from "../terminal/Stdio.ts"
import * as Text from "../terminal/Text.ts"
import * as Help from "../usage/Help.ts"
import * as Usage from "../usage/OptionParser.ts"

/**
 * Everything that a command can fail with.
 *
 * @since 0.1.0
 * @category models
 */
export type Failure =
  | WalkError
  | Checkpoint.CheckpointError
  | OutputError
  | PipeClosed
  | QuitException

/**
 * What a command can ask for.
 *
 * @since 0.1.0
 * @category models
 */
export type Surroundings = Stdio | CliApp.CliApp.Environment

/**
 * A failure as one line: the tag of the error, and what it says. Whatever the service sent, nothing in it can act on
 * the terminal.
 *
 * @since 0.1.0
 * @category conversions
 */
export const line = (error: unknown): string => {
  const tag = Predicate.hasProperty(error, "_tag") ? String(error._tag) : "UnexpectedError"
  const message = Predicate.hasProperty(error, "message") && typeof error.message === "string" ? error.message : ""
  const text = Text.printable(message.replace(/\s+/g, " ").trim())
  return text === "" ? tag : `${tag}: ${text}`
}

/**
 * Tells the user of a failure, and gives the code that the program ends with. After wrong usage, the page of the
 * help that is meant says more. What happened inside is shown at the log level `debug` alone.
 *
 * @since 0.1.0
 * @category combinators
 */
export const report = (cause: Cause.Cause<unknown>, page: Help.Page): Effect.Effect<number, never, Stdio> =>
  Effect.gen(function*() {
    const { say } = yield* Stdio
    const error = Option.getOrElse(Cause.failureOption(cause), () => Cause.squash(cause))
    if (ValidationError.isValidationError(error)) {
      const message = Usage.messageOf(error)
      yield* say(`mailstream: ${Text.printable(message)}${Help.suggestion(page, message)}`)
      yield* say(`Run '${Help.line(page.path, "--help")}' to see what can be said.`)
      return ExitCode.wrongUsage
    }
    const tag = Predicate.hasProperty(error, "_tag") ? error._tag : undefined
    if (tag === "PipeClosed") return ExitCode.ok
    if (tag === "QuitException") return ExitCode.interrupted
    yield* say(line(error))
    if (LogLevel.lessThanEqual(yield* FiberRef.get(FiberRef.currentMinimumLogLevel), LogLevel.Debug)) {
      yield* say(Cause.pretty(cause, { renderErrorCause: true }))
    }
    return ExitCode.failed
  })

/**
 * Reports a failure to the user, and chooses the exit code.
 *
 * @since 0.1.0
 */
import * as ValidationError from "@effect/cli/ValidationError"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as LogLevel from "effect/LogLevel"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as ExitCode from "./terminal/ExitCode.ts"
import { Stdio } from "./terminal/Stdio.ts"
import * as Text from "./terminal/Text.ts"
import * as Page from "./usage/Page.ts"
import * as UsageError from "./usage/UsageError.ts"

/**
 * Prints a failure on one line. A usage error also points to the help of the command; the cause of any other failure
 * is shown at log level `debug`.
 *
 * @since 0.1.0
 * @category combinators
 */
export const failure = (cause: Cause.Cause<unknown>, page: Page.Page): Effect.Effect<number, never, Stdio> =>
  Effect.gen(function*() {
    const { say } = yield* Stdio
    const error = Option.getOrElse(Cause.failureOption(cause), () => Cause.squash(cause))
    if (ValidationError.isValidationError(error)) {
      yield* say(`mailstream: ${Text.printable(UsageError.messageOf(error))}`)
      yield* say(
        `Run '${Page.line(page, "--help")}' for available ${page.commands.length > 0 ? "commands" : "options"}.`
      )
      return ExitCode.usageError
    }
    const tag = Predicate.hasProperty(error, "_tag") ? error._tag : undefined
    if (tag === "PipeClosed") return ExitCode.ok
    if (tag === "QuitException") return ExitCode.interrupted
    yield* say(Text.ofError(error))
    if (LogLevel.lessThanEqual(yield* FiberRef.get(FiberRef.currentMinimumLogLevel), LogLevel.Debug)) {
      yield* say(Cause.pretty(cause, { renderErrorCause: true }))
    }
    return ExitCode.failed
  })

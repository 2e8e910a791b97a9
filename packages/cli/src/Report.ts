/**
 * Reports a failure to the user, and chooses the exit code.
 *
 * @since 1.0.0
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as LogLevel from "effect/LogLevel"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as ExitCode from "./terminal/ExitCode.ts"
import { Stdio } from "./terminal/Stdio.ts"
import * as Text from "./terminal/Text.ts"
import * as Command from "./usage/Command.ts"
import type { UsageError } from "./usage/UsageError.ts"

/**
 * Prints a failure on one line. Its cause is shown at log level `debug`.
 *
 * @since 1.0.0
 * @category combinators
 */
export const failure = (cause: Cause.Cause<unknown>): Effect.Effect<number, never, Stdio> =>
  Effect.gen(function*() {
    const { err, say } = yield* Stdio
    const error = Option.getOrElse(Cause.failureOption(cause), () => Cause.squash(cause))
    const tag = Predicate.hasProperty(error, "_tag") ? error._tag : undefined
    if (tag === "PipeClosed") return ExitCode.ok
    if (tag === "QuitException") return ExitCode.interrupted
    if (tag === "Reported") return ExitCode.failed
    const Explained = yield* Effect.promise(() => import("./explain/Explained.ts"))
    yield* say(Explained.line(error, err.hasColors))
    if (LogLevel.lessThanEqual(yield* FiberRef.get(FiberRef.currentMinimumLogLevel), LogLevel.Debug)) {
      yield* say(Cause.pretty(cause, { renderErrorCause: true }))
    }
    return ExitCode.failed
  })

/**
 * Prints a usage error on one line, and points to the help of the command.
 *
 * @since 1.0.0
 * @category combinators
 */
export const usageError = ({ message }: UsageError, command: Command.Command): Effect.Effect<number, never, Stdio> =>
  Effect.gen(function*() {
    const { say } = yield* Stdio
    yield* say(`mailstream: ${Text.printable(message.replace(/\s+/g, " "))}`)
    const available = command.action === undefined ? "commands" : "options"
    yield* say(`Run '${Command.line(command, "--help")}' for available ${available}.`)
    return ExitCode.usageError
  })

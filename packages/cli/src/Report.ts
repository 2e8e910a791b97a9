/** What the program prints on standard error: failures, with the exit code that they lead to, and logs. */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as FiberRefs from "effect/FiberRefs"
import * as HashMap from "effect/HashMap"
import type * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as MutableRef from "effect/MutableRef"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Entry from "./terminal/Entry.ts"
import { codes } from "./terminal/ExitCode.ts"
import { message, Stdio } from "./terminal/Stdio.ts"
import * as Text from "./terminal/Text.ts"
import * as Command from "./usage/Command.ts"
import * as UsageError from "./usage/UsageError.ts"

/** Prints a failure on one line. Its cause is shown at log level `debug`. */
export const failure = (cause: Cause.Cause<unknown>): Effect.Effect<number, never, Stdio> =>
  Effect.gen(function*() {
    const { err, say } = yield* Stdio
    const error = Option.getOrElse(Cause.failureOption(cause), () => Cause.squash(cause))
    const tag = Predicate.hasProperty(error, "_tag") ? error._tag : undefined
    if (tag === "PipeClosed") return codes.ok
    if (tag === "QuitException") return codes.SIGINT
    if (tag === "Reported") return codes.failed
    const Explained = yield* Effect.promise(() => import("./explain/Explained.ts"))
    const line = Explained.line(error, err)
    yield* say(isJson ? objectOf({ level: "error", message: line }, DateTime.toDate(yield* DateTime.now)) : line)
    if (Entry.isDebug(yield* FiberRef.get(FiberRef.currentMinimumLogLevel))) {
      yield* say(Cause.pretty(cause, { renderErrorCause: true }))
    }
    // Only the error of a change has it.
    return Predicate.hasProperty(error, "outcome") && error.outcome === "unknown" ? codes.unknown : codes.failed
  })

/** `MAILSTREAM_LOG_FORMAT=json`: logs and the failure that ends the program are objects, for programs that collect them. */
const format = process.env["MAILSTREAM_LOG_FORMAT"] ?? ""
const isJson = format === "json"

export const checkFormat: Effect.Effect<void, UsageError.UsageError> = ["", "text", "json"].includes(format)
  ? Effect.void
  : UsageError.fail(`MAILSTREAM_LOG_FORMAT is "${format}", which is no format of logs`, "It is text, or json.")

/** A line of JSON. */
const objectOf = (fields: Readonly<Record<string, string>>, date: Date): string =>
  Text.json({
    time: date.toISOString(),
    ...Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, Text.withoutPasswords(text)]))
  })

/** Prints a usage error on one line, and points to the help of the command. */
export const usageError = (
  { message }: UsageError.UsageError,
  command: Command.Command
): Effect.Effect<number, never, Stdio> =>
  Effect.gen(function*() {
    const { say } = yield* Stdio
    yield* say(`mailstream: ${Text.printable(message.replace(/\s+/g, " "))}`)
    const available = command.action === undefined ? "commands" : "options"
    yield* say(`Run '${Command.line(command, "--help")}' for available ${available}.`)
    return codes.usageError
  })

const logLine: Logger.Logger<unknown, string> = Logger.make((entry) => {
  const { annotations, context, logLevel } = entry
  const { reason, text } = Entry.said(entry)
  // A worker copies many accounts; other annotations name the part of the program that logs.
  const account = Option.match(HashMap.get(annotations, "account"), {
    onNone: () => "",
    onSome: (id) => `${Text.printable(String(id))}: `
  })
  const line = `${logLevel._tag.toLowerCase()}: ${account}${Text.printable(text)} ${reason}`.trimEnd()
  const stdio = Context.getOption(FiberRefs.getOrDefault(context, FiberRef.currentContext), Stdio)
  return message(line, Option.match(stdio, { onNone: () => MutableRef.make(false), onSome: ({ isLive }) => isLive }))
})

const logObject: Logger.Logger<unknown, string> = Logger.make((entry) => {
  const { reason, text } = Entry.said(entry)
  const annotations = HashMap.toEntries(entry.annotations).map(([name, value]) => [name, String(value)] as const)
  return objectOf({
    level: entry.logLevel._tag.toLowerCase(),
    message: text,
    ...(reason === "" ? {} : { reason: reason.trim() }),
    ...Object.fromEntries(annotations)
  }, entry.date)
})

/**
 * Logs, one line per message, as text or as an object. Standard output is for data. Stack traces are shown at level `debug` only.
 */
export const logger: Layer.Layer<never> = Logger.replace(
  Logger.defaultLogger,
  Logger.withConsoleError(isJson ? logObject : logLine)
)

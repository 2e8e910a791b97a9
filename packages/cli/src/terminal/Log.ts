/**
 * Logs go to standard error: standard output is for data.
 *
 * @since 1.0.0
 */
import * as Cause from "effect/Cause"
import * as FiberRef from "effect/FiberRef"
import * as FiberRefs from "effect/FiberRefs"
import * as HashMap from "effect/HashMap"
import type * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Option from "effect/Option"
import * as Text from "./Text.ts"

const line: Logger.Logger<unknown, string> = Logger.make(({ annotations, cause, context, logLevel, message }) => {
  const isDebug = LogLevel.lessThanEqual(
    FiberRefs.getOrDefault(context, FiberRef.currentMinimumLogLevel),
    LogLevel.Debug
  )
  const parts = (Array.isArray(message) ? message : [message]).map((part: unknown) =>
    typeof part === "string" ? part : Text.ofError(part)
  )
  const reason = Cause.isEmpty(cause)
    ? []
    : isDebug
    ? [`\n${Cause.pretty(cause)}`]
    : [Text.ofError(Cause.squash(cause))]
  // A worker copies many accounts; other annotations name the part of the program that logs.
  const account = Option.match(HashMap.get(annotations, "account"), {
    onNone: () => "",
    onSome: (id) => `${Text.printable(String(id))}: `
  })
  return Text.withoutPasswords(
    `${logLevel._tag.toLowerCase()}: ${account}${Text.printable(parts.join(" "))} ${reason.join("")}`.trimEnd()
  )
})

/**
 * One line per message. Stack traces are shown at level `debug` only.
 *
 * @since 1.0.0
 * @category layers
 */
export const layer: Layer.Layer<never> = Logger.replace(Logger.defaultLogger, Logger.withConsoleError(line))

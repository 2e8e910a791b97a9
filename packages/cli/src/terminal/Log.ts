/**
 * Logs go to standard error: standard output is for data.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as FiberRef from "effect/FiberRef"
import * as FiberRefs from "effect/FiberRefs"
import type * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Text from "./Text.ts"

const line: Logger.Logger<unknown, string> = Logger.make(({ cause, context, logLevel, message }) => {
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
  return Text.withoutPasswords(
    `${logLevel._tag.toLowerCase()}: ${Text.printable(parts.join(" "))} ${reason.join("")}`.trimEnd()
  )
})

/**
 * One line per message. Stack traces are shown at level `debug` only.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<never> = Logger.replace(Logger.defaultLogger, Logger.withConsoleError(line))

/** What an entry of the log says. */
import * as Cause from "effect/Cause"
import * as FiberRef from "effect/FiberRef"
import * as FiberRefs from "effect/FiberRefs"
import type * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Text from "./Text.ts"

export const isDebug = LogLevel.lessThanEqual(LogLevel.Debug)

/** What is said, and why. */
export const said = ({ cause, context, message }: Logger.Logger.Options<unknown>) => {
  const parts = (Array.isArray(message) ? message : [message]).map((part: unknown) =>
    typeof part === "string" ? part : Text.ofError(part)
  )
  const reason = Cause.isEmpty(cause)
    ? ""
    : isDebug(FiberRefs.getOrDefault(context, FiberRef.currentMinimumLogLevel))
    ? `\n${Cause.pretty(cause)}`
    : Text.ofError(Cause.squash(cause))
  return { text: parts.join(" "), reason }
}

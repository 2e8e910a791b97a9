/** Effect's messages, for the caller's logger. */
import * as Array from "effect/Array"
import * as Cause from "effect/Cause"
import { constVoid } from "effect/Function"
import * as Inspectable from "effect/Inspectable"
import * as Logger from "effect/Logger"
import * as EffectLevel from "effect/LogLevel"
import * as Predicate from "effect/Predicate"
import type * as Public from "../Logger.ts"
import * as Checks from "./checks.ts"

type Write = (level: Public.LogLevel, message: string) => unknown

const levels = ["debug", "info", "warn", "error"] as const

export const check: Checks.Check<Public.Logger | false> = Checks.make(
  (value): value is Public.Logger | false =>
    value === false || Predicate.isFunction(value) || Checks.hasMethods(value, ...levels),
  "must be a function, false, or an object with the methods debug, info, warn and error, such as console"
)

/** Without a logger, what somebody should know goes to standard error. */
const toConsole: Write = (level, message) => level === "debug" ? undefined : console.warn(`Mailstream: ${message}`)

const levelOf = ({ ordinal }: EffectLevel.LogLevel): Public.LogLevel =>
  ordinal >= EffectLevel.Error.ordinal
    ? "error"
    : ordinal >= EffectLevel.Warning.ordinal
    ? "warn"
    : ordinal >= EffectLevel.Info.ordinal
    ? "info"
    : "debug"

const writerOf = (logger: Public.Logger | false | undefined): Write =>
  logger === undefined
    ? toConsole
    : logger === false
    ? constVoid
    : Predicate.isFunction(logger)
    ? logger
    : (level, message) => logger[level](message)

/** A logger that never fails: a message that it cannot write is written to the console. */
export const make = (logger: Public.Logger | false | undefined): Logger.Logger<unknown, void> => {
  const write = writerOf(logger)
  return Logger.make(({ cause, logLevel, message }) => {
    const parts = Array.ensure(message).map((part) => Inspectable.toStringUnknown(part))
    const text = [...parts, ...(Cause.isEmpty(cause) ? [] : [Cause.pretty(cause)])].join(" ")
    const level = levelOf(logLevel)
    // An async function only fails later.
    new Promise((resolve) => resolve(write(level, text))).catch(() => toConsole(level, text))
  })
}

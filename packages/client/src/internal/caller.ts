/** Where a call was made: errors arise in fibers, whose stacks do not say it. */
import { MailstreamError } from "../MailstreamError.ts"

/** A function that callers call. */
export type Callee = (...args: never) => unknown

export interface Caller {
  readonly stack?: string
}

/** The stack of the caller of a function. It is formatted only if it is read. */
export const capture = (callee: Callee): Caller => {
  const caller: Caller = {}
  // Firefox lacked it until 2025.
  Error.captureStackTrace?.(caller, callee)
  return caller
}

/** An error of this package with the stack of a call. What others have thrown stays as it is. */
export const traced = (error: unknown, { stack }: Caller): unknown => {
  if (stack === undefined || !(error instanceof MailstreamError)) return error
  const frames = stack.split("\n").filter((line) => line.startsWith("    at "))
  const own = `${error.name}: ${error.message}`
  return Object.defineProperty(error, "stack", {
    value: [own, ...frames].join("\n"),
    configurable: true,
    enumerable: false,
    writable: true
  })
}

/** Runs Effect programs as promises. */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import * as FiberRef from "effect/FiberRef"
import { constVoid } from "effect/Function"
import * as HashSet from "effect/HashSet"
import * as LogLevel from "effect/LogLevel"
import * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"
import type * as Public from "../Logger.ts"
import { type Caller, traced } from "./caller.ts"
import type { Change } from "./change.ts"
import { type Failure, fromCause, fromChange, interruption } from "./errors.ts"
import * as Logging from "./logging.ts"

/** Calls a function when a signal is aborted, until the returned function is called. */
export const onAbort = (signal: AbortSignal | undefined, call: () => void): () => void => {
  if (signal === undefined) return constVoid
  signal.addEventListener("abort", call, { once: true })
  return () => signal.removeEventListener("abort", call)
}

/** Interrupts a fiber without waiting for its end. */
export const interrupt = (fiber: Fiber.RuntimeFiber<unknown, unknown>): void =>
  fiber.unsafeInterruptAsFork(FiberId.none)

/** The result of a fiber as a promise. An aborted signal interrupts the fiber; when it has ended, the promise is rejected. */
export const toPromise = <A>(
  fiber: Fiber.RuntimeFiber<A, Failure>,
  { caller, change, signal }: {
    readonly signal: AbortSignal | undefined
    readonly caller: Caller
    readonly change?: Change | undefined
  }
): Promise<A> =>
  new Promise((resolve, reject) => {
    const release = onAbort(signal, () => interrupt(fiber))
    fiber.addObserver((exit) => {
      release()
      if (Exit.isSuccess(exit)) resolve(exit.value)
      else {
        const error = Cause.isInterruptedOnly(exit.cause)
          ? interruption(signal, change)
          : change === undefined
          ? fromCause(exit.cause)
          : fromChange(exit.cause, change)
        reject(traced(error, caller))
      }
    })
  })

/** A runtime whose messages go to a logger of the caller's. */
export const runtimeOf = <R>(
  context: Context.Context<R>,
  logger: Public.Logger | false | undefined
): Runtime.Runtime<R> =>
  Runtime.make({ ...Runtime.defaultRuntime, context }).pipe(
    Runtime.setFiberRef(FiberRef.currentLoggers, HashSet.make(Logging.make(logger))),
    // The logger of a caller selects for itself.
    Runtime.setFiberRef(FiberRef.currentMinimumLogLevel, logger === undefined ? LogLevel.Info : LogLevel.Debug),
    // Callers get every failure.
    Runtime.setFiberRef(FiberRef.unhandledErrorLogLevel, Option.none())
  )

const detached = runtimeOf(Context.empty(), undefined)

/** Runs a program that needs no connection. */
export const runDetached = <A>(
  effect: Effect.Effect<A, Failure>,
  call: { readonly signal: AbortSignal | undefined; readonly caller: Caller }
): Promise<A> =>
  call.signal?.aborted === true
    ? Promise.reject(call.signal.reason)
    : toPromise(Runtime.runFork(detached)(effect), call)

/** Runs Effect programs as promises. */
import * as Cause from "effect/Cause"
import type * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import { constVoid } from "effect/Function"
import * as Runtime from "effect/Runtime"
import { type Failure, fromCause } from "./errors.ts"

/** Calls a function when a signal is aborted, until the returned function is called. */
export const onAbort = (signal: AbortSignal | undefined, call: () => void): () => void => {
  if (signal === undefined) return constVoid
  signal.addEventListener("abort", call, { once: true })
  return () => signal.removeEventListener("abort", call)
}

/** Interrupts a fiber without waiting for its end. */
export const interrupt = (fiber: Fiber.RuntimeFiber<unknown, unknown>): void =>
  fiber.unsafeInterruptAsFork(FiberId.none)

/**
 * The result of a fiber as a promise. An aborted signal interrupts the fiber; when it has ended, the promise is rejected
 * with the signal's reason. Any other interruption is rejected with `interrupted`.
 */
export const toPromise = <A>(
  fiber: Fiber.RuntimeFiber<A, Failure>,
  signal: AbortSignal | undefined,
  interrupted: () => unknown
): Promise<A> =>
  new Promise((resolve, reject) => {
    const release = onAbort(signal, () => interrupt(fiber))
    fiber.addObserver((exit) => {
      release()
      if (Exit.isSuccess(exit)) resolve(exit.value)
      else if (!Cause.isInterruptedOnly(exit.cause)) reject(fromCause(exit.cause))
      else reject(signal?.aborted === true ? signal.reason : interrupted())
    })
  })

/** Runs a program that needs no connection. */
export const runDetached = <A>(effect: Effect.Effect<A, Failure>): Promise<A> =>
  toPromise(Runtime.runFork(Runtime.defaultRuntime)(effect), undefined, () => new Error("the program was interrupted"))

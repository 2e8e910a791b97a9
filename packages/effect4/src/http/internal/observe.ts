import * as Cause from "effect/Cause"
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import type * as Tracer from "effect/Tracer"
import type { RequestError } from "../../core/RequestError.ts"
import * as Fibers from "../../internal/fibers.ts"
import * as Metrics from "./metrics.ts"

/** A call under observation. Only the effects it restores can be interrupted, so that it always ends. */
export interface Observed {
  readonly span: Tracer.Span
  readonly clock: Clock.Clock
  readonly restore: Fibers.Restore
  /** Ends the observation and returns the result. An error is raised within the span, so its trace names the call. */
  readonly settle: <A, E extends { readonly _tag: RequestError["_tag"] }>(
    result: Result.Result<A, E>
  ) => Effect.Effect<A, E>
  /** Ends the observation without a result. */
  readonly halt: (cause: Cause.Cause<never>) => Effect.Effect<never>
}

/** Puts a span and the metrics around a call, which must `settle` or `halt`. */
export const observe = <A, E, R>(
  operation: string,
  attributes: Record<string, unknown>,
  call: (observed: Observed) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.useSpan(operation, { kind: "client", attributes }, (span) =>
      Effect.withFiber((fiber) => {
        const clock = Fibers.clockOf(fiber)
        const start = clock.monotonicTimeNanosUnsafe()

        const end = (outcome: string, exit: Exit.Exit<void, unknown>): void => {
          Fibers.endSpan(span, fiber, exit)
          const elapsed = clock.monotonicTimeNanosUnsafe() - start
          const metrics = Metrics.ofOperation(operation)
          metrics.requests(outcome).updateUnsafe(1, fiber.context)
          metrics.seconds.updateUnsafe(Number(elapsed) / 1e9, fiber.context)
        }

        return call({
          span,
          clock,
          restore,
          settle: (result) => {
            if (Result.isSuccess(result)) {
              end("ok", Exit.void)
              return Effect.succeed(result.success)
            }
            span.attribute("error.type", result.failure._tag)
            end(result.failure._tag, Exit.fail(result.failure))
            return Effect.withParentSpan(Effect.fail(result.failure), span, { captureStackTrace: false })
          },
          halt: (cause) => {
            const outcome = Cause.hasInterruptsOnly(cause) ? "interrupted" : "defect"
            span.attribute("error.type", outcome)
            end(outcome, Exit.failCause(cause))
            return Effect.failCause(cause)
          }
        })
      }))
  )

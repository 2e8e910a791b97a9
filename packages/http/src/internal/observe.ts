import type { RequestError } from "@mailstream/core"
import * as Fibers from "@mailstream/kernel/Fibers"
import * as Cause from "effect/Cause"
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import type * as Tracer from "effect/Tracer"
import * as Metrics from "./metrics.ts"

/** A call under observation. Only the effects it restores can be interrupted, so that it always ends. */
export interface Observed {
  readonly span: Tracer.Span
  readonly clock: Clock.Clock
  readonly restore: Fibers.Restore
  /** Ends the observation and returns the result. An error is raised within the span, so its trace names the call. */
  readonly settle: <A, E extends { readonly _tag: RequestError["_tag"] }>(
    result: Either.Either<A, E>
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
  Fibers.beginSpan(operation, { kind: "client", attributes }, (span, fiber, restore) => {
    const clock = Fibers.clockOf(fiber)
    const start = clock.unsafeCurrentTimeNanos()

    const end = (outcome: string, exit: Exit.Exit<void, unknown>): void => {
      const elapsed = Fibers.unsafeEndSpan(span, fiber, exit) - start
      const labels = Fibers.labelsOf(fiber)
      const metrics = Metrics.ofOperation(operation)
      metrics.requests(outcome).unsafeUpdate(1, labels)
      metrics.seconds.unsafeUpdate(Number(elapsed) / 1e9, labels)
    }

    return call({
      span,
      clock,
      restore,
      settle: (result) => {
        if (Either.isRight(result)) {
          end("ok", Exit.void)
          return Effect.succeed(result.right)
        }
        span.attribute("error.type", result.left._tag)
        end(result.left._tag, Exit.fail(result.left))
        return Effect.withParentSpan(Effect.fail(result.left), span)
      },
      halt: (cause) => {
        const outcome = Cause.isInterruptedOnly(cause) ? "interrupted" : "defect"
        span.attribute("error.type", outcome)
        end(outcome, Exit.failCause(cause))
        return Effect.failCause(cause)
      }
    })
  })

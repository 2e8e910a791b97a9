/**
 * What can be seen of the requests: a span for each call, and metrics, with Effect's own tools.
 *
 * Attributes and tags are names, ids and counts: never payloads, headers or secrets.
 *
 * @since 0.1.0
 */
import type { RequestError } from "@mailstream/core"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as FiberRef from "effect/FiberRef"
import * as Metric from "effect/Metric"
import * as MetricBoundaries from "effect/MetricBoundaries"
import * as MetricKey from "effect/MetricKey"
import * as Tracer from "effect/Tracer"
import * as Span from "./internal/span.ts"

const requestsKey = MetricKey.counter("mailstream_requests", {
  description: "Requests to the API, by operation and outcome",
  incremental: true
})

/**
 * Requests, by `operation` (`Contacts.list`) and `outcome` (`ok`, `interrupted`, or the tag of the error).
 *
 * @since 0.1.0
 * @category metrics
 */
export const requests: Metric.Metric.Counter<number> = /* #__PURE__ */ Metric.fromMetricKey(requestsKey)

const secondsKey = MetricKey.histogram(
  "mailstream_request_seconds",
  MetricBoundaries.exponential({ start: 0.001, factor: 2, count: 16 }),
  "Seconds from the call to the decoded answer, by operation"
)

/**
 * How long requests took until the answer was complete and decoded, waiting for a turn included, in seconds, by
 * `operation`.
 *
 * @since 0.1.0
 * @category metrics
 */
export const seconds: Metric.Metric.Histogram<number> = /* #__PURE__ */ Metric.fromMetricKey(secondsKey)

const memoized = <A>(make: (name: string) => A): (name: string) => A => {
  const known = new Map<string, A>()
  return (name) => {
    const made = known.get(name) ?? make(name)
    known.set(name, made)
    return made
  }
}

/** The metrics of one operation. `Metric.tagged` looks its metric up at every update; these are looked up once. */
const metricsOf = /* #__PURE__ */ memoized((operation) => ({
  requests: memoized((outcome) =>
    Metric.fromMetricKey(
      requestsKey.pipe(MetricKey.tagged("operation", operation), MetricKey.tagged("outcome", outcome))
    )
  ),
  seconds: Metric.fromMetricKey(MetricKey.tagged(secondsKey, "operation", operation))
}))

/**
 * What a request has at hand while it is observed. Nothing can interrupt it but what it restores.
 *
 * @since 0.1.0
 * @category models
 */
export interface Observed {
  readonly span: Tracer.Span
  readonly clock: Clock.Clock
  /** Lets be interrupted what could be outside. */
  readonly restore: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/**
 * Puts a span and the metrics around one request. The request gives its error as a value; the error that the call fails
 * with is raised under the span, so that its trace names the call.
 *
 * @since 0.1.0
 * @category combinators
 */
export const observe = <A, E extends { readonly _tag: RequestError["_tag"] }, R>(
  operation: string,
  attributes: Record<string, unknown>,
  request: (observed: Observed) => Effect.Effect<Either.Either<A, E>, never, R>
): Effect.Effect<A, E, R> =>
  Effect.uninterruptibleMask((restore) =>
    Span.begin(operation, { kind: "client", attributes }, (span, fiber) => {
      const clock = Context.get(fiber.currentDefaultServices, Clock.Clock)
      const start = clock.unsafeCurrentTimeNanos()
      // One step for all of it: this is on the way of every page.
      const finish = (outcome: string, exit: Exit.Exit<void, unknown>): void => {
        const labels = fiber.getFiberRef(FiberRef.currentMetricLabels)
        const { requests, seconds } = metricsOf(operation)
        requests(outcome).unsafeUpdate(1, labels)
        seconds.unsafeUpdate(Number(Span.end(span, fiber, exit) - start) / 1e9, labels)
      }
      return Effect.matchCauseEffect(request({ span, clock, restore }), {
        onFailure: (cause) => {
          finish(Cause.isInterrupted(cause) ? "interrupted" : "defect", Exit.failCause(cause))
          return Effect.failCause(cause)
        },
        onSuccess: (result) => {
          if (Either.isRight(result)) {
            finish("ok", Exit.void)
            return result
          }
          finish(result.left._tag, Exit.fail(result.left))
          return Effect.withParentSpan(result, span) as Either.Either<A, E>
        }
      })
    })
  )

/**
 * Puts a span around an effect, as `Effect.withSpan` does, but does not tell it what the effect gives: tracers hold on
 * to how a span ended, and a page is a lot to hold, and nobody else's to see.
 *
 * @since 0.1.0
 * @category combinators
 */
export const withSpan =
  (name: string, options: Pick<Tracer.SpanOptions, "attributes" | "kind" | "parent">) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.uninterruptibleMask((restore) =>
      Span.begin(name, options, (span, fiber) => {
        // `Effect.withParentSpan` makes sure once more that the context is put back, which takes thrice as many steps.
        const context = fiber.currentContext
        const set = FiberRef.set(FiberRef.currentContext, Context.add(context, Tracer.ParentSpan, span))
        /** Ends the span and puts the context back, and gives a value. */
        const finish = <B>(exit: Exit.Exit<void, E>, value: B): Effect.Effect<B> => {
          Span.end(span, fiber, exit)
          return FiberRef.modify(FiberRef.currentContext, () => [value, context])
        }
        return Effect.matchCauseEffect(Effect.zipRight(set, restore(effect)), {
          onFailure: (cause) => Effect.flatMap(finish(Exit.failCause(cause), cause), Effect.failCause),
          onSuccess: (value) => finish(Exit.void, value)
        })
      })
    )

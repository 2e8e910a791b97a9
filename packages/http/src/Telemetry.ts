/**
 * What can be seen of the requests: a span for each call, and metrics, with Effect's own tools.
 *
 * Attributes and tags are names, ids and counts: never payloads, headers or secrets.
 *
 * @since 0.1.0
 */
import type { RequestError } from "@mailstream/core"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Metric from "effect/Metric"
import * as MetricBoundaries from "effect/MetricBoundaries"
import * as MetricKey from "effect/MetricKey"
import type * as Tracer from "effect/Tracer"

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
export const requests: Metric.Metric.Counter<number> = Metric.fromMetricKey(requestsKey)

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
export const seconds: Metric.Metric.Histogram<number> = Metric.fromMetricKey(secondsKey)

// `Metric.tagged` looks its metric up at every update. One whose key has the tags in it is looked up once.

const requestsOf = memoize((operation) =>
  memoize((outcome) =>
    Metric.fromMetricKey(
      requestsKey.pipe(MetricKey.tagged("operation", operation), MetricKey.tagged("outcome", outcome))
    )
  )
)

const secondsOf = memoize((operation) => Metric.fromMetricKey(MetricKey.tagged(secondsKey, "operation", operation)))

/**
 * Puts a span and the metrics around one request.
 *
 * @since 0.1.0
 * @category combinators
 */
export const observe =
  (operation: string, attributes: Record<string, unknown>) =>
  <A, E extends { readonly _tag: RequestError["_tag"] }, R>(
    request: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E, R> =>
    Effect.clockWith((clock) => {
      const start = clock.unsafeCurrentTimeNanos()
      return Effect.onExit(request, (exit) =>
        Effect.zipRight(
          Metric.update(requestsOf(operation)(outcome(exit)), 1),
          Metric.update(secondsOf(operation), Number(clock.unsafeCurrentTimeNanos() - start) / 1e9)
        ))
    }).pipe(withSpan(operation, { kind: "client", attributes }))

/**
 * Puts a span around an effect, as `Effect.withSpan` does, but does not tell it what the effect gives: tracers hold on
 * to how a span ended, and a page is a lot to hold, and nobody else's to see.
 *
 * @since 0.1.0
 * @category combinators
 */
export const withSpan =
  (name: string, options: Tracer.SpanOptions) => <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      let given: A
      return effect.pipe(
        Effect.map((value) => {
          given = value
        }),
        Effect.withSpan(name, { ...options, captureStackTrace: false }),
        Effect.map(() => {
          const value = given
          // The closure lives on for a while, in the older generation even: until a full collection.
          given = undefined as A
          return value
        })
      )
      // `Effect.withSpan` takes `ParentSpan` away from the requirements, which cannot be written down for an `R` that is
      // not known. It only ever takes away, so nothing is promised here that is not kept.
    }) as Effect.Effect<A, E, R>

const outcome = (exit: Exit.Exit<unknown, { readonly _tag: string }>): string =>
  Exit.match(exit, {
    onSuccess: () => "ok",
    onFailure: (cause) => cause._tag === "Fail" ? cause.error._tag : Exit.isInterrupted(exit) ? "interrupted" : "defect"
  })

/** There are as many names as there are metrics, which are never forgotten either. */
function memoize<A>(f: (name: string) => A): (name: string) => A {
  const known = new Map<string, A>()
  return (name) => {
    const before = known.get(name)
    if (before !== undefined) return before
    const made = f(name)
    known.set(name, made)
    return made
  }
}

/**
 * What can be seen of the requests: a span for each call, and metrics, with Effect's own tools.
 *
 * Attributes and tags are names, ids and counts: never payloads, headers or secrets.
 *
 * @since 0.1.0
 */
import type { RequestError } from "@mailstream/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Metric from "effect/Metric"
import * as MetricBoundaries from "effect/MetricBoundaries"

/**
 * Requests, by `operation` (`Contacts.list`) and `outcome` (`ok`, `interrupted`, or the tag of the error).
 *
 * @since 0.1.0
 * @category metrics
 */
export const requests: Metric.Metric.Counter<number> = Metric.counter("mailstream_requests", {
  description: "Requests to the API, by operation and outcome",
  incremental: true
})

/**
 * How long requests took until the answer was complete and decoded, waiting for a turn included, in seconds, by
 * `operation`.
 *
 * @since 0.1.0
 * @category metrics
 */
export const seconds: Metric.Metric.Histogram<number> = Metric.histogram(
  "mailstream_request_seconds",
  MetricBoundaries.exponential({ start: 0.001, factor: 2, count: 16 }),
  "Seconds from the call to the decoded answer, by operation"
)

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
    Effect.flatMap(
      Clock.currentTimeNanos,
      (start) =>
        Effect.onExit(request, (exit) =>
          Effect.flatMap(Clock.currentTimeNanos, (end) =>
            Effect.zipRight(
              Metric.update(
                requests.pipe(Metric.tagged("operation", operation), Metric.tagged("outcome", outcome(exit))),
                1
              ),
              Metric.update(Metric.tagged(seconds, "operation", operation), Number(end - start) / 1e9)
            )))
    ).pipe(Effect.withSpan(operation, { kind: "client", attributes, captureStackTrace: false }))

const outcome = (exit: Exit.Exit<unknown, { readonly _tag: string }>): string =>
  Exit.match(exit, {
    onSuccess: () => "ok",
    onFailure: (cause) => cause._tag === "Fail" ? cause.error._tag : Exit.isInterrupted(exit) ? "interrupted" : "defect"
  })

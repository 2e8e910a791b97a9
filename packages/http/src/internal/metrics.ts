import * as Fibers from "@mailstream/kernel/Fibers"
import * as Metric from "effect/Metric"
import * as MetricBoundaries from "effect/MetricBoundaries"
import * as MetricKey from "effect/MetricKey"

export const requests = MetricKey.counter("mailstream_requests", {
  description: "Requests to the API, by operation and outcome",
  incremental: true
})

export const seconds = MetricKey.histogram(
  "mailstream_request_seconds",
  MetricBoundaries.exponential({ start: 0.001, factor: 2, count: 16 }),
  "Seconds from the call to the decoded response, by operation"
)

export const ofOperation = /* #__PURE__ */ Fibers.memoized((operation) => ({
  requests: Fibers.memoized((outcome) =>
    Metric.fromMetricKey(
      requests.pipe(MetricKey.tagged("operation", operation), MetricKey.tagged("outcome", outcome))
    )
  ),
  seconds: Metric.fromMetricKey(MetricKey.tagged(seconds, "operation", operation))
}))

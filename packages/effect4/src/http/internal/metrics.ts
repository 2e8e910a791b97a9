import * as Metric from "effect/Metric"
import { memoized } from "../../internal/fibers.ts"

export const requests: Metric.Counter<number> = /* #__PURE__ */ Metric.counter("mailstream_requests", {
  description: "Requests to the API, by operation and outcome",
  incremental: true
})

export const seconds: Metric.Histogram<number> = /* #__PURE__ */ Metric.histogram("mailstream_request_seconds", {
  boundaries: /* #__PURE__ */ Metric.exponentialBoundaries({ start: 0.001, factor: 2, count: 16 }),
  description: "Seconds from the call to the decoded response, by operation"
})

export const ofOperation = /* #__PURE__ */ memoized((operation) => ({
  requests: memoized((outcome) => Metric.withAttributes(requests, { operation, outcome })),
  seconds: Metric.withAttributes(seconds, { operation })
}))

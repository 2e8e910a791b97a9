/**
 * Metrics of requests. Each request also has a span, named after its operation (`Contacts.list`), with OpenTelemetry's
 * attributes for HTTP; the page "Spans, attributes and metrics" of the documentation lists all of them.
 *
 * Tags and attributes are names, ids and counts: never payloads, headers or secrets.
 *
 * @since 1.0.0
 */
import type * as Metric from "effect/Metric"
import * as Metrics from "./internal/metrics.ts"

/**
 * Requests, by `operation` (`Contacts.list`) and `outcome` (`ok`, `interrupted`, `defect`, or the tag of the error).
 *
 * @since 1.0.0
 * @category metrics
 */
export const requests: Metric.Counter<number> = Metrics.requests

/**
 * How long requests took until the response was decoded, including the wait for the rate limit, in seconds, by
 * `operation`.
 *
 * @since 1.0.0
 * @category metrics
 */
export const seconds: Metric.Histogram<number> = Metrics.seconds

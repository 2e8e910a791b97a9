/**
 * Metrics of walks, tagged with the name of the `list`. Each walk and each of its pages also has a span.
 *
 * Tags and attributes are names, ids and counts, never payloads.
 *
 * @since 0.1.0
 */
import * as Metric from "effect/Metric"
import * as Keys from "./internal/metrics.ts"

/**
 * Pages received.
 *
 * @since 0.1.0
 * @category metrics
 */
export const pages: Metric.Metric.Counter<number> = /* #__PURE__ */ Metric.fromMetricKey(Keys.pages)

/**
 * Items received.
 *
 * @since 0.1.0
 * @category metrics
 */
export const items: Metric.Metric.Counter<number> = /* #__PURE__ */ Metric.fromMetricKey(Keys.items)

/**
 * Requests that were repeated after a failure.
 *
 * @since 0.1.0
 * @category metrics
 */
export const retries: Metric.Metric.Counter<number> = /* #__PURE__ */ Metric.fromMetricKey(Keys.retries)

/**
 * Seconds spent waiting between attempts.
 *
 * @since 0.1.0
 * @category metrics
 */
export const waitSeconds: Metric.Metric.Counter<number> = /* #__PURE__ */ Metric.fromMetricKey(Keys.waitSeconds)

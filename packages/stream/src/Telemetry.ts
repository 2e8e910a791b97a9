/**
 * What can be seen of the walks: metrics, with Effect's own tools. Each walk and each of its pages has a span, too.
 *
 * The metrics are tagged with the name of the `list`. Tags and attributes are names, ids and counts, never payloads.
 *
 * @since 0.1.0
 */
import * as Metric from "effect/Metric"
import * as Keys from "./internal/metrics.ts"

/**
 * @since 0.1.0
 * @category metrics
 */
export const pages: Metric.Metric.Counter<number> = Metric.fromMetricKey(Keys.pages)

/**
 * @since 0.1.0
 * @category metrics
 */
export const items: Metric.Metric.Counter<number> = Metric.fromMetricKey(Keys.items)

/**
 * @since 0.1.0
 * @category metrics
 */
export const retries: Metric.Metric.Counter<number> = Metric.fromMetricKey(Keys.retries)

/**
 * @since 0.1.0
 * @category metrics
 */
export const waitSeconds: Metric.Metric.Counter<number> = Metric.fromMetricKey(Keys.waitSeconds)

/**
 * What can be seen of the walks: metrics, with Effect's own tools. Each walk and each of its pages has a span, too.
 *
 * The metrics are tagged with the name of the `list`. Tags and attributes are names, ids and counts, never payloads.
 *
 * @since 0.1.0
 */
import * as Metric from "effect/Metric"

const counter = (name: string, description: string): Metric.Metric.Counter<number> =>
  Metric.counter(name, { description, incremental: true })

/**
 * @since 0.1.0
 * @category metrics
 */
export const pages: Metric.Metric.Counter<number> = counter("mailstream_pages", "Pages that have arrived, by list")

/**
 * @since 0.1.0
 * @category metrics
 */
export const items: Metric.Metric.Counter<number> = counter("mailstream_items", "Items that have arrived, by list")

/**
 * @since 0.1.0
 * @category metrics
 */
export const retries: Metric.Metric.Counter<number> = counter(
  "mailstream_retries",
  "Requests that were sent again after a failure, by list"
)

/**
 * @since 0.1.0
 * @category metrics
 */
export const waitSeconds: Metric.Metric.Counter<number> = counter(
  "mailstream_wait_seconds",
  "Seconds of waiting between tries, by list"
)

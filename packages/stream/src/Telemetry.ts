/**
 * What walks report: metrics and spans. Tags and attributes are names, ids and counts, never payloads.
 *
 * Metrics, tagged with the name of the `list`: `mailstream_pages`, `mailstream_items`, `mailstream_duplicates`,
 * `mailstream_retries` and `mailstream_wait_seconds`.
 *
 * Spans, named after the module of the list, all with the attribute `mailstream.list`:
 *
 * | span                               | of                                         | more attributes                          |
 * | ---------------------------------- | ------------------------------------------ | ---------------------------------------- |
 * | `Contacts.items`, `Contacts.pages` | a walk                                     |                                          |
 * | `Contacts.page`                    | one page of it, including retries          | `mailstream.limit`, and `mailstream.after` or `mailstream.before` |
 * | `Contacts.process`                 | `process` or `processPages`, around a walk | `mailstream.key`                         |
 * | `Contacts.follow`                  | following, around its walks                |                                          |
 * | `Contacts.whole`                   | the complete list from one request         |                                          |
 *
 * @since 1.0.0
 */
import * as Metric from "effect/Metric"
import { keys } from "./internal/metrics.ts"

/**
 * Pages received.
 *
 * @since 1.0.0
 * @category metrics
 */
export const pages: Metric.Metric.Counter<number> = /* #__PURE__ */ Metric.fromMetricKey(keys.mailstream_pages)

/**
 * Items emitted.
 *
 * @since 1.0.0
 * @category metrics
 */
export const items: Metric.Metric.Counter<number> = /* #__PURE__ */ Metric.fromMetricKey(keys.mailstream_items)

/**
 * Items that the API repeated, within a page or in the next one. They are not emitted again, and a warning is logged
 * for each page that holds some.
 *
 * @since 1.0.0
 * @category metrics
 */
export const duplicates: Metric.Metric.Counter<number> = /* #__PURE__ */ Metric.fromMetricKey(
  keys.mailstream_duplicates
)

/**
 * Requests that were repeated after a failure.
 *
 * @since 1.0.0
 * @category metrics
 */
export const retries: Metric.Metric.Counter<number> = /* #__PURE__ */ Metric.fromMetricKey(keys.mailstream_retries)

/**
 * Seconds spent waiting between attempts.
 *
 * @since 1.0.0
 * @category metrics
 */
export const waitSeconds: Metric.Metric.Counter<number> = /* #__PURE__ */ Metric.fromMetricKey(
  keys.mailstream_wait_seconds
)

/**
 * Metrics of walks, tagged with the name of the `list`. Each walk and each of its pages also has a span, named after the
 * module of the list (`Contacts.items`, `Contacts.page`); the page "Spans, attributes and metrics" of the documentation lists
 * all of them. Tags and attributes are names, ids and counts, never payloads.
 *
 * @since 1.0.0
 */
import type * as Metric from "effect/Metric"
import { all } from "./internal/metrics.ts"

/**
 * Pages received.
 *
 * @since 1.0.0
 * @category metrics
 */
export const pages: Metric.Counter<number> = all.mailstream_pages

/**
 * Items emitted.
 *
 * @since 1.0.0
 * @category metrics
 */
export const items: Metric.Counter<number> = all.mailstream_items

/**
 * Items that the API repeated, within a page or in the next one. They are not emitted again, and a warning is logged
 * for each page that holds some.
 *
 * @since 1.0.0
 * @category metrics
 */
export const duplicates: Metric.Counter<number> = all.mailstream_duplicates

/**
 * Requests that were repeated after a failure.
 *
 * @since 1.0.0
 * @category metrics
 */
export const retries: Metric.Counter<number> = all.mailstream_retries

/**
 * Seconds spent waiting between attempts.
 *
 * @since 1.0.0
 * @category metrics
 */
export const waitSeconds: Metric.Counter<number> = all.mailstream_wait_seconds

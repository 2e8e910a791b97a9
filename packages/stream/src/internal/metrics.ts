import * as Metric from "effect/Metric"
import * as MetricKey from "effect/MetricKey"

const counter = (name: string, description: string): MetricKey.MetricKey.Counter<number> =>
  MetricKey.counter(name, { description, incremental: true })

export const pages = counter("mailstream_pages", "Pages that have arrived, by list")

export const items = counter("mailstream_items", "Items that have arrived, by list")

export const retries = counter("mailstream_retries", "Requests that were sent again after a failure, by list")

export const waitSeconds = counter("mailstream_wait_seconds", "Seconds of waiting between tries, by list")

/** The metric of one list. Unlike that of `Metric.tagged`, it is looked up once, and not at every update. */
export const ofList = (key: MetricKey.MetricKey.Counter<number>, list: string): Metric.Metric.Counter<number> =>
  Metric.fromMetricKey(MetricKey.tagged(key, "list", list))

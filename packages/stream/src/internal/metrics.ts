import * as Metric from "effect/Metric"
import * as MetricKey from "effect/MetricKey"

const counter = (name: string, description: string): MetricKey.MetricKey.Counter<number> =>
  MetricKey.counter(name, { description, incremental: true })

export const pages = counter("mailstream_pages", "Pages, by list")

export const items = counter("mailstream_items", "Items, by list")

export const retries = counter("mailstream_retries", "Repeated requests, by list")

export const waitSeconds = counter("mailstream_wait_seconds", "Seconds between tries, by list")

/** The metric of one list. Unlike that of `Metric.tagged`, it is looked up once, and not at every update. */
export const ofList = (key: MetricKey.MetricKey.Counter<number>, list: string): Metric.Metric.Counter<number> =>
  Metric.fromMetricKey(MetricKey.tagged(key, "list", list))

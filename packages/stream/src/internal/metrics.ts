import * as Fibers from "@mailstream/kernel/Fibers"
import * as Metric from "effect/Metric"
import * as MetricKey from "effect/MetricKey"

const counter = (name: string, description: string): MetricKey.MetricKey.Counter<number> =>
  MetricKey.counter(name, { description, incremental: true })

export const pages = counter("mailstream_pages", "Pages, by list")

export const items = counter("mailstream_items", "Items, by list")

export const duplicates = counter("mailstream_duplicates", "Repeated items that were left out, by list")

export const retries = counter("mailstream_retries", "Repeated requests, by list")

export const waitSeconds = counter("mailstream_wait_seconds", "Seconds between attempts, by list")

/** The metrics of one list. */
export const ofList = /* #__PURE__ */ Fibers.memoized((list) => {
  const tagged = (key: MetricKey.MetricKey.Counter<number>) => Metric.fromMetricKey(MetricKey.tagged(key, "list", list))
  return {
    pages: tagged(pages),
    items: tagged(items),
    duplicates: tagged(duplicates),
    retries: tagged(retries),
    waitSeconds: tagged(waitSeconds)
  }
})

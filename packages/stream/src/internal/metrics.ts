import * as Fibers from "@mailstream/kernel/Fibers"
import * as Metric from "effect/Metric"
import * as MetricKey from "effect/MetricKey"
import * as Record from "effect/Record"

/** The metrics, without the tag of a list. */
export const keys = /* #__PURE__ */ Record.map({
  mailstream_pages: "Pages, by list",
  mailstream_items: "Items, by list",
  mailstream_duplicates: "Repeated items that were left out, by list",
  mailstream_retries: "Repeated requests, by list",
  mailstream_wait_seconds: "Seconds between attempts, by list"
}, (description, name) => MetricKey.counter(name, { description, incremental: true }))

export const ofList = /* #__PURE__ */ Fibers.memoized((list) =>
  Record.map(keys, (key) => Metric.fromMetricKey(MetricKey.tagged(key, "list", list)))
)

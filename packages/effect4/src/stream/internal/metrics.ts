import * as Metric from "effect/Metric"
import * as Record from "effect/Record"
import { memoized } from "../../internal/fibers.ts"

/** The metrics, without the attribute of a list. */
export const all = /* #__PURE__ */ Record.map({
  mailstream_pages: "Pages, by list",
  mailstream_items: "Items, by list",
  mailstream_duplicates: "Repeated items that were left out, by list",
  mailstream_retries: "Repeated requests, by list",
  mailstream_wait_seconds: "Seconds between attempts, by list"
}, (description, name) => Metric.counter(name, { description, incremental: true }))

export const ofList = /* #__PURE__ */ memoized((list) =>
  Record.map(all, (metric) => Metric.withAttributes(metric, { list }))
)

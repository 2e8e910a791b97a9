/** What a worker counts. */
import * as Metric from "effect/Metric"
import * as MetricBoundaries from "effect/MetricBoundaries"

/** Turns that have ended, by `outcome`: Done, Yielded, Failed, Removed. */
export const turns = Metric.counter("mailstream_cluster_turns", {
  description: "Turns of accounts that have ended, by outcome",
  incremental: true
})

/** Passes in progress. */
export const passes = Metric.gauge("mailstream_cluster_passes", { description: "Passes in progress on this worker" })

/** How long turns take. */
export const duration = Metric.timerWithBoundaries(
  "mailstream_cluster_turn_duration",
  MetricBoundaries.exponential({ start: 50, factor: 2, count: 16 }).values,
  "How long the turns of accounts take, in milliseconds"
)

/** Turns that were assigned again because no worker had received them. */
export const renewed = Metric.counter("mailstream_cluster_renewed_turns", {
  description: "Turns that were assigned again because no worker had received them",
  incremental: true
})

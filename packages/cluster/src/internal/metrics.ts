/** What a worker counts. */
import * as Metric from "effect/Metric"
import * as MetricBoundaries from "effect/MetricBoundaries"

export const turns = Metric.counter("mailstream_cluster_turns", {
  description: "Turns of accounts that have ended, by outcome",
  incremental: true
})

export const passes = Metric.gauge("mailstream_cluster_passes", { description: "Passes in progress on this worker" })

export const duration = Metric.timerWithBoundaries(
  "mailstream_cluster_turn_duration",
  MetricBoundaries.exponential({ start: 50, factor: 2, count: 16 }).values,
  "How long the turns of accounts take, in milliseconds"
)

export const renewed = Metric.counter("mailstream_cluster_renewed_turns", {
  description: "Turns that were assigned again because no worker had received them",
  incremental: true
})

/** What a worker counts, and what it knows about the cluster. */
import * as Metric from "effect/Metric"
import * as MetricBoundaries from "effect/MetricBoundaries"
import type { Status } from "../Status.ts"
import type { Family } from "./prometheus.ts"

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

export const lost = Metric.counter("mailstream_cluster_leases_lost", {
  description: "How often this worker could not confirm in time that it takes part",
  incremental: true
})

const gauge = (name: string, help: string, samples: Family["samples"]): Family => ({
  name: `mailstream_cluster_${name}`,
  type: "gauge",
  help,
  samples
})

/** What the database says, which is the same whichever worker is asked; undefined if it does not respond. */
export const familiesOf = (status: Status | undefined): ReadonlyArray<Family> => {
  const up = gauge("database_up", "Whether the database responds to this worker", [{
    value: status === undefined ? 0 : 1
  }])
  if (status === undefined) return [up]
  const { accounts, runners } = status
  const states = (counts: Readonly<Record<string, number>>): Family["samples"] =>
    Object.entries(counts).map(([state, value]) => ({ labels: [["state", state]], value }))
  const healthy = runners.filter(({ isHealthy }) => isHealthy).length
  return [
    up,
    gauge(
      "accounts",
      "How many accounts there are, and how many of them are in each state; an account can be in several",
      states({
        all: accounts.total,
        never_copied: accounts.neverCopied,
        due: accounts.due,
        working: accounts.working,
        paused: accounts.paused,
        failing: accounts.failing
      })
    ),
    gauge("longest_due_seconds", "For how long an account has been due that no live worker has claimed", [
      { value: accounts.longestDue }
    ]),
    gauge(
      "oldest_copy_seconds",
      "The age of the oldest copy",
      accounts.oldestCopy === undefined ? [] : [{ value: accounts.oldestCopy }]
    ),
    gauge("workers", "How many workers there are", states({ healthy, lost: runners.length - healthy }))
  ]
}

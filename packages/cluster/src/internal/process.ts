/** What every process reports to Prometheus, by the names that its clients have agreed on. */
import type { Family } from "./prometheus.ts"

const family = (type: Family["type"], name: string, help: string, value: number): Family => ({
  name: `process_${name}`,
  type,
  help,
  samples: [{ value }]
})

export const families = (): ReadonlyArray<Family> => {
  const { system, user } = process.cpuUsage()
  return [
    family("counter", "cpu_seconds_total", "User and system CPU time spent in seconds", (system + user) / 1e6),
    family("gauge", "resident_memory_bytes", "Resident memory size in bytes", process.memoryUsage.rss())
  ]
}

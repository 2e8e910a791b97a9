/** For tests on PostgreSQL that also start programs. */
import type { TestProject } from "vitest/node"
import postgres from "./postgres.ts"
import programs from "./programs.ts"

export default async (project: TestProject): Promise<() => Promise<void>> => {
  const stops = [await postgres(project), await programs(project)]
  return async () => {
    for (const stop of stops) await stop?.()
  }
}

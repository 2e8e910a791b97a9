/** PostgreSQL, and the programs that the tests start as processes. */
import * as Bundle from "@mailstream/testing/Bundle"
import postgres from "@mailstream/testing/globalSetup/postgres"
import * as Temporary from "@mailstream/testing/Temporary"
import { fileURLToPath } from "node:url"
import type { TestProject } from "vitest/node"
import type {} from "./support/processes.ts"

export default async (project: TestProject): Promise<() => Promise<void>> => {
  const stop = await postgres(project)
  const directory = Temporary.make()
  await Bundle.bundle({ worker: fileURLToPath(new URL("support/worker.ts", import.meta.url)) }, directory)
  project.provide("clusterPrograms", directory)
  return async () => {
    Temporary.remove(directory)
    await stop?.()
  }
}

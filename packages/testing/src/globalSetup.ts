/** Before all tests: starts PostgreSQL, and bundles the programs that tests start as processes. */
import type { TestProject } from "vitest/node"
import * as Postgres from "./Postgres.ts"
import * as Programs from "./Programs.ts"
import type {} from "./Provided.ts"
import * as Temporary from "./Temporary.ts"

export default async (project: TestProject): Promise<() => Promise<void>> => {
  const directory = Temporary.make()
  // No test cuts the power: nothing has to be on the disk when a transaction ends.
  const [{ stop, url }] = await Promise.all([Postgres.start("fsync=off"), Programs.bundle(directory)])
  project.provide("postgres", url)
  project.provide("programs", directory)
  return async () => {
    Temporary.remove(directory)
    await stop()
  }
}

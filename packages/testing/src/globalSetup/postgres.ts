/** For tests on PostgreSQL: starts one server for the whole run, whichever projects need it. */
import type { TestProject } from "vitest/node"
import * as Postgres from "../Postgres.ts"
import type {} from "../Provided.ts"

export default async ({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> => {
  const root = vitest.getRootProject()
  if (root.getProvidedContext().postgres !== undefined) return undefined
  const { stop, url } = await Postgres.start()
  root.provide("postgres", url)
  return stop
}

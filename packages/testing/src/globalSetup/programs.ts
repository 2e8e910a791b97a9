/** For tests that start programs: bundles them once for the whole run, whichever projects need them. */
import type { TestProject } from "vitest/node"
import * as Programs from "../Programs.ts"
import type {} from "../Provided.ts"
import * as Temporary from "../Temporary.ts"

export default async ({ vitest }: TestProject): Promise<(() => void) | undefined> => {
  const root = vitest.getRootProject()
  if (root.getProvidedContext().programs !== undefined) return undefined
  const directory = Temporary.make()
  root.provide("programs", directory)
  await Programs.bundle(directory)
  return () => Temporary.remove(directory)
}

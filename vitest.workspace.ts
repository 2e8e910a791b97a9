import { readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { TestProjectConfiguration } from "vitest/config"

const roots: ReadonlyArray<string> = [
  ...readdirSync(new URL("packages", import.meta.url)).map((name) => `packages/${name}`),
  "benchmarks",
  "deploy",
  "examples",
  "runtimes",
  "site",
  "torture",
  ".ci/api",
  ".ci/supply"
]

/** CI also runs the tests in `test/slow`, which take more than a few seconds each. */
const isComplete = process.env["MAILSTREAM_SLOW_TESTS"] === "1"

const testing = (file: string): string => fileURLToPath(new URL(`packages/testing/src/${file}`, import.meta.url))

/**
 * One project for all packages: projects would wait for each other, and each would load its modules again.
 * `vitest run packages/core` runs the tests of one package.
 */
const all: TestProjectConfiguration = {
  test: {
    name: "all",
    include: roots.map((root) => `${root}/test/**/*.test.ts`),
    exclude: isComplete ? [] : ["**/test/slow/**"],
    globalSetup: testing("globalSetup.ts"),
    setupFiles: testing("setup.ts"),
    // No test waits for time to pass; a machine may be busy all the same.
    testTimeout: 30_000
  }
}

export default [all]

import { existsSync, readdirSync } from "node:fs"
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

/** A package whose tests need something running has `test/globalSetup.ts`. */
const globalSetup = (root: string): Array<string> =>
  ["test/globalSetup.ts"].filter((file) => existsSync(new URL(`${root}/${file}`, import.meta.url)))

/** One project per package: `vitest run --project core` runs the tests of `packages/core`. */
export default roots.map((root): TestProjectConfiguration => ({
  test: {
    name: root.replace(/^(packages|\.ci)\//, ""),
    root,
    include: ["test/**/*.test.ts"],
    exclude: isComplete ? [] : ["test/slow/**"],
    globalSetup: globalSetup(root),
    setupFiles: [fileURLToPath(new URL("packages/testing/src/setup.ts", import.meta.url))],
    // No test waits for time to pass; a machine may be busy all the same.
    testTimeout: 30_000
  }
}))

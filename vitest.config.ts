import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"
import type { Reporter } from "vitest/node"
import projects from "./vitest.workspace.ts"

/** How many checks failed before the tests began: types, type tests, lint. */
const failedChecks = Number(process.env["MAILSTREAM_FAILED_CHECKS"] ?? 0)

/** Ends the run with one plain line that any tool can read, also if it could not begin. */
const closing: Reporter = {
  onInit() {
    process.once("exit", (code) => {
      if (line === undefined && code === 0) process.exitCode = 1
      process.stdout.write(`${line ?? `0 passed, ${failedChecks + 1} failed`}\n`)
    })
  },
  onTestRunEnd(modules, errors, reason) {
    const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state))
    const broken = modules.filter((module) => module.state() === "failed" && module.children.size === 0).length
    const count = (state: (typeof states)[number]) => states.filter((other) => other === state).length
    const counted = count("failed") + broken + errors.length + failedChecks
    // A run that could not begin has no tests to count.
    const failed = reason === "failed" ? Math.max(1, counted) : counted
    const skipped = count("skipped")
    line = `${count("passed")} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`
    if (reason !== "passed" || failed > 0) process.exitCode = 1
  }
}

let line: string | undefined

/** By itself vitest leaves one core to its main process, which has little to do here; and tests often wait for processes. */
const workers = availableParallelism() + 1

export default defineConfig({
  test: {
    projects,
    reporters: ["default", closing],
    maxWorkers: workers,
    // vitest may stop by itself after it has ended a worker that had nothing to do.
    minWorkers: workers,
    // With the default of 16 MB, collecting garbage takes a twelfth of the time of all tests.
    poolOptions: { forks: { execArgv: ["--max-semi-space-size=64"] } },
    // Loading effect takes a second or two: all files share it. Projects cannot set this.
    isolate: false
  }
})

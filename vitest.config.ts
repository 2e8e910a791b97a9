import { defineConfig } from "vitest/config"
import type { Reporter } from "vitest/node"
import projects from "./vitest.workspace.ts"

/**
 * Ends the run with one plain line that any tool can read, and makes sure of its status: what starts PostgreSQL for the
 * tests ends the process with 0, whatever came before.
 */
const closing: Reporter = {
  onTestRunEnd(modules, errors, reason) {
    const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state))
    const broken = modules.filter((module) => module.state() === "failed" && module.children.size === 0).length
    const count = (state: (typeof states)[number]) => states.filter((other) => other === state).length
    const skipped = count("skipped")
    const line = `${count("passed")} passed, ${count("failed") + broken} failed${
      skipped > 0 ? `, ${skipped} skipped` : ""
    }`
    process.once("exit", () => {
      if (reason !== "passed" || errors.length > 0) process.exitCode = 1
      process.stdout.write(`${line}\n`)
    })
  }
}

export default defineConfig({ test: { projects, reporters: ["default", closing] } })

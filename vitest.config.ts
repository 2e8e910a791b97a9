import { defineConfig } from "vitest/config"
import type { Reporter } from "vitest/node"
import projects from "./vitest.workspace.ts"

/** Ends the run with one plain line that any tool can read. */
const closingLine: Reporter = {
  onTestRunEnd(modules) {
    const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state))
    const broken = modules.filter((module) => module.state() === "failed" && module.children.size === 0).length
    const count = (state: (typeof states)[number]) => states.filter((other) => other === state).length
    const skipped = count("skipped")
    const line = `${count("passed")} passed, ${count("failed") + broken} failed${
      skipped > 0 ? `, ${skipped} skipped` : ""
    }`
    process.once("exit", () => process.stdout.write(`${line}\n`))
  }
}

export default defineConfig({ test: { projects, reporters: ["default", closingLine] } })

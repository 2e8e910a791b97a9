#!/usr/bin/env node
import * as Runtime from "./terminal/Runtime.ts"

const problem = Runtime.problem(process.versions)

if (problem === undefined) await import("./Start.ts")
else {
  process.stderr.write(`${problem}\n`)
  process.exitCode = 1
}

#!/usr/bin/env node
import * as Runtime from "@mailstream/sql/Runtime"
import * as Signals from "./terminal/Signals.ts"

// First of all: what is imported above imports nothing.
Signals.keep()

const obstacle = Runtime.obstacle("mailstream", process.versions)

if (obstacle === undefined) await import("./Start.ts")
else {
  process.stderr.write(`${obstacle}\n`)
  process.exitCode = 1
}

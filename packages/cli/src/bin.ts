#!/usr/bin/env node
import * as Runtime from "@mailstream/sql/Runtime"

const obstacle = Runtime.obstacle("mailstream", process.versions)

if (obstacle === undefined) await import("./Start.ts")
else {
  process.stderr.write(`${obstacle}\n`)
  process.exitCode = 1
}

/**
 * Loaded into a process before its program, with `--expose-gc`: looks now and then how much memory is in use once garbage has
 * been collected, and writes the most of it to a file.
 */
import { writeFileSync } from "node:fs"

const file = process.env["MEMORY_FILE"]
let most = 0

const look = () => {
  globalThis.gc?.()
  const { external, heapUsed } = process.memoryUsage()
  most = Math.max(most, heapUsed + external)
}

setInterval(look, 1000).unref()

process.on("exit", () => {
  look()
  if (file !== undefined) writeFileSync(file, String(most))
})

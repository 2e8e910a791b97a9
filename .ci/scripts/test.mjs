/**
 * `npm test`: types and lint in parallel with the tests of types, which take as long; then the tests. The last line counts
 * all failures.
 */
import "./setup.mjs"
import { mkdtempSync, openSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bin, node, script } from "./processes.mjs"

const directory = mkdtempSync(join(tmpdir(), "mailstream-checks-"))
process.once("exit", () => rmSync(directory, { recursive: true, force: true }))

/** Runs checks one after the other, without mixing their output with that of others. Returns how many failed. */
const run = async (name, ...checks) => {
  const file = join(directory, name)
  const output = openSync(file, "w")
  let failed = 0
  for (const check of checks) if (await check({ stdio: ["ignore", output, output] }) !== 0) failed++
  return { failed, text: readFileSync(file) }
}

// CI also looks for floating effects, which only a slower compiler can find.
const check = process.env["MAILSTREAM_SLOW_TESTS"] === "1" ? "check:effect:only" : "check:only"
const code = run("code", (options) => script(check, [], options), (options) => script("lint:only", [], options))
const types = run("types", (options) => node([bin("tstyche")], options))

let failed = 0
for (const checks of [code, types]) {
  const finished = await checks
  failed += finished.failed
  process.stdout.write(finished.text)
}

process.exitCode = await node([bin("vitest"), "run", ...process.argv.slice(2)], {
  env: { ...process.env, MAILSTREAM_FAILED_CHECKS: String(failed) }
})

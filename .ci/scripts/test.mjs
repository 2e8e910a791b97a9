/**
 * `npm test`: types, lint and the tests of types in parallel; then the tests. The last line counts all failures. Arguments are
 * those of `vitest run`: `npm test -- packages/core` runs the tests of one package.
 */
import "./setup.mjs"
import { mkdtempSync, openSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bin, node, script } from "./processes.mjs"

const directory = mkdtempSync(join(tmpdir(), "mailstream-checks-"))
process.once("exit", () => rmSync(directory, { recursive: true, force: true }))

/** Runs a check without mixing its output with that of others. */
const run = async (name, check) => {
  const file = join(directory, name)
  const output = openSync(file, "w")
  const code = await check({ stdio: ["ignore", output, output] })
  return { failed: code === 0 ? 0 : 1, text: readFileSync(file) }
}

// CI also looks for floating effects, which only a slower compiler can find.
const check = process.env["MAILSTREAM_SLOW_TESTS"] === "1" ? "check:effect:only" : "check:only"
const checks = [
  run("types", (options) => script(check, [], options)),
  run("lint", (options) => script("lint:only", [], options)),
  run("type tests", (options) => node([bin("tstyche")], options))
]

let failed = 0
for (const check of checks) {
  const finished = await check
  failed += finished.failed
  process.stdout.write(finished.text)
}

process.exitCode = await node([bin("vitest"), "run", ...process.argv.slice(2)], {
  env: { ...process.env, MAILSTREAM_FAILED_CHECKS: String(failed) }
})

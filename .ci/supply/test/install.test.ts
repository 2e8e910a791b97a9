import { assert, describe, it } from "@effect/vitest"
import * as Process from "@mailstream/testing/Process"
import * as Temporary from "@mailstream/testing/Temporary"
import { Effect } from "effect"
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const scripts = fileURLToPath(new URL("../../scripts", import.meta.url))

/** Instead of npm: notes what it is asked for, and installs as pnpm does, with a lock file of what was installed. */
const npm = `
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
const args = process.argv.slice(2)
const part = args.includes("--prod") ? "program" : "everything"
appendFileSync("log", part + "\\n")
if (process.env.HANGS) {
  console.error("hanging")
  await new Promise((resolve) => process.stdin.resume().once("end", resolve))
  process.exit(1)
}
if (process.env.FAILS) process.exit(7)
const lock = readFileSync("pnpm-lock.yaml", "utf8")
mkdirSync("node_modules/.pnpm", { recursive: true })
writeFileSync("node_modules/.pnpm/lock.yaml", part === "program" ? "part of " + lock : lock)
`

/** A new checkout. */
const checkout = Effect.map(Temporary.directory, (root) => {
  cpSync(scripts, join(root, ".ci/scripts"), { recursive: true })
  writeFileSync(join(root, "npm.mjs"), npm)
  const lockFile = (text: string) => writeFileSync(join(root, "pnpm-lock.yaml"), text)
  lockFile("one")
  const command = (part: string) => [
    "--input-type=module",
    "-e",
    `const { install } = await import("./.ci/scripts/install.mjs"); await install(".", "${part}"); console.log("ready")`
  ]
  const options = (env: Record<string, string>) => ({
    cwd: root,
    env: { ...env, npm_execpath: join(root, "npm.mjs") }
  })
  return {
    root,
    lockFile,
    install: (part: "program" | "everything", env: Record<string, string> = {}) =>
      Process.run(command(part), options(env)),
    start: (part: "program" | "everything", env: Record<string, string>) => Process.start(command(part), options(env)),
    /** What was installed, in order. */
    installed: () => readFileSync(join(root, "log"), "utf8").trim().split("\n")
  }
})

const ready = { code: 0, stdout: "ready\n", stderr: "Installing what is needed…\n" }
const unchanged = { ...ready, stderr: "" }

describe("the installation", () => {
  it.scoped("has what the program needs at first, and the rest once something else is started", () =>
    Effect.gen(function*() {
      const { install, installed } = yield* checkout
      assert.deepStrictEqual(yield* install("program"), ready)
      assert.deepStrictEqual(yield* install("program"), unchanged)
      assert.deepStrictEqual(yield* install("everything"), ready)
      for (const part of ["program", "everything"] as const) {
        assert.deepStrictEqual(yield* install(part), unchanged)
      }
      assert.deepStrictEqual(installed(), ["program", "everything"])
    }))

  it.scoped("follows the lock file, and stays complete once it was", () =>
    Effect.gen(function*() {
      const { install, installed, lockFile } = yield* checkout
      yield* install("program")
      lockFile("two")
      yield* install("program")
      yield* install("everything")
      lockFile("three")
      yield* install("program")
      // Git may write it with other ends of lines.
      lockFile("four\n")
      yield* install("program")
      lockFile("four\r\n")
      assert.deepStrictEqual(yield* install("everything"), unchanged)
      assert.deepStrictEqual(installed(), ["program", "program", "everything", "everything", "everything"])
    }))

  it.scoped("happens once, however many start at once", () =>
    Effect.gen(function*() {
      const { install, installed, root } = yield* checkout
      const finished = yield* Effect.all(Array.from({ length: 4 }, () => install("everything")), {
        concurrency: "unbounded"
      })
      for (const { code, stdout } of finished) assert.deepStrictEqual([code, stdout], [0, "ready\n"])
      assert.deepStrictEqual(installed(), ["everything"])
      assert.isFalse(existsSync(join(root, "node_modules/.mailstream-install.lock")))
    }))

  it.scoped("is resumed by the next one if it was killed, whatever it was installing", () =>
    Effect.gen(function*() {
      const { install, installed, start } = yield* checkout
      for (const part of ["program", "everything"] as const) {
        yield* Effect.scoped(Effect.gen(function*() {
          const { said } = yield* start(part, { HANGS: "1" })
          assert.strictEqual(yield* said, "Installing what is needed…")
          assert.strictEqual(yield* said, "hanging")
        }))
        assert.deepStrictEqual(yield* install(part), ready)
      }
      assert.deepStrictEqual(installed(), ["program", "program", "everything", "everything"])
    }))

  it.scoped("fails in words, with the exit code of pnpm, and leaves nothing that pretends to be installed", () =>
    Effect.gen(function*() {
      const { install } = yield* checkout
      const { code, stderr, stdout } = yield* install("program", { FAILS: "1" })
      assert.deepStrictEqual([code, stdout], [7, ""])
      assert.include(stderr, "The installation failed. `npm run pnpm -- install` says more.\n")
      assert.deepStrictEqual(yield* install("program"), ready)
    }))
})

import { assert, describe, it } from "@effect/vitest"
import * as Process from "@mailstream/testing/Process"
import * as Temporary from "@mailstream/testing/Temporary"
import { Effect } from "effect"
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Runtime from "../../../packages/sql/src/Runtime.ts"

const home = fileURLToPath(new URL("../../..", import.meta.url))
const scripts = join(home, ".ci/scripts")

/** Node says that it is another version. */
const pretend = (version: string): string =>
  `data:text/javascript,Object.defineProperty(process.versions,"node",{value:"${version}"})`

/** Instead of npm: notes what it is asked for, and installs this Node as version 99.2.0. */
const npm = `
import { appendFileSync, chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { setTimeout } from "node:timers/promises"
const args = process.argv.slice(2)
const spec = args.at(-1)
appendFileSync(new URL("log", import.meta.url), spec + "\\n")
await setTimeout(50)
if (process.env.FAILS) {
  console.error("npm error the registry is out of reach")
  process.exit(7)
}
const bin = join(args[args.indexOf("--prefix") + 1], "node_modules", spec.slice(0, spec.lastIndexOf("@")), "bin", "node")
mkdirSync(dirname(bin), { recursive: true })
writeFileSync(bin, \`#!/bin/sh\\nexec "${process.execPath}" --import '${pretend("99.2.0")}' "$@"\\n\`)
chmodSync(bin, 0o755)
`

/** A script that says where it runs. */
const where = `
import { execFileSync } from "node:child_process"
const child = execFileSync("node", ["-p", "process.versions.node"], { encoding: "utf8" }).trim()
process.once("SIGTERM", () => process.exit(4))
if (process.argv[2] === "wait") setInterval(() => {}, 1000)
console.log(JSON.stringify({ node: process.versions.node, child, args: process.argv.slice(2), cwd: process.cwd() }))
process.exitCode = Number(process.argv[2]) || 0
`

/** A checkout that needs Node 99.1 or a later one. */
const checkout = Effect.map(Temporary.directory, (root) => {
  cpSync(scripts, join(root, ".ci/scripts"), { recursive: true })
  writeFileSync(join(root, "package.json"), JSON.stringify({ engines: { node: "^98.5.0 || >=99.1.0" } }))
  writeFileSync(join(root, "npm.mjs"), npm)
  writeFileSync(join(root, ".ci/scripts/where.mjs"), where)
  const command = (...args: ReadonlyArray<string>) => [join(root, ".ci/scripts/run.mjs"), "where", ...args]
  const options = { cwd: root, env: { npm_execpath: join(root, "npm.mjs") } }
  return {
    root,
    command,
    options,
    run: (...args: ReadonlyArray<string>) => Process.run(command(...args), options),
    asked: () => existsSync(join(root, "log")) ? readFileSync(join(root, "log"), "utf8").trim().split("\n") : []
  }
})

const installing = "Mailstream needs Node ^98.5.0 || >=99.1.0; this is " +
  `${process.versions.node}. Installing Node ^99.1.0 for this checkout…\n`

describe.skipIf(process.platform === "win32")("a script on a Node that is too old", () => {
  it.scoped("continues on a newer one, which it installs once, in the checkout", () =>
    Effect.gen(function*() {
      const { asked, root, run } = yield* checkout
      for (const stderr of [installing, ""]) {
        const finished = yield* run("a b", "--c")
        assert.deepStrictEqual(finished, {
          code: 0,
          stdout: `${JSON.stringify({ node: "99.2.0", child: "99.2.0", args: ["a b", "--c"], cwd: root })}\n`,
          stderr
        })
      }
      assert.lengthOf(asked(), 1)
      assert.match(asked()[0]!, /^node-(bin-)?[a-z0-9]+-[a-z0-9]+@\^99\.1\.0$/)
      assert.deepStrictEqual(readdirSync(join(root, "node_modules")), [".mailstream-node"])
      assert.deepStrictEqual(readdirSync(join(root, "node_modules/.mailstream-node")), ["99.1.0"])
    }))

  it.scoped("ends with the exit code of the script, and passes signals on", () =>
    Effect.gen(function*() {
      const { command, options, run } = yield* checkout
      assert.strictEqual((yield* run("3")).code, 3)
      const waiting = yield* Process.start(command("wait"), options)
      assert.include(yield* waiting.line, "99.2.0")
      yield* waiting.kill("SIGTERM")
      assert.strictEqual((yield* waiting.finished).code, 4)
    }))

  it.scoped("waits for another one that installs it", () =>
    Effect.gen(function*() {
      const { asked, run } = yield* checkout
      const finished = yield* Effect.all([run(), run(), run()], { concurrency: "unbounded" })
      assert.deepStrictEqual(finished.map(({ code }) => code), [0, 0, 0])
      assert.lengthOf(asked(), 1)
    }))

  it.scoped("says what to do if it cannot be installed, and tries again the next time", () =>
    Effect.gen(function*() {
      const { command, options, run } = yield* checkout
      const failed = yield* Process.run(command(), { ...options, env: { ...options.env, FAILS: "1" } })
      assert.deepStrictEqual(failed, {
        code: 1,
        stdout: "",
        stderr: `${installing}That failed: npm error the registry is out of reach\n` +
          "Install Node 99.1.0 or later yourself, and try again.\n"
      })
      assert.strictEqual((yield* run()).code, 0)
    }))

  it.scoped("stays where it is on one that is new enough", () =>
    Effect.gen(function*() {
      const { asked, command, options } = yield* checkout
      for (const version of ["98.5.0", "98.6.1", "99.1.0", "100.0.0"]) {
        const { stderr, stdout } = yield* Process.run(["--import", pretend(version), ...command()], options)
        assert.deepStrictEqual([JSON.parse(stdout).node, stderr], [version, ""])
      }
      assert.isEmpty(asked())
    }))

  it.effect("is the same for the scripts, for package managers and for the program", () =>
    Effect.gen(function*() {
      const { engines } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"))
      for (const name of readdirSync(join(home, "packages"))) {
        const manifest = JSON.parse(readFileSync(join(home, "packages", name, "package.json"), "utf8"))
        if (manifest.private !== true) assert.deepStrictEqual(manifest.engines, engines, name)
      }
      const numbers = [0, 1, 2, 3, 4, 14, 15, 16, 21, 22, 23]
      const versions = [18, 20, 21, 22, 23, 24, 25, 26, 30].flatMap((major) =>
        numbers.flatMap((minor) => [0, 2, 3, 4].map((patch) => `${major}.${minor}.${patch}`))
      )
      const { stdout } = yield* Process.run([
        "--input-type=module",
        "-e",
        `import { isSupported } from ${JSON.stringify(new URL("../../scripts/runtime.mjs", import.meta.url).href)}
         console.log(JSON.stringify(${JSON.stringify(versions)}.filter((version) => isSupported(version))))`
      ])
      assert.deepStrictEqual(
        JSON.parse(stdout),
        versions.filter((node) => Runtime.obstacle("It", { node }) === undefined)
      )
    }))
})

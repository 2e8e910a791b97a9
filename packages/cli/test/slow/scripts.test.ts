import { assert, describe, it } from "@effect/vitest"
import { found } from "@mailstream/testing/Eventually"
import * as Process from "@mailstream/testing/Process"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { directory, type Finished, slow } from "../support/program.ts"
import { contacts, paging, serving } from "../support/service.ts"

const root = fileURLToPath(new URL("../../../../", import.meta.url))

const scriptsOf = (directory: string): ReadonlyArray<readonly [name: string, command: string]> =>
  Object.entries<string>(JSON.parse(readFileSync(join(root, directory, "package.json"), "utf8")).scripts ?? {})

const manifests = [
  ".",
  "benchmarks",
  "examples",
  "torture",
  ...readdirSync(join(root, "packages")).map((name) => join("packages", name))
]
  .filter((directory) => existsSync(join(root, directory, "package.json")))

const mailstream = join(root, ".ci/scripts/mailstream.mjs")

const isGone = (baseUrl: string) =>
  found(`${baseUrl} is gone`, Effect.isFailure(Effect.tryPromise(() => fetch(baseUrl))), (isGone) => isGone)

describe("the scripts of package.json", () => {
  it.each(manifests.flatMap((directory) => scriptsOf(directory).map(([name, command]) => [directory, name, command])))(
    "of %s: %s runs in every shell, also in that of Windows",
    (_, __, command) => {
      for (const part of command!.split(" && ")) {
        // Nothing that one shell expands and another does not, and no quotes but double ones.
        assert.notMatch(part, /[$`'{}()<>|;*?~\\^%&]/)
        // A program of Node, npm or a package: neither a shell's own command nor a file that is executable only on POSIX.
        const [program = ""] = part.split(" ")
        assert.isTrue(
          ["node", "npm"].includes(program) || existsSync(join(root, "node_modules/.bin", program)),
          `${program} is neither node nor npm nor installed`
        )
      }
    }
  )

  it.scopedLive("mailstream: standard output and the exit code are the program's", () =>
    Effect.gen(function*() {
      const { env } = yield* serving(paging(contacts(2)))
      const listed = yield* Process.run([mailstream, "contacts", "list"], { env })
      assert.deepInclude(listed, { code: 0, stderr: "" })
      assert.lengthOf(listed.stdout.trim().split("\n"), 2)
      assert.strictEqual((yield* Process.run([mailstream, "nonsense"])).code, 2)
    }), slow)

  it.scopedLive.each(["to the program", "to the shell that npm runs it in"])(
    "mailstream: a signal %s ends it",
    (target) =>
      Effect.gen(function*() {
        const serve = [mailstream, "serve", "--port", "0", "--items", "1"]
        const shell =
          `require("node:child_process").spawn(process.execPath, process.argv.slice(1), { stdio: "inherit" })`
        const service = yield* Process.start(target === "to the program" ? serve : ["-e", shell, "--", ...serve], {
          env: { npm_lifecycle_event: "mailstream" }
        })
        const [, baseUrl = ""] = /listening on (\S+)/.exec(yield* service.line) ?? []
        yield* service.kill("SIGTERM")
        yield* isGone(baseUrl)
      }),
    slow
  )
})

/** Runs npm as a newcomer would. */
const npm = (args: ReadonlyArray<string>, cwd = root): Effect.Effect<Finished> =>
  Effect.async((resume) => {
    const { HOME = "", PATH = "" } = process.env
    const child = spawn("npm", args, { cwd, env: { HOME, PATH } })
    let stdout = ""
    let stderr = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text))
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text))
    child.on("close", (code) => resume(Effect.succeed({ code: code ?? "killed", stdout, stderr })))
  })

describe("npm", () => {
  it.effect(
    "start streams all contacts from a temporary service, and prints a summary",
    () =>
      Effect.gen(function*() {
        const { code, stdout } = yield* npm(["start", "--silent"])
        assert.strictEqual(code, 0)

        assert.notMatch(stdout, /[\u001b\r]/)
        assert.match(stdout, /service +http:\/\/127\.0\.0\.1:\d+\n/)
        assert.match(stdout, /items +10,000, each exactly once\n/)
        assert.match(stdout, /pages +100\n/)
        assert.match(stdout, /requests +1\d\d\n/)
        assert.match(stdout, /retries +[1-9]\d*, after waiting [\d.]+ s in total\n/)
        assert.match(stdout, /time +[\d.]+ s, /)
        assert.match(stdout, /Where to go next\n/)
      }),
    slow
  )

  it.effect("run mailstream passes on arguments, output and exit code", () =>
    Effect.gen(function*() {
      const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"))
      const right = yield* npm(["run", "--silent", "mailstream", "--", "--version"])
      assert.deepStrictEqual([right.code, right.stdout], [0, `${version}\n`])
      const wrong = yield* npm(["run", "--silent", "mailstream", "--", "contacts", "list", "--take", "x y"])
      assert.deepStrictEqual([wrong.code, wrong.stdout], [2, ""])
      assert.include(wrong.stderr, "not 'x y'")
    }), slow)

  it.scoped(
    "run ANYTHING -- --help prints what it does, and installs, writes and starts nothing",
    () =>
      Effect.gen(function*() {
        const copy = yield* directory
        const sources = ["packages/core/generate", "packages/cli/src/commands", "torture", "benchmarks"]
        for (const path of ["package.json", ".ci", ...sources]) {
          cpSync(join(root, path), join(copy, path), {
            recursive: true,
            filter: (source) => !/node_modules$|dist$/.test(source)
          })
        }
        const files = () => readdirSync(copy, { recursive: true, encoding: "utf8" }).sort()
        const before = files()
        const scripts = scriptsOf(".").filter(([name, command]) => command.includes("run.mjs") && name !== "mailstream")
        assert.includeMembers(scripts.map(([name]) => name), ["start", "cluster", "torture", "build", "bench", "docs"])
        yield* Effect.forEach(scripts, ([name]) =>
          Effect.gen(function*() {
            for (const option of name === "start" ? ["--help", "-h"] : ["--help"]) {
              const { code, stderr, stdout } = yield* npm(["run", "--silent", name, "--", option], copy)
              assert.deepStrictEqual([name, code], [name, 0], stderr)
              assert.match(stdout, new RegExp(`^[^]*\`npm (run )?${name}[ \`]`))
              assert.notMatch(stdout, /^ ?\*/m)
            }
          }), { concurrency: 2 })
        assert.match(
          (yield* npm(["run", "--silent", "torture", "--", "--help"], copy)).stdout,
          /\nExperiments: .*mutation, /
        )
        assert.deepStrictEqual(files(), before)
      }),
    slow
  )

  const cluster = join(root, ".ci/scripts/cluster.mjs")

  it.scopedLive(
    "cluster: shows a cluster whose workers are killed, and compares its copies in the end",
    () =>
      Effect.gen(function*() {
        const { code, stderr, stdout } = yield* Process.run([cluster, "6"])
        assert.strictEqual(code, 0, stdout + stderr)
        assert.match(stdout, /Worker 1 was killed/)
        assert.match(stdout, /Every copy equals its list: 6 accounts, 2,526 items\./)
        assert.notMatch(stdout + stderr, /re_/)
      }),
    300_000
  )

  it.scopedLive("cluster: Ctrl+C ends everything that it has started", () =>
    Effect.gen(function*() {
      const running = yield* Process.start([cluster, "6"])
      const lines: Array<string> = []
      const line = yield* Effect.repeat(Effect.tap(running.line, (line) => Effect.sync(() => lines.push(line))), {
        until: (line) => line.includes("Worker 3 runs")
      })
      const [healthUrl = ""] = /http:\S+/.exec(line) ?? []
      yield* running.kill("SIGINT")
      assert.strictEqual((yield* running.finished).code, 130, lines.join("\n"))
      yield* isGone(healthUrl)
    }), 300_000)

  it("cluster: says how many accounts there may be", () =>
    Effect.map(Process.run([cluster, "many"]), ({ code, stderr }) => {
      assert.deepStrictEqual([code, stderr], [2, "Usage: npm run cluster -- [ACCOUNTS], from 1 to 10000.\n"])
    }).pipe(Effect.runPromise))
})

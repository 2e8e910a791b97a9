import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { type Finished, run, slow } from "./support/program.ts"
import { apiKey, contacts, paging, serving } from "./support/service.ts"

const root = fileURLToPath(new URL("../../../", import.meta.url))

/** Runs npm as a newcomer would. */
const npm = (args: ReadonlyArray<string>, env: Record<string, string> = {}): Effect.Effect<Finished> =>
  Effect.async((resume) => {
    const { HOME = "", PATH = "" } = process.env
    const child = spawn("npm", args, { cwd: root, env: { HOME, PATH, ...env } })
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
      const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))
      const right = yield* npm(["run", "--silent", "mailstream", "--", "--version"])
      assert.deepStrictEqual([right.code, right.stdout], [0, `${version}\n`])
      const wrong = yield* npm(["run", "--silent", "mailstream", "--", "contacts", "list", "--take", "x y"])
      assert.deepStrictEqual([wrong.code, wrong.stdout], [2, ""])
      assert.include(wrong.stderr, "not 'x y'")
    }), slow)
})

describe("demo", () => {
  it.scoped("uses the service that the environment names", () =>
    Effect.gen(function*() {
      const service = yield* serving(paging(contacts(250)))
      const { code, stderr, stdout } = yield* run(["demo"], service)
      assert.deepStrictEqual([code, stderr], [0, ""])
      assert.include(stdout, service.env["MAILSTREAM_BASE_URL"]!)
      assert.match(stdout, /items +250, each exactly once\n +125 of them subscribed\n/)
      assert.match(stdout, /requests +3\n +retries +0\n/)
      assert.notInclude(stdout, apiKey)
      assert.strictEqual(service.requests.length, 3)
    }), slow)

  it.scoped("fails with one line and exit code 1", () =>
    Effect.gen(function*() {
      const service = yield* serving(() => ({ status: 401, body: { name: "missing_api_key", message: "No key." } }))
      const { code, stderr } = yield* run(["demo"], service)
      assert.deepStrictEqual([code, stderr], [1, "missing_api_key: No key.\n"])
    }), slow)
})

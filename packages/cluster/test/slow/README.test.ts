import { assert, describe, it } from "@effect/vitest"
import * as Bundle from "@mailstream/testing/Bundle"
import * as Port from "@mailstream/testing/Port"
import * as Process from "@mailstream/testing/Process"
import * as Temporary from "@mailstream/testing/Temporary"
import { Effect, Redacted } from "effect"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { make } from "../support/processes.ts"
import { until } from "../support/waiting.ts"

const here = fileURLToPath(new URL("../../", import.meta.url))

describe("the program in the README", () => {
  it.scopedLive("copies the accounts in its file, and ends when it is asked to", () =>
    Effect.gen(function*() {
      const { service, sql, url } = yield* make
      service.add("acme")
      const directory = yield* Temporary.directory
      writeFileSync(join(directory, "accounts.json"), service.file())
      const [, code = ""] = /```ts\n([^]*?)```/.exec(readFileSync(join(here, "README.md"), "utf8")) ?? []
      // Where its imports are found.
      const source = join(here, "node_modules/.cache/readme.ts")
      mkdirSync(join(here, "node_modules/.cache"), { recursive: true })
      writeFileSync(source, code)
      yield* Effect.promise(() => Bundle.bundle({ readme: source }, directory))
      const [health] = yield* Effect.promise(() => Port.free(1))
      const program = yield* Process.start([join(directory, "readme.mjs")], {
        cwd: directory,
        env: {
          DATABASE_URL: Redacted.value(url),
          HEALTH_PORT: String(health)
        }
      })
      const ready = Effect.promise(() =>
        fetch(`http://127.0.0.1:${health}/health/ready`).then(({ status }) => status, () => 0)
      )
      yield* until("it is ready", ready, (status) => status === 200)
      // Also in a bundle, the page is complete.
      for (const path of ["", "status.css", "status.js"]) {
        const file = join(here, "src/page", path === "" ? "status.html" : path)
        const served = yield* Effect.promise(() =>
          fetch(`http://127.0.0.1:${health}/${path}`).then((response) => response.text())
        )
        assert.strictEqual(served, readFileSync(file, "utf8"))
      }
      yield* until(
        "the account is copied",
        sql<{ count: number }>`SELECT count(*)::int AS count FROM current_contacts WHERE account = 'acme'`,
        ([row]) => row?.count === 20
      )
      yield* program.kill("SIGTERM")
      const { stderr, stdout } = yield* program.finished
      assert.notInclude(stdout + stderr, "re_secret")
    }), 60_000)
})

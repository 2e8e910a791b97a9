import { assert, describe, it } from "@effect/vitest"
import * as Runtime from "@mailstream/sql/Runtime"
import * as Bundle from "@mailstream/testing/Bundle"
import * as Process from "@mailstream/testing/Process"
import * as Temporary from "@mailstream/testing/Temporary"
import { Effect } from "effect"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { slow } from "./support/program.ts"

describe("a runtime that is too old", () => {
  it.scoped("ends the program with that sentence, before anything else of it is loaded", () =>
    Effect.gen(function*() {
      const directory = yield* Temporary.directory
      const bin = fileURLToPath(new URL("../src/bin.ts", import.meta.url))
      yield* Effect.promise(() => Bundle.bundle({ bin }, directory, { undici: "agent" }))
      // The program sees the version of a runtime that cannot be installed here, and cannot load what it needs.
      const old = `data:text/javascript,${
        encodeURIComponent(
          `Object.defineProperty(process.versions, "node", { value: "20.20.2" }); delete globalThis.structuredClone; delete globalThis.Map`
        )
      }`
      const finished = yield* Process.run(["--import", old, join(directory, "bin.mjs"), "contacts", "list"])
      assert.deepStrictEqual(finished, {
        code: 1,
        stdout: "",
        stderr: `${Runtime.obstacle("mailstream", { node: "20.20.2" })}\n`
      })
    }), slow)

  it.scoped("that keeps the environment from the program is named", () =>
    Effect.gen(function*() {
      const directory = yield* Temporary.directory
      const bin = fileURLToPath(new URL("../src/bin.ts", import.meta.url))
      yield* Effect.promise(() => Bundle.bundle({ bin }, directory, { undici: "agent" }))
      // As on Deno, without permission to read the environment.
      const throws = "(_, name) => { if (name === 'NO_COLOR') throw new Error('Requires env access') }"
      const closed = `data:text/javascript,process.env = new Proxy({}, { get: ${throws}, has: ${throws} })`
      const finished = yield* Process.run(["--import", closed, join(directory, "bin.mjs"), "--version"])
      assert.deepStrictEqual([finished.code, finished.stdout], [1, ""])
      assert.match(finished.stderr, /^mailstream: Requires env access\n$/)
    }), slow)
})

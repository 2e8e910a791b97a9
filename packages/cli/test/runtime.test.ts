import { assert, describe, it } from "@effect/vitest"
import * as Bundle from "@mailstream/testing/Bundle"
import * as Process from "@mailstream/testing/Process"
import * as Temporary from "@mailstream/testing/Temporary"
import { Effect } from "effect"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Runtime from "../src/terminal/Runtime.ts"
import { slow } from "./support/program.ts"

describe("a runtime that is too old", () => {
  it("is told from one that is not", () => {
    for (const node of ["22.22.3", "22.22.4", "22.23.0", "24.15.0", "24.21.0", "25.0.0", "26.0.0-nightly", "30.1.2"]) {
      assert.isUndefined(Runtime.problem({ node }), node)
    }
    for (const node of ["18.20.8", "20.20.2", "22.22.2", "22.21.9", "23.11.1", "24.0.0", "24.14.9"]) {
      assert.strictEqual(
        Runtime.problem({ node }),
        "mailstream needs Node 22.22.3, Node 24.15 or later, Bun 1.4 or Deno 2.9. " +
          `This is Node ${node}: install Node 24 or later.`
      )
    }
    // Bun and Deno resemble a version of Node that need not be supported.
    for (const other of [{ bun: "1.4.0" }, { bun: "2.0.1" }, { deno: "2.9.0" }, { deno: "3.0.0" }]) {
      assert.isUndefined(Runtime.problem({ node: "24.3.0", ...other }))
    }
    assert.match(Runtime.problem({ node: "24.30.0", bun: "1.3.9" }) ?? "", /This is Bun 1\.3\.9: /)
    assert.match(Runtime.problem({ node: "24.30.0", deno: "2.8.12" }) ?? "", /This is Deno 2\.8\.12: /)
  })

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
        stderr: `${Runtime.problem({ node: "20.20.2" })}\n`
      })
    }), slow)
})

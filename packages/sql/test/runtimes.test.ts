/** What is promised on every runtime, and which runtimes these are. */
import { SqlClient } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import * as Runtime from "@mailstream/sql/Runtime"
import * as Sqlite from "@mailstream/sql/Sqlite"
import * as Temporary from "@mailstream/testing/Temporary"
import { Effect } from "effect"
import { checks } from "./support/checks.ts"

describe("a SQLite file on this runtime", () => {
  for (const [name, check] of Object.entries(checks)) it(name, check)
})

describe("the runtimes of SQLite", () => {
  it.each([
    { node: "22.22.3" },
    { node: "22.23.0" },
    { node: "24.15.0" },
    { node: "25.0.0" },
    { node: "26.0.0-nightly20261101" },
    { node: "24.3.0", bun: "1.4.0" },
    { node: "24.3.0", bun: "2.0.1" },
    { node: "24.3.0", deno: "2.9.0" },
    { node: "24.3.0", deno: "3.0.0" }
  ])("include %o", (versions) => assert.isUndefined(Runtime.obstacle("It", versions)))

  it.each([
    [{ node: "20.20.2" }, "Node 20.20.2"],
    [{ node: "22.22.2" }, "Node 22.22.2"],
    [{ node: "22.9.4" }, "Node 22.9.4"],
    [{ node: "23.11.1" }, "Node 23.11.1"],
    [{ node: "24.14.9" }, "Node 24.14.9"],
    [{ node: "26.3.0", bun: "1.3.14" }, "Bun 1.3.14"],
    [{ node: "26.3.0", deno: "2.8.9" }, "Deno 2.8.9"],
    [{}, "another runtime"]
  ])("do not include %o", (versions, name) =>
    assert.strictEqual(
      Runtime.obstacle("It", versions),
      `It needs Node 22.22.3, Node 24.15 or later, Bun 1.4 or Deno 2.9. This is ${name}: install Node 24 or later.`
    ))

  it.scopedLive("are named if it is used on another one, whatever is at the path", () =>
    Effect.gen(function*() {
      const { versions } = process
      yield* Effect.acquireRelease(
        Effect.sync(() => Object.defineProperty(process, "versions", { value: { node: "20.20.2" } })),
        () => Effect.sync(() => Object.defineProperty(process, "versions", { value: versions }))
      )
      const filename = yield* Temporary.file("none/test.db")
      const error = yield* Effect.flip(Effect.provide(SqlClient.SqlClient, Sqlite.layer({ filename, readonly: true })))
      assert.match(error.message, /^SQLite needs Node .* This is Node 20\.20\.2: install Node 24 or later\.$/)
    }))
})

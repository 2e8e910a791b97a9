import { assert, describe, it } from "@effect/vitest"
import * as Process from "@mailstream/testing/Process"
import * as Programs from "@mailstream/testing/Programs"
import { Effect } from "effect"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { directory, jsonLines, slow } from "./support/program.ts"
import { contacts, paging, serving } from "./support/service.ts"

/** Bundles a program as if for a runtime without undici. */
const bundled = (name: string, file: string) =>
  Effect.gen(function*() {
    const path = yield* directory
    yield* Effect.promise(() => Programs.bundleFiles({ [name]: file }, path, { undici: false }))
    return join(path, `${name}.mjs`)
  })

describe("on a runtime without undici", () => {
  it.scoped("lists over fetch", () =>
    Effect.gen(function*() {
      const program = yield* bundled("mailstream", fileURLToPath(new URL("../src/bin.ts", import.meta.url)))
      const { env } = yield* serving(paging(contacts(250)))
      const { code, stderr, stdout } = yield* Process.run([program, "contacts", "list"], { env })
      assert.deepStrictEqual({ code, stderr }, { code: 0, stderr: "" })
      assert.lengthOf(jsonLines(stdout), 250)
    }), slow)

  it.scoped("UndiciTransport fails before any request, and says what to use instead", () =>
    Effect.gen(function*() {
      // In this package, whose dependencies it needs.
      const source = fileURLToPath(new URL("./support/undici.ts", import.meta.url))
      const program = yield* bundled("undici", source)
      const { env, requests } = yield* serving(paging(contacts(3)))
      const { stderr, stdout } = yield* Process.run([program], { env })
      assert.strictEqual(stderr, "")
      const found = JSON.parse(stdout)
      for (const error of found) {
        assert.include(JSON.stringify(error), "this runtime has no undici: use FetchTransport.layer")
      }
      assert.lengthOf(found, 2)
      assert.deepStrictEqual(requests, [])
    }), slow)
})

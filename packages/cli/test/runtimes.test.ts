import { assert, describe, it } from "@effect/vitest"
import * as Bundle from "@mailstream/testing/Bundle"
import * as Process from "@mailstream/testing/Process"
import { Effect } from "effect"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { directory, jsonLines, slow } from "./support/program.ts"
import { contacts, paging, serving } from "./support/service.ts"

/** Bundles a program as for a runtime that differs from Node. */
const bundled = (name: string, file: string, options: Bundle.Options) =>
  Effect.gen(function*() {
    const path = yield* directory
    yield* Effect.promise(() => Bundle.bundle({ [name]: file }, path, options))
    return join(path, `${name}.mjs`)
  })

const bin = fileURLToPath(new URL("../src/bin.ts", import.meta.url))

describe("on a runtime without undici, such as Bun", () => {
  it.scoped("lists over fetch", () =>
    Effect.gen(function*() {
      const program = yield* bundled("mailstream", bin, { undici: "missing" })
      const { env } = yield* serving(paging(contacts(250)))
      const { code, stderr, stdout } = yield* Process.run([program, "contacts", "list"], { env })
      assert.deepStrictEqual({ code, stderr }, { code: 0, stderr: "" })
      assert.lengthOf(jsonLines(stdout), 250)
    }), slow)

  it.scoped("UndiciTransport fails before any request, and says what to use instead", () =>
    Effect.gen(function*() {
      // In this package, whose dependencies it needs.
      const source = fileURLToPath(new URL("./support/undici.ts", import.meta.url))
      const program = yield* bundled("undici", source, { undici: "missing" })
      const { env, requests } = yield* serving(paging(contacts(3)))
      const { stderr, stdout } = yield* Process.run([program], { env })
      assert.strictEqual(stderr, "")
      const found = JSON.parse(stdout)
      for (const error of found) {
        assert.include(
          JSON.stringify(error),
          "must be FetchTransport.layer of @mailstream/http/FetchTransport: this runtime has no undici"
        )
      }
      assert.lengthOf(found, 2)
      assert.deepStrictEqual(requests, [])
    }), slow)
})

describe("with the packages that Deno selects", () => {
  it.scoped("serves a database file", () =>
    Effect.gen(function*() {
      const program = yield* bundled("mailstream", bin, { conditions: ["deno"] })
      const store = `sqlite:${join(yield* directory, "contacts.db")}`
      const service = yield* Process.start([program, "serve", "--port", "0", "--store", store, "--items", "3"])
      assert.match(
        yield* Effect.timeout(Effect.raceFirst(service.line, service.said), "20 seconds"),
        /^mailstream|^API key/
      )
    }), slow)
})

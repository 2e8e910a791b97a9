import { assert, describe, it } from "@effect/vitest"
import * as Process from "@mailstream/testing/Process"
import * as Snippets from "@mailstream/testing/Snippets"
import * as Temporary from "@mailstream/testing/Temporary"
import { Effect } from "effect"
import { build } from "esbuild"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { json, key, serve } from "./support/wire.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))

/** Runs the code of a README that has this in it. */
const run = (readme: string, part: string, env: Record<string, string>) =>
  Effect.gen(function*() {
    const file = yield* Temporary.file("snippet.mjs")
    const { code } = Snippets.within(readme, readFileSync(`${root}${readme}`, "utf8"))
      .find(({ code }) => code.includes(part))!
    yield* Effect.promise(() =>
      build({
        stdin: { contents: code, resolveDir: `${root}http`, loader: "ts" },
        bundle: true,
        outfile: file,
        format: "esm",
        platform: "node",
        logLevel: "error"
      })
    )
    return yield* Effect.flatMap(Process.start([file], { env }), ({ finished }) => finished)
  })

describe("the programs in the READMEs", () => {
  it.scopedLive("create, change, retrieve and remove a contact", () =>
    Effect.gen(function*() {
      const id = "e169aa45-1ecf-4183-9955-b1499d5701d3"
      const ada = {
        id,
        email: "ada@example.com",
        first_name: null,
        last_name: "Lovelace",
        created_at: "2026-11-17T12:00:00Z",
        unsubscribed: false
      }
      const server = yield* serve((response, request) =>
        json(
          200,
          request.method === "GET" ? ada : request.method === "DELETE" ? { contact: id, deleted: true } : { id }
        )(
          response,
          request
        )
      )
      const { code, stderr, stdout } = yield* run("http/README.md", "contacts.create(", {
        MAILSTREAM_BASE_URL: server.baseUrl,
        MAILSTREAM_API_KEY: key
      })
      assert.strictEqual(code, 0, stderr)
      assert.match(stdout, /Lovelace/)
      assert.deepStrictEqual(server.received.map(({ body, method, url }) => [method, url, body]), [
        ["POST", "/contacts", `{"email":"ada@example.com","first_name":"Ada"}`],
        ["PATCH", `/contacts/${id}`, `{"last_name":"Lovelace","first_name":null}`],
        ["GET", "/contacts/ada%40example.com", ""],
        ["DELETE", `/contacts/${id}`, ""]
      ])
    }))

  it.scopedLive("check an input", () =>
    Effect.gen(function*() {
      const { code, stdout } = yield* run("core/README.md", "Operation.input(", {})
      assert.strictEqual(code, 0)
      assert.strictEqual(stdout, "The `name` field must be a string of at most 50 characters.\nnatural\n")
    }))
})

import { assert, describe, it } from "@effect/vitest"
import * as Process from "@mailstream/testing/Process"
import * as Snippets from "@mailstream/testing/Snippets"
import * as Temporary from "@mailstream/testing/Temporary"
import { Effect } from "effect"
import { build } from "esbuild"
import { readFileSync } from "node:fs"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { service } from "./support/service.ts"

const home = fileURLToPath(new URL("../", import.meta.url))

/** The program of the README that has this in it, bundled into a file. */
const programWith = (part: string) =>
  Effect.gen(function*() {
    const file = yield* Temporary.file("program.mjs")
    const { code } = Snippets.within("README.md", readFileSync(`${home}README.md`, "utf8"))
      .find(({ code }) => code.includes(part))!
    yield* Effect.promise(() =>
      build({
        stdin: { contents: code, resolveDir: home, loader: "ts" },
        bundle: true,
        outfile: file,
        format: "esm",
        platform: "node",
        logLevel: "error"
      })
    )
    return file
  })

describe("the programs in the README", () => {
  it.scopedLive.each([
    "emails.sendBatch(",
    "welcome(",
    "contacts.join(",
    "segments.create({ name: \"Beta testers\" }).catch",
    "created.token"
  ])(
    "run against the service, and again: %s",
    (part) =>
      Effect.gen(function*() {
        const { apiKey, baseUrl, requests } = yield* service({})
        const file = yield* programWith(part)
        const env = { MAILSTREAM_BASE_URL: baseUrl, MAILSTREAM_API_KEY: apiKey }
        for (const run of ["first", "second"]) {
          requests.length = 0
          const { finished } = yield* Process.start([file], { env, cwd: dirname(file) })
          const { code, stderr } = yield* finished
          assert.deepStrictEqual([run, code, stderr], [run, 0, ""])
          assert.isAbove(requests.length, 0)
        }
      }),
    60_000
  )

  it.scopedLive("write to everybody once, however often they are run", () =>
    Effect.gen(function*() {
      const { apiKey, baseUrl, client } = yield* service({ contacts: 150 })
      const contacts = yield* Effect.promise(() => client.contacts.items().toArray({ limit: 150 }))
      const subscribed = contacts.filter(({ unsubscribed }) => !unsubscribed)
      const file = yield* programWith("mailstream.campaign(")
      const env = { MAILSTREAM_BASE_URL: baseUrl, MAILSTREAM_API_KEY: apiKey }
      for (const run of ["first", "second"]) {
        const { finished } = yield* Process.start([file], { env, cwd: dirname(file) })
        const { code, stderr, stdout } = yield* finished
        assert.deepStrictEqual([run, code, stderr], [run, 0, ""])
        assert.include(stdout, `{ accepted: ${subscribed.length}, rejected: 0`)
        const emails = yield* Effect.promise(() => client.emails.items().toArray({ limit: 1000 }))
        assert.deepStrictEqual(emails.flatMap(({ to }) => to).sort(), subscribed.map(({ email }) => email).sort())
      }
    }), 60_000)
})

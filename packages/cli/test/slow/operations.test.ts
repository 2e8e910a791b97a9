import { assert, describe, it } from "@effect/vitest"
import { silence } from "@mailstream/testing/HttpServer"
import { Effect } from "effect"
import { slow, start } from "../support/program.ts"
import { apiKey, recording } from "../support/service.ts"
import { hasTerminals, onTerminal } from "../support/terminal.ts"

const id = "00000000-0000-4000-8000-000000000001"

describe.skipIf(!hasTerminals)("on a terminal", () => {
  const asking = (text: string) => ({ typed: { after: /\[y\/N\] /, text } })

  it.scoped("what destroys is done if the answer is yes, and nothing else", () =>
    Effect.gen(function*() {
      const service = yield* recording(() => ({ body: { contact: "ada@example.com", deleted: true } }))
      for (const answer of ["\r", "n\r", "no\r", "yess\r", "q\r", "\u0003", "\u0004"]) {
        const shown = yield* onTerminal("contacts remove ada@example.com; echo \"code $?\"", {
          ...service,
          ...asking(answer)
        })
        assert.include(shown, "Remove contact ada@example.com? [y/N] ")
        assert.match(shown, answer < " " && answer !== "\r" ? /code 130/ : /Nothing was changed\.\r\ncode 1\r/)
      }
      assert.deepStrictEqual(service.received, [])
      for (const answer of ["y\r", "Y\r", "yes\r", "nx\u007f\u007fy\r"]) {
        const shown = yield* onTerminal("contacts remove ada@example.com; echo \"code $?\"", {
          ...service,
          ...asking(answer)
        })
        assert.match(shown, /\[y\/N\] .*\r\n[^]*code 0/)
      }
      assert.deepStrictEqual(service.received.map(({ method }) => method), Array(4).fill("DELETE"))
      const unasked = yield* onTerminal("contacts remove ada@example.com -y", service)
      assert.notInclude(unasked, "[y/N]")
      assert.strictEqual(service.received.length, 5)
    }), 2 * slow)

  it.scoped("a secret is complete, however narrow the window is", () =>
    Effect.gen(function*() {
      const token = `re_${"x".repeat(120)}`
      const service = yield* recording(() => ({ status: 201, body: { id, token } }))
      assert.include(yield* onTerminal("api-keys create --name CI", { ...service, columns: 60 }), token)
    }), slow)

  it.scoped("an object is a line for each of its fields", () =>
    Effect.gen(function*() {
      const service = yield* recording(() => ({ body: { id, name: "News\u001b[2J", visibility: "public" } }))
      const shown = yield* onTerminal(`topics get ${id}`, service)
      assert.include(shown, `${id}\r\n  name                  News\\u001b[2J\r\n  visibility            public\r\n`)
    }), slow)
})

describe("a signal during a change", () => {
  it.scopedLive.each<readonly [line: string, message: RegExp]>([
    [
      "segments create --name x",
      /unknown\. It may have been done, .+ look first, with 'mailstream segments list'\.\n$/
    ],
    [`topics remove ${id} --yes`, /unknown\. It can be run again: if it has been done, nothing more changes\.\n$/]
  ])("ends %s, and says what is known", ([line, message]) =>
    Effect.gen(function*() {
      const service = yield* silence
      const { finished, kill } = yield* start(line.split(" "), {
        env: { MAILSTREAM_BASE_URL: service.baseUrl, MAILSTREAM_API_KEY: apiKey }
      })
      yield* Effect.promise(() => service.received)
      yield* kill("SIGINT")
      const { code, stderr, stdout } = yield* finished
      assert.deepStrictEqual([code, stdout], [130, ""])
      assert.match(stderr, /^Stopped\. Whether it was processed is /)
      assert.match(stderr, message)
    }), slow)

  it.scopedLive("says nothing about a request that only reads", () =>
    Effect.gen(function*() {
      const service = yield* silence
      const { finished, kill } = yield* start(["topics", "get", id], {
        env: { MAILSTREAM_BASE_URL: service.baseUrl, MAILSTREAM_API_KEY: apiKey }
      })
      yield* Effect.promise(() => service.received)
      yield* kill("SIGINT")
      assert.deepStrictEqual(yield* finished, { code: 130, stdout: "", stderr: "" })
    }), slow)
})

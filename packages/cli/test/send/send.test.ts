import { assert, describe, it } from "@effect/vitest"
import * as Words from "@mailstream/cli/operations/Words"
import { EmailOperations, Resource } from "@mailstream/core"
import { sendJson, serve } from "@mailstream/testing/HttpServer"
import { idOf } from "@mailstream/testing/Sample"
import { Effect } from "effect"
import { truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { inside } from "../support/inside.ts"
import { directory, jsonLines } from "../support/program.ts"
import { apiKey } from "../support/service.ts"

const id = idOf(1)

/** A service that records what it is asked to send, and with which keys. */
const sending = (status = 200) =>
  Effect.gen(function*() {
    const bodies: Array<Record<string, unknown>> = []
    const keys: Array<string> = []
    const baseUrl = yield* serve((request, response) => {
      let text = ""
      request.setEncoding("utf8").on("data", (part) => (text += part)).on("end", () => {
        bodies.push(JSON.parse(text))
        keys.push(String(request.headers["idempotency-key"]))
        sendJson(
          response,
          status,
          status === 200 ? { id } : { name: "internal_server_error", statusCode: status, message: "Broken." }
        )
      })
    })
    return { env: { MAILSTREAM_BASE_URL: baseUrl, MAILSTREAM_API_KEY: apiKey }, bodies, keys }
  })

const least = ["--to", "ada@example.com", "--from", "Ada <news@example.com>", "--subject", "News"]

describe("emails send", () => {
  it.scopedLive("sends what its options say, and prints the id", () =>
    Effect.gen(function*() {
      const service = yield* sending()
      const home = yield* directory
      writeFileSync(join(home, "mail.html"), "<p>Grüße</p>")
      writeFileSync(join(home, "one.bin"), Buffer.from([0, 255, 1]))
      writeFileSync(join(home, "two.txt"), "two")
      const line = [
        "emails",
        "send",
        ...least,
        "--to=grace@example.com",
        "--html-file",
        join(home, "mail.html"),
        "--attach",
        join(home, "one.bin"),
        "--attach",
        join(home, "two.txt"),
        "--tag",
        "campaign=spring",
        "--tags",
        "{\"name\":\"a\",\"value\":\"b\"}",
        "--scheduled-at",
        "in 1 hour",
        "--yes"
      ]
      const { code, stderr, stdout } = yield* inside(line, service)
      assert.deepStrictEqual([code, stderr, jsonLines(stdout)], [0, "", [{ id }]])
      assert.deepStrictEqual(service.bodies, [{
        to: ["ada@example.com", "grace@example.com"],
        from: "Ada <news@example.com>",
        subject: "News",
        html: "<p>Grüße</p>",
        tags: [{ name: "campaign", value: "spring" }, { name: "a", value: "b" }],
        scheduled_at: "in 1 hour",
        attachments: [{ filename: "one.bin", content: "AP8B" }, { filename: "two.txt", content: "dHdv" }]
      }])
    }))

  it.scopedLive("sends a template by its id or alias", () =>
    Effect.gen(function*() {
      const service = yield* sending()
      for (const template of ["welcome", "{\"id\":\"welcome\",\"variables\":{\"name\":\"Ada\"}}"]) {
        const args = ["emails", "send", "--to", "ada@example.com", "--template", template, "--yes", "--format", "id"]
        assert.strictEqual((yield* inside(args, service)).stdout, `${id}\n`)
      }
      assert.deepStrictEqual(service.bodies.map(({ template }) => template), [
        { id: "welcome" },
        { id: "welcome", variables: { name: "Ada" } }
      ])
    }))

  it("asks with the recipients and the time", () => {
    const question = (input: object) => Words.question(EmailOperations.operations.send, Resource.emails, [], input)
    assert.strictEqual(question({ to: "ada@example.com" }), "Send email to ada@example.com?")
    assert.strictEqual(
      question({ to: ["a", "b", "c"], scheduled_at: "in 1 hour" }),
      "Send email to a, b, c (in 1 hour)?"
    )
    assert.strictEqual(question({ to: ["a", "b", "c", "d"] }), "Send email to a, b and 2 others?")
  })

  it.scopedLive("has a new key for each run, unless it is given", () =>
    Effect.gen(function*() {
      const service = yield* sending()
      const line = ["emails", "send", ...least, "--text", "Hello", "--yes"]
      yield* inside(line, service)
      yield* inside(line, service)
      yield* inside([...line, "--idempotency-key", "my key"], service)
      assert.strictEqual(new Set(service.keys).size, 3)
      assert.strictEqual(service.keys[2], "my key")
      const { code, stderr } = yield* inside([...line, "--idempotency-key", "x".repeat(257)], service)
      assert.deepStrictEqual([code, service.keys.length], [1, 3])
      assert.match(stderr, /^invalid_idempotency_key: /)
    }))

  it.scopedLive("says how to repeat it with the same key if nobody knows what became of it", () =>
    Effect.gen(function*() {
      const service = yield* sending(500)
      const line = ["emails", "send", ...least, "--text", "Hello", "--yes", "--retry", "none"]
      const { code, stderr } = yield* inside(line, service)
      assert.strictEqual(code, 3)
      assert.include(stderr, `run the same command with --idempotency-key ${service.keys[0]} within 24 hours`)
      const given = yield* inside([...line, "--idempotency-key", "it's mine"], service)
      assert.include(given.stderr, "with --idempotency-key 'it'\\''s mine' within 24 hours")
    }))

  it.scopedLive("refuses what cannot be sent before any request", () =>
    Effect.gen(function*() {
      const service = yield* sending()
      const home = yield* directory
      const large = join(home, "large.bin")
      writeFileSync(large, "")
      truncateSync(large, 31 * 1024 * 1024)
      writeFileSync(join(home, "latin1.html"), Buffer.from([0xe9]))
      const cases: ReadonlyArray<readonly [args: ReadonlyArray<string>, code: number, message: string]> = [
        [["--text", "x", "--attach", large], 1, "The attachments of an email may have at most 40 MB in base64."],
        [["--text", "x", "--attach", join(home, "missing")], 2, "--attach cannot be read: "],
        [["--html-file", join(home, "latin1.html")], 2, "--html-file must be a file in UTF-8."],
        [["--html", "x", "--html-file", large], 2, "--html cannot be combined with --html-file."],
        [["--text", "x", "--tag", "spring"], 2, "--tags must be NAME=VALUE, or JSON, not 'spring'."],
        [["--text", "x", "--tag", "a=b c"], 1, "1 to 256 ASCII letters, digits, underscores or dashes"],
        [["--text", "x", "--resume", "x"], 2, "--resume needs --batch FILE."],
        [[], 1, "Missing --html or --text, or --template."]
      ]
      for (const [args, code, message] of cases) {
        const found = yield* inside(["emails", "send", ...least, ...args, "--yes"], service)
        assert.include(found.stderr, message)
        assert.strictEqual(found.code, code, message)
      }
      assert.deepStrictEqual(service.bodies, [])
    }))
})

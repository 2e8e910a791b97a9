import { assert, describe, it } from "@effect/vitest"
import * as Elements from "@mailstream/cli/send/Elements"
import * as Reading from "@mailstream/cli/send/Reading"
import { Effect, FastCheck as fc } from "effect"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type EmailService, emailService } from "../support/emails.ts"
import { inside } from "../support/inside.ts"
import { directory, jsonLines, slow } from "../support/program.ts"

const email = (subject: unknown, to = "ada@example.com") => ({ to, subject: String(subject), text: "Hello" })

const numbers = (count: number) => Array.from({ length: count }, (_, index) => String(index))

/** A file of emails, and the command that sends them. */
const batch = (name: string, text: string, ...args: ReadonlyArray<string>) =>
  Effect.map(directory, (home) => {
    const file = join(home, name)
    writeFileSync(file, text)
    const line = ["emails", "send", "--batch", file, "--from", "news@example.com", "--yes", ...args]
    return { file, home, line, state: join(home, "test.mailstream-send") }
  })

const ndjson = (emails: ReadonlyArray<object>) => emails.map((email) => `${JSON.stringify(email)}\n`).join("")

/** Moves what is stored about batches that may have been sent into the past. */
const age = (file: string, hours: number) => {
  const state = JSON.parse(readFileSync(file, "utf8"))
  for (const open of state.done.open) open.begun -= hours * 3_600_000
  writeFileSync(file, JSON.stringify(state))
}

describe("emails send --batch", () => {
  it.scopedLive(
    "sends any number of emails in batches of 100, and prints what became of each, in order",
    () =>
      Effect.gen(function*() {
        const service = yield* emailService(
          () => undefined,
          (index) => new Promise((resolve) => setTimeout(resolve, index === 0 ? 50 : 0))
        )
        const emails = numbers(250).map((index) => email(index))
        const { file, line } = yield* batch("emails.ndjson", ndjson(emails))
        const { code, stderr, stdout } = yield* inside([...line, "--concurrency", "2"], service)
        assert.deepStrictEqual([code, stderr], [0, "250 emails accepted, 0 rejected.\n"])
        assert.deepStrictEqual(
          jsonLines(stdout).map(({ line, status }) => [line, status]),
          numbers(250).map((index) => [Number(index) + 1, "accepted"])
        )
        assert.deepStrictEqual(service.requests.map(({ count, validation }) => [count, validation]), [
          [100, "permissive"],
          [100, "permissive"],
          [50, "permissive"]
        ])
        assert.sameMembers(service.sent, numbers(250))
        assert.isAtMost(service.most(), 2)
        assert.strictEqual(new Set(service.requests.map(({ key }) => key)).size, 3)
        assert.isFalse(existsSync(`${file}.refused.ndjson`))
      }),
    slow
  )

  it.scopedLive("reads CSV, NDJSON and JSON arrays, with options for what they lack", () =>
    Effect.gen(function*() {
      const rejected = "The `to` field must be an email address, or an array of 1 to 50 of them."
      const inputs = [
        ["a.csv", "To;Subject;variables.name\nada@example.com;1;Ada\nnobody;2;\nrefused@example.com;3;\n", [2, 3, 4]],
        ["a.ndjson", ndjson([email(1), email(2, "nobody"), email(3, "refused@example.com")]), [1, 2, 3]],
        ["a.json", JSON.stringify([email(1), email(2, "nobody"), email(3, "refused@example.com")], null, 1), [2, 7, 12]]
      ] as const
      for (const [name, text, lines] of inputs) {
        const service = yield* emailService()
        const options = name === "a.csv" ? ["--template", "welcome"] : []
        const { file, line } = yield* batch(name, text, ...options)
        const { code, stderr, stdout } = yield* inside(line, service)
        assert.strictEqual(code, 1, stderr)
        const [one, two, three] = jsonLines(stdout)
        assert.deepInclude(one, { line: lines[0], status: "accepted" })
        assert.deepStrictEqual(two, { line: lines[1], status: "rejected", reason: rejected })
        assert.deepStrictEqual(three, {
          line: lines[2],
          status: "rejected",
          reason: "refused@example.com is not accepted."
        })
        assert.deepStrictEqual(service.requests.map(({ count }) => count), [2])
        const extension = name === "a.csv" ? "csv" : "ndjson"
        const refused = readFileSync(`${file}.refused.${extension}`, "utf8")
        assert.include(refused, rejected.slice(0, 8))
        assert.match(stderr, /^1 email accepted, 2 rejected\.\n.+ has the rejected emails, with the reasons\. /)
        // What was corrected can be sent as it is.
        writeFileSync(
          `${file}.corrected.${extension}`,
          refused.replaceAll(/nobody|refused@example.com(?=[;,"])/g, "b@example.com")
        )
        const again = yield* inside(
          line.map((word) => word === file ? `${file}.corrected.${extension}` : word),
          service
        )
        assert.strictEqual(again.stderr, "2 emails accepted, 0 rejected.\n")
      }
    }), slow)

  it.scopedLive("rejects an email with attachments, and none of its neighbours", () =>
    Effect.gen(function*() {
      const service = yield* emailService()
      const bad = [{ ...email("x"), attachments: [] }, { ...email("y"), attachments: [{ content: "aGk=" }] }]
      const { line } = yield* batch("a.ndjson", ndjson([...bad, ...numbers(100).map((index) => email(index))]))
      const { code, stdout } = yield* inside(line, service)
      const reason = "Attachments cannot be sent in a batch: send that email by itself."
      assert.deepStrictEqual(jsonLines(stdout).slice(0, 2), [
        { line: 1, status: "rejected", reason },
        { line: 2, status: "rejected", reason }
      ])
      assert.strictEqual(code, 1)
      assert.sameMembers(service.sent, numbers(100))
      // They have no place in a batch.
      assert.deepStrictEqual(service.requests.map(({ count }) => count), [100])
    }), slow)

  it.scopedLive("stops at what is no input, and says what it should be", () =>
    Effect.gen(function*() {
      const cases: ReadonlyArray<readonly [name: string, text: string, message: RegExp, sent: number]> = [
        ["a.csv", "to,colour\n", /'colour': no field of an email has this name\. Columns can be to, from, /, 0],
        ["a.csv", "to,To\n", /'to', 'To' are all to; leave all but one out/, 0],
        ["a.csv", "", /is empty/, 0],
        ["a.json", "{}", /is not a JSON array of emails/, 0],
        ["a.json", `[${JSON.stringify(email(1))}, {"to":`, /ends before its JSON array does/, 1],
        ["a.json", `[${JSON.stringify(email(1))}] []`, /has more than one JSON array/, 1],
        ["a.json", `[${JSON.stringify(email(1))},]`, /an email is missing/, 1],
        ["a.txt.gz", "", /unknown extension/, 0]
      ]
      for (const [name, text, message, sent] of cases) {
        const service = yield* emailService()
        const { line } = yield* batch(name, text)
        const { code, stderr } = yield* inside(line, service)
        assert.match(stderr, message)
        assert.notStrictEqual(code, 0)
        assert.strictEqual(service.sent.length, sent, stderr)
      }
    }), slow)

  it.scopedLive("asks first, and takes no options of a single email", () =>
    Effect.gen(function*() {
      const service = yield* emailService()
      const { file, line } = yield* batch("a.ndjson", ndjson([email(1)]))
      const cases: ReadonlyArray<readonly [args: ReadonlyArray<string>, message: string]> = [
        [line.filter((word) => word !== "--yes"), "asks first, and there is no terminal to ask on"],
        [[...line, "--json", file], "--json has one email: it cannot be combined with --batch."],
        [[...line, "--attach", file], "Attachments cannot be sent in a batch"],
        [[...line, "--idempotency-key", "x".repeat(201)], "--idempotency-key must be 1 to 200 visible ASCII characters"]
      ]
      for (const [args, message] of cases) {
        const { code, stderr } = yield* inside(args, service)
        assert.include(stderr, message)
        assert.strictEqual(code, 2)
      }
      assert.deepStrictEqual(service.requests, [])
    }))

  const stopping = (service: EmailService, ...args: ReadonlyArray<string>) =>
    Effect.gen(function*() {
      const made = yield* batch("emails.ndjson", ndjson(numbers(450).map((index) => email(index))), ...args)
      return { ...made, first: yield* inside([...made.line, "--retry", "none"], service) }
    })

  it.scopedLive("without --resume, says what is unknown, and how to repeat it", () =>
    Effect.gen(function*() {
      const service = yield* emailService((index) => index === 1 ? "lost" : undefined)
      const { first, line } = yield* stopping(service, "--concurrency", "2")
      assert.strictEqual(first.code, 3)
      const rows = jsonLines(first.stdout)
      const unknown = rows.filter(({ status }) => status === "unknown").map(({ line }) => line)
      assert.deepStrictEqual(unknown, numbers(100).map((index) => 101 + Number(index)))
      // What was in flight was finished, and is told.
      assert.strictEqual(rows.length - 100, service.sent.length - 100)
      const [, key = ""] = /run: mailstream .+ --idempotency-key (\S+)\n/.exec(first.stderr) ?? []
      const second = yield* inside([...line, "--idempotency-key", key], service)
      assert.strictEqual(second.code, 0, second.stderr)
      assert.strictEqual(jsonLines(second.stdout).length, 450)
      assert.sameMembers(service.sent, numbers(450))
    }), slow)

  it.scopedLive(
    "with --resume, repeats what is unknown with the same key, and nothing else",
    () =>
      Effect.gen(function*() {
        const service = yield* emailService((index) => index === 1 ? "lost" : undefined)
        const { first, line } = yield* stopping(service, "--resume", "test", "--concurrency", "3")
        assert.strictEqual(first.code, 3)
        assert.match(first.stderr, /^Stopped: 100 emails accepted, 0 rejected so far\. To continue, run: mailstream /)
        const before = service.requests.length
        const second = yield* inside(line, service)
        assert.strictEqual(second.code, 0, second.stderr)
        assert.deepStrictEqual(
          [...jsonLines(first.stdout), ...jsonLines(second.stdout)].map(({ line }) => line),
          numbers(450).map((index) => Number(index) + 1)
        )
        assert.sameMembers(service.sent, numbers(450))
        assert.strictEqual(service.requests[before]?.key, service.requests[1]?.key)
        assert.strictEqual(service.requests.length, 6)
        const third = yield* inside(line, service)
        assert.match(third.stderr, /^--resume test is already complete\./)
        assert.deepStrictEqual([third.code, third.stdout, service.requests.length], [0, "", 6])
      }),
    slow
  )

  it.scopedLive(
    "does not repeat what is unknown after its key has expired, unless it is told to",
    () =>
      Effect.gen(function*() {
        for (const [expired, sent] of [["skip", 450], ["send", 550]] as const) {
          const service = yield* emailService((index) => index === 1 ? "lost" : undefined)
          const { line, state } = yield* stopping(service, "--resume", "test", "--concurrency", "1")
          age(state, 30)
          service.forget()
          const second = yield* inside(line, service)
          assert.strictEqual(second.code, 1)
          assert.match(
            second.stderr,
            /^InputError: --resume test: the emails of lines 101 to 200 of .+ may have been sent 30 h ago, .+ --expired skip .+ --expired send/
          )
          assert.strictEqual(service.sent.length, 200)
          const third = yield* inside([...line, "--expired", expired], service)
          const statuses = jsonLines(third.stdout).map(({ status }) => status)
          assert.strictEqual(statuses.filter((status) => status === "unknown").length, expired === "skip" ? 100 : 0)
          assert.strictEqual(third.code, expired === "skip" ? 1 : 0, third.stderr)
          assert.strictEqual(service.sent.length, sent)
        }
      }),
    slow
  )

  it.scopedLive(
    "forgets what certainly was not sent, and remembers what was sent after it",
    () =>
      Effect.gen(function*() {
        const service = yield* emailService(
          (index) => index === 1 ? [401, "invalid_api_key"] : undefined,
          (index) => new Promise((resolve) => setTimeout(resolve, index === 1 ? 0 : 50))
        )
        const { first, line, state } = yield* stopping(service, "--resume", "test", "--concurrency", "3")
        assert.match(first.stderr, /\ninvalid_api_key: /)
        assert.strictEqual(first.code, 1)
        // Whatever has happened is known, however long ago.
        age(state, 30)
        service.forget()
        const second = yield* inside(line, service)
        assert.strictEqual(second.code, 0, second.stderr)
        assert.sameMembers(service.sent, numbers(450))
      }),
    slow
  )

  it.scopedLive("rejects nothing that an earlier run may have sent", () =>
    Effect.gen(function*() {
      for (const fault of [[422, "validation_error"], [413, "too_large"]] as const) {
        const service = yield* emailService((index) => index === 1 ? "lost" : index === 2 ? fault : undefined)
        const { file, line } = yield* stopping(service, "--resume", "test", "--concurrency", "1")
        const second = yield* inside([...line, "--retry", "none"], service)
        assert.deepStrictEqual(
          jsonLines(second.stdout).map(({ status }) => status),
          numbers(350).map((index) => Number(index) < 100 ? "unknown" : "accepted")
        )
        assert.match(String(jsonLines(second.stdout)[0]?.["reason"]), /^An earlier run may have sent it; .+: Fault /)
        assert.deepStrictEqual([second.code, second.stderr], [1, "350 emails accepted, 0 rejected, 100 unknown.\n"])
        assert.isFalse(existsSync(`${file}.refused.ndjson`))
        assert.sameMembers(service.sent, numbers(450))
      }
    }), slow)

  it.scopedLive(
    "finds the email for which a batch is refused, also if it is stopped at any request",
    () =>
      Effect.gen(function*() {
        const emails = numbers(8).map((index) => email(index, index === "5" ? "bad@example.com" : undefined))
        const expected = numbers(8).map((index) => [Number(index) + 1, index === "5" ? "rejected" : "accepted"])
        const good = numbers(8).filter((index) => index !== "5")
        for (const fault of ["lost", [401, "invalid_api_key"]] as const) {
          // Without any, there are seven requests.
          for (let stop = 1; stop <= 7; stop++) {
            const service = yield* emailService((index, body) =>
              body.includes("bad@") ? [422, "validation_error"] : index === stop ? fault : undefined
            )
            const { file, line } = yield* batch("a.ndjson", ndjson(emails), "--resume", "test", "--retry", "none")
            const first = yield* inside(line, service)
            const { stderr, stdout } = first.stdout === "" ? yield* inside(line, service) : first
            assert.deepStrictEqual(jsonLines(stdout).map(({ line, status }) => [line, status]), expected)
            assert.match(stderr, /^7 emails accepted, 1 rejected\.\n/)
            assert.sameMembers(service.sent, good)
            assert.match(readFileSync(`${file}.refused.ndjson`, "utf8"), /^[^\n]+bad@example.com[^\n]+\n$/)
            assert.deepStrictEqual(
              [...new Set(service.requests.map(({ key }) => key.replace(/^[^/]+/, "")))].sort(),
              ["/0", "/0/0", "/0/1", "/0/1/0", "/0/1/0/0", "/0/1/0/1", "/0/1/1"]
            )
          }
        }
      }),
    2 * slow
  )

  it.scopedLive("does not take a conflict without a known name for a refusal", () =>
    Effect.gen(function*() {
      const service = yield* emailService(() => [409, "strange"])
      const { file, line } = yield* batch("a.ndjson", ndjson([email(1), email(2)]), "--retry", "none")
      const { stdout } = yield* inside(line, service)
      assert.deepStrictEqual(jsonLines(stdout).map(({ status }) => status), ["unknown", "unknown"])
      assert.strictEqual(service.requests.length, 1)
      assert.isFalse(existsSync(`${file}.refused.ndjson`))
    }), slow)

  it.scopedLive("refuses to resume with another file, other fields or another service", () =>
    Effect.gen(function*() {
      const service = yield* emailService((index) => index === 1 ? "lost" : undefined)
      const { file, line } = yield* stopping(service, "--resume", "test", "--concurrency", "1")
      const other = yield* emailService()
      const before = service.requests.length
      const refuses = (args: ReadonlyArray<string>, message: RegExp, at = service) =>
        Effect.map(inside(args, at), ({ code, stderr }) => {
          assert.match(stderr, message)
          assert.strictEqual(code, 1)
        })
      yield* refuses([...line, "--subject", "x"], /was started without --subject, with --subject/)
      yield* refuses(line, /was started with service /, other)
      const text = readFileSync(file, "utf8")
      writeFileSync(file, text.replace("Hello", "Hallo"))
      yield* refuses(line, /is not the input that was sent so far/)
      assert.strictEqual(service.requests.length, before)
      // What was not stored as done has the key that it was sent with: the service refuses other content.
      writeFileSync(file, text.replace(/("subject":"150","text":")Hello/, "$1Hallo"))
      yield* refuses(line, /invalid_idempotent_request: /)
      assert.strictEqual(service.sent.length, 200)
    }), slow)
})

describe("the elements of a JSON array", () => {
  it("are the same however the file is cut and written", () =>
    fc.assert(
      fc.property(
        fc.array(fc.dictionary(fc.string(), fc.jsonValue())),
        fc.constantFrom(undefined, 1, "\t"),
        fc.integer({ min: 1, max: 20 }),
        (values, space, size) => {
          const bytes = Buffer.from(`${JSON.stringify(values, null, space)}\n`)
          const reader = Reading.make({
            input: "json",
            separator: undefined,
            ignoreOtherColumns: false,
            defaults: {}
          })
          const records = [
            ...Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
              reader.splitter.push(bytes.subarray(index * size, (index + 1) * size))).flat(),
            ...reader.splitter.end()
          ]
          assert.strictEqual(
            Buffer.concat(records.map(({ raw }) =>
              raw
            )).toString(),
            bytes.toString()
          )
          // None of them is an email.
          const found = records.map(reader.read).flatMap((read) =>
            read._tag === "Refused" ? [read.refusal.original] : []
          )
          assert.deepStrictEqual(JSON.stringify(found), JSON.stringify(values))
        }
      ),
      { numRuns: 500 }
    ))

  it("keep no more of an element than the limit", () => {
    const elements = Elements.make(10)
    const [record] = elements.push(Buffer.from(`["${"x".repeat(100)}",`))
    assert.deepStrictEqual([record?.raw.length, record?.size], [10, 104])
  })
})

import { assert, describe, it } from "@effect/vitest"
import { type BatchEmail, EmailId, outcome, type RequestError, type SendEmail } from "@mailstream/core"
import { Emails, type Mailstream } from "@mailstream/http"
import { DateTime, Effect, Exit, FastCheck as fc, Fiber, Schedule } from "effect"
import { json, mailstream, type Respond, serve } from "./support/wire.ts"

const id = EmailId.make("e169aa45-1ecf-4183-9955-b1499d5701d3")
const email: BatchEmail = { from: "Ada <ada@example.com>", to: "grace@example.com", subject: "Hello", text: "Hello" }
const soon = { retry: Schedule.recurs(3) }

const inTurn = (...responses: ReadonlyArray<Respond>): Respond => {
  let count = 0
  return (response, request) => responses[Math.min(count++, responses.length - 1)]!(response, request)
}
const lost: Respond = (response) => void response.destroy()
const broken: Respond = (response) => void response.writeHead(200, { "content-type": "application/json" }).end(`{"id":`)
const failed = json(500, { name: "application_error", statusCode: 500, message: "An error" })
const refused = (statusCode: number, name: string) => json(statusCode, { name, statusCode, message: "No." })
const done = json(200, { id })

const run = <A>(respond: Respond, call: Effect.Effect<A, RequestError, Mailstream.Mailstream>) =>
  Effect.gen(function*() {
    const server = yield* serve(respond)
    const result = yield* Effect.either(Effect.provide(call, mailstream(server.baseUrl)))
    const keys = server.received.map(({ headers }) => headers["idempotency-key"])
    return { result, keys, bodies: server.received.map(({ body }) => body), received: server.received }
  })

const send = (input: SendEmail, options: object = {}) =>
  Effect.flatMap(Emails, (emails) => emails.send(input, { ...soon, ...options }))

describe("a send", () => {
  it.scopedLive("has a key of its own, each time that it runs", () =>
    Effect.gen(function*() {
      const once = send(email)
      const { keys } = yield* run(done, Effect.all([once, once, send(email, { idempotencyKey: "welcome/1" })]))
      assert.strictEqual(keys.length, 3)
      assert.match(`${keys[0]}`, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      assert.notStrictEqual(keys[0], keys[1])
      assert.strictEqual(keys[2], "welcome/1")
    }))

  it.scopedLive.each(
    [
      ["lost", lost],
      ["broken", broken],
      ["a failure", failed],
      ["that it is in progress", refused(409, "concurrent_idempotent_requests")],
      ["429", refused(429, "rate_limit_exceeded")]
    ] as const
  )("is repeated with the same key and the same bytes if a response is %s", ([_, respond]) =>
    Effect.gen(function*() {
      let reads = 0
      const input = {
        ...email,
        // A value that is another one each time that it is read.
        get text() {
          return `${++reads}`
        }
      }
      const { bodies, keys, result } = yield* run(inTurn(respond, respond, done), send(input))
      assert.deepStrictEqual(result._tag === "Right" ? result.right : result.left, { id })
      assert.strictEqual(new Set(keys).size, 1)
      assert.strictEqual(keys.length, 3)
      assert.strictEqual(new Set(bodies).size, 1)
    }))

  it.scopedLive.each(
    [
      [409, "invalid_idempotent_request"],
      [422, "invalid_attachment"],
      [403, "email_above_quota"],
      [429, "daily_quota_exceeded"],
      [429, "monthly_quota_exceeded"]
    ] as const
  )("is not repeated after %i %s, which says that nothing was sent", ([status, name]) =>
    Effect.gen(function*() {
      const { keys, result } = yield* run(refused(status, name), send(email))
      assert.strictEqual(keys.length, 1)
      assert(result._tag === "Left")
      assert.strictEqual(result.left._tag, name)
      assert.strictEqual(outcome(result.left), "not_processed")
      assert.strictEqual(result.left.idempotencyKey, keys[0])
    }))

  it.scopedLive.each(
    [
      ["lost", lost, "TransportError"],
      ["broken", broken, "UnexpectedResponse"],
      ["a failure", failed, "application_error"],
      ["that it is in progress", refused(409, "concurrent_idempotent_requests"), "concurrent_idempotent_requests"]
    ] as const
  )(
    "that is given up after responses that are %s says how to repeat it",
    ([_, respond, tag]) =>
      Effect.gen(function*() {
        const { keys, result } = yield* run(respond, send(email))
        assert.strictEqual(keys.length, 4)
        assert(result._tag === "Left")
        assert.strictEqual(result.left._tag, tag)
        assert.strictEqual(outcome(result.left), "unknown")
        assert.strictEqual(result.left.idempotencyKey, keys[0])
        assert.include(
          result.left.message,
          `whether it was processed is unknown. Repeated within 24 hours with the idempotency key "${
            keys[0]
          }" and the same ` +
            "content, nothing is sent twice"
        )
      })
  )

  it.scopedLive("that is refused after an attempt with an unknown outcome may have been sent", () =>
    Effect.gen(function*() {
      const { keys, result } = yield* run(inTurn(lost, refused(422, "validation_error")), send(email))
      assert(result._tag === "Left")
      assert.strictEqual(result.left.outcome, "unknown")
      assert.include(result.left.message, `"${keys[0]}"`)
    }))

  it.scopedLive("that is refused before any request has the key that it was given", () =>
    Effect.gen(function*() {
      const { keys, result } = yield* run(done, send({ ...email, to: "grace" }, { idempotencyKey: "k" }))
      assert.deepStrictEqual(keys, [])
      assert(result._tag === "Left")
      assert.strictEqual(result.left._tag, "validation_error")
      assert.strictEqual(result.left.outcome, "not_processed")
      assert.strictEqual(result.left.idempotencyKey, "k")
    }))

  it.scopedLive("is stopped when it is interrupted", () =>
    Effect.gen(function*() {
      const fiber = yield* Effect.fork(run(() => undefined, send(email)))
      yield* Effect.sleep("50 millis")
      assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(fiber)))
    }))

  it.scopedLive.each(["", " k", "k ", "ä", "k\n", "k".repeat(257)])(
    "has no key like %j",
    (idempotencyKey) =>
      Effect.gen(function*() {
        const { keys, result } = yield* run(done, send(email, { idempotencyKey }))
        assert.deepStrictEqual(keys, [])
        assert(result._tag === "Left")
        assert.strictEqual(result.left._tag, "invalid_idempotency_key")
        assert.strictEqual(result.left.outcome, "not_processed")
      })
  )

  it.scopedLive.each([null, 5, {}])(
    "has no key like %j, which is not even a text",
    (idempotencyKey) =>
      Effect.gen(function*() {
        const { keys, result } = yield* run(done, send(email, { idempotencyKey }))
        assert.deepStrictEqual(keys, [])
        assert(result._tag === "Left")
        assert.strictEqual(result.left._tag, "invalid_idempotency_key")
        assert.isUndefined(result.left.idempotencyKey)
      })
  )

  it.scopedLive.each<readonly [string, object]>([
    ["The `subject` field must have no line breaks.", { subject: "Hello\r\nBcc: eve@example.com" }],
    ["The `headers` field must have no line breaks.", { headers: { "X-Id": "1\nBcc: eve@example.com" } }],
    [
      "The `headers` field must have names of visible ASCII characters without colons.",
      { headers: { "X-Id: 1\r\nBcc": "eve@example.com" } }
    ]
  ])("has no further headers in others: %s", ([message, fields]) =>
    Effect.gen(function*() {
      const { keys, result } = yield* run(done, send({ ...email, ...fields }))
      assert.deepStrictEqual(keys, [])
      assert(result._tag === "Left")
      assert.strictEqual(result.left.message, message)
    }))

  it.scopedLive("takes times of any kind", () =>
    Effect.gen(function*() {
      const time = new Date("2030-01-02T03:04:05.000Z")
      const zoned = DateTime.unsafeMakeZoned(time, { timeZone: "Europe/Berlin" })
      const times = ["in 1 hour", time, DateTime.unsafeMake(time), zoned]
      const { bodies } = yield* run(
        done,
        Effect.forEach(times, (scheduled_at) => send({ ...email, scheduled_at }))
      )
      assert.deepStrictEqual(
        bodies.map((body): unknown => JSON.parse(body).scheduled_at),
        ["in 1 hour", ...Array.from({ length: 3 }, () => time.toISOString())]
      )
    }))
})

describe("a batch", () => {
  const batch = (count: number, options: object = {}) =>
    Effect.flatMap(
      Emails,
      (emails) =>
        emails.sendBatch(Array.from({ length: count }, (_, n) => ({ ...email, to: `${n}@example.com` })), {
          ...soon,
          ...options
        })
    )

  it.scopedLive("has one key, and asks for validation only if it is told to", () =>
    Effect.gen(function*() {
      const accepted = json(200, { data: [{ id: "e-0" }, { id: "e-1" }] })
      const { keys, received, result } = yield* run(
        inTurn(lost, accepted),
        Effect.zipRight(batch(2), batch(2, { validation: "permissive" }))
      )
      assert.deepStrictEqual(result._tag === "Right" ? result.right : undefined, [
        { _tag: "Accepted", id: EmailId.make("e-0") },
        { _tag: "Accepted", id: EmailId.make("e-1") }
      ])
      assert.strictEqual(new Set(keys).size, 2)
      assert.deepStrictEqual(received.map(({ headers }) => headers["x-batch-validation"]), [
        undefined,
        undefined,
        "permissive"
      ])
    }))

  it.scopedLive("returns one result for each email, in its order", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 100 }), (accepted) =>
          Effect.gen(function*() {
            const indexes = accepted.map((is, index) => ({ is, index }))
            const answer = {
              data: indexes.flatMap(({ index, is }) => is ? [{ id: `e-${index}` }] : []),
              errors: indexes.flatMap(({ index, is }) => is ? [] : [{ index, message: `No: ${index}.` }]).reverse()
            }
            const { result } = yield* run(json(200, answer), batch(accepted.length, { validation: "permissive" }))
            assert(result._tag === "Right")
            assert.deepStrictEqual(
              result.right.map((each) => each._tag === "Accepted" ? each.id as string : each.error.message),
              indexes.map(({ index, is }) => is ? `e-${index}` : `No: ${index}.`)
            )
          }).pipe(Effect.scoped, Effect.runPromise)),
        { numRuns: 20 }
      )
    ))

  it.scopedLive.each([
    ["too few", { data: [{ id: "e-0" }] }],
    ["too many", { data: [{ id: "e-0" }, { id: "e-1" }, { id: "e-2" }] }],
    ["an index twice", { data: [{ id: "e-0" }], errors: [{ index: 1, message: "No" }, { index: 1, message: "No" }] }],
    ["an index out of range", { data: [{ id: "e-0" }], errors: [{ index: 7, message: "No" }] }],
    ["a negative index", { data: [{ id: "e-0" }], errors: [{ index: -1, message: "No" }] }]
  ])("has an unknown outcome if its response has %s", ([_, answer]) =>
    Effect.gen(function*() {
      const { keys, result } = yield* run(json(200, answer), batch(2))
      assert(result._tag === "Left")
      assert.strictEqual(result.left._tag, "UnexpectedResponse")
      assert.strictEqual(result.left.outcome, "unknown")
      assert.strictEqual(result.left.idempotencyKey, keys[0])
      assert.strictEqual(keys.length, 1)
    }))

  it.scopedLive("is sent without what would be rejected, if it is permissive", () =>
    Effect.gen(function*() {
      const wrong = { ...email, to: "nope" }
      const some = Effect.flatMap(Emails, (emails) =>
        emails.sendBatch([wrong, email, { ...email, text: undefined } as BatchEmail, email], {
          ...soon,
          validation: "permissive"
        }))
      const answer = json(200, { data: [{ id: "e-0" }], errors: [{ index: 1, message: "No." }] })
      const { bodies, keys, result } = yield* run(inTurn(lost, answer), some)
      assert.deepStrictEqual(
        bodies,
        Array.from({ length: 2 }, () =>
          JSON.stringify([email, email]))
      )
      assert.strictEqual(new Set(keys).size, 1)
      assert(result._tag === "Right")
      assert.deepStrictEqual(
        result.right.map((each) =>
          each._tag === "Accepted" ? each.id as string : each.error.message
        ),
        [
          "The `to` field must be an email address, or an array of 1 to 50 of them.",
          "e-0",
          "Missing `html` or `text` field, or `template`.",
          "No."
        ]
      )
    }))

  it.scopedLive("needs no request if all of it would be rejected, and is not sent at all if it is strict", () =>
    Effect.gen(function*() {
      const wrong = { ...email, to: "nope" }
      const all = (validation: "strict" | "permissive") =>
        Effect.flatMap(Emails, (emails) => emails.sendBatch([wrong, wrong], { ...soon, validation }))
      const permissive = yield* run(done, all("permissive"))
      assert.deepStrictEqual(permissive.keys, [])
      assert(permissive.result._tag === "Right")
      assert.deepStrictEqual(permissive.result.right.map(({ _tag }) => _tag), ["Rejected", "Rejected"])
      const strict = yield* run(done, all("strict"))
      assert.deepStrictEqual(strict.keys, [])
      assert(strict.result._tag === "Left")
      assert.match(strict.result.left.message, /^Email at index 0: /)
    }))

  it.scopedLive.each([0, 101])("has no %i emails", (count) =>
    Effect.gen(function*() {
      const { keys, result } = yield* run(done, batch(count))
      assert.deepStrictEqual(keys, [])
      assert(result._tag === "Left")
      assert.strictEqual(result.left.message, "A batch must be an array of 1 to 100 emails.")
    }))
})

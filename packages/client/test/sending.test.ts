import { assert, describe, it } from "@effect/vitest"
import * as Client from "@mailstream/client"
import { sendJson, serve } from "@mailstream/testing/HttpServer"
import * as Port from "@mailstream/testing/Port"
import { Effect, FastCheck as fc, type Scope } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { inspect } from "node:util"
import { rejection, scoped, transports } from "./support/service.ts"

const { Mailstream, MailstreamError } = Client

interface Received {
  readonly path: string | undefined
  readonly headers: IncomingMessage["headers"]
  readonly key: string
  readonly body: string
}

type Respond = (response: ServerResponse, request: Received) => unknown

/** A service that responds as each of these says in turn, then as the last one, and the client. */
const serving = (
  responses: ReadonlyArray<Respond>,
  options: Partial<Client.Options> = {}
): Effect.Effect<{ readonly client: Client.Mailstream; readonly received: Array<Received> }, never, Scope.Scope> =>
  Effect.gen(function*() {
    const received: Array<Received> = []
    const baseUrl = yield* serve((request, response) => {
      let body = ""
      request.setEncoding("utf8").on("data", (text: string) => (body += text)).on("end", () => {
        const { headers, url } = request
        const all = { path: url, headers, key: `${headers["idempotency-key"]}`, body }
        received.push(all)
        responses[Math.min(received.length, responses.length) - 1]!(response, all)
      })
    })
    const client = yield* scoped(() =>
      new Mailstream({ baseUrl, apiKey: "re_1", rateLimit: false, retry: { times: 3, base: 1, cap: 1 }, ...options })
    )
    return { client, received }
  })

const id = "e169aa45-1ecf-4183-9955-b1499d5701d3"
const email = { from: "Ada <ada@example.com>", to: "grace@example.com", subject: "Hello", text: "Hello" }

const json = (status: number, body: unknown): Respond => (response) => sendJson(response, status, body)
const refused = (statusCode: number, name: string) => json(statusCode, { name, statusCode, message: "No." })
const done = json(200, { id })
const lost: Respond = (response) => response.destroy()
const broken = json(200, `{"id":`)
const failed = refused(500, "application_error")
const inProgress = refused(409, "concurrent_idempotent_requests")
/** A conflict whose body was lost: the one that is in progress may be accepted. */
const conflict: Respond = (response) => response.writeHead(409).end()
const never: Respond = () => {}

const errorOf = async (promise: Promise<unknown>): Promise<MailstreamError> => {
  const error = await rejection(promise)
  assert(error instanceof MailstreamError, inspect(error))
  return error
}

type MailstreamError = Client.MailstreamError

describe.each(Object.entries(transports))("a send over %s", (_, transport) => {
  it.scopedLive("has a key of its own, or the one that was given", () =>
    Effect.gen(function*() {
      const { client, received } = yield* serving([done], { transport: transport() })
      yield* Effect.promise(async () => {
        assert.deepStrictEqual(await client.emails.send(email), { id })
        await client.emails.send(email, { idempotencyKey: undefined })
        await client.emails.send(email, { idempotencyKey: "welcome/1" })
        const keys = received.map(({ key }) => key)
        for (const key of keys.slice(0, 2)) {
          assert.match(key, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][-0-9a-f]{16}$/)
        }
        assert.strictEqual(new Set(keys).size, 3)
        assert.strictEqual(keys[2], "welcome/1")
        assert.notProperty(received[0]!.headers, "x-batch-validation")
      })
    }))

  it.scopedLive.each(
    [["lost", lost], ["broken", broken], ["failed", failed], ["in progress", inProgress], [
      "a conflict without a name",
      conflict
    ]] as const
  )(
    "is repeated with the same key and the same bytes if its response is %s",
    ([_, response]) =>
      Effect.gen(function*() {
        const { client, received } = yield* serving([response, response, done], { transport: transport() })
        let reads = 0
        const input = {
          ...email,
          get text() {
            return `${reads++}`
          }
        }
        assert.deepStrictEqual(yield* Effect.promise(() => client.emails.send(input)), { id })
        assert.strictEqual(received.length, 3)
        assert.strictEqual(new Set(received.map(({ body, key }) => key + body)).size, 1)
      })
  )
})

describe("the error of a send", () => {
  it.scopedLive.each(
    [
      [400, "invalid_idempotency_key", Client.InvalidIdempotencyKey],
      [409, "invalid_idempotent_request", Client.InvalidIdempotentRequest],
      [422, "invalid_attachment", Client.InvalidAttachment],
      [403, "email_above_quota", Client.EmailAboveQuota],
      [429, "daily_quota_exceeded", Client.DailyQuotaExceeded]
    ] as const
  )("is not repeated if it is %i %s, and has the key", ([status, name, Class]) =>
    Effect.gen(function*() {
      const { client, received } = yield* serving([refused(status, name)])
      const error = yield* Effect.promise(() => errorOf(client.emails.send(email)))
      assert.isTrue(error instanceof Class)
      assert.strictEqual(received.length, 1)
      const idempotencyKey = received[0]!.key
      assert.deepInclude(JSON.parse(JSON.stringify(error)), { _tag: name, outcome: "not_processed", idempotencyKey })
    }))

  it.scopedLive.each(
    [
      ["lost", lost, "TransportError"],
      ["broken", broken, "UnexpectedResponse"],
      ["of the wrong shape", json(200, { id: 5 }), "UnexpectedResponse"],
      ["failed", failed, "application_error"],
      ["in progress", inProgress, "concurrent_idempotent_requests"],
      ["conflicts without a name", conflict, "api_error"]
    ] as const
  )("says how to repeat it after responses that are %s", ([_, response, tag]) =>
    Effect.gen(function*() {
      const { client, received } = yield* serving([response])
      const error = yield* Effect.promise(() => errorOf(client.emails.send(email)))
      const idempotencyKey = received[0]!.key
      assert.deepInclude(JSON.parse(JSON.stringify(error)), { _tag: tag, outcome: "unknown", idempotencyKey })
      assert.include(error.message, `"${idempotencyKey}" and the same content, nothing is sent twice`)
    }))

  it("has the key that was given, also if nothing was requested", () =>
    Effect.runPromise(Effect.scoped(Effect.gen(function*() {
      const { client, received } = yield* serving([done])
      const emails = client.emails as unknown as Record<string, (...args: ReadonlyArray<unknown>) => Promise<unknown>>
      const idempotencyKey = "welcome/1"
      const call = (name: string, ...args: ReadonlyArray<unknown>) => errorOf(emails[name]!(...args))
      yield* Effect.promise(async () => {
        for (
          const error of [
            await call("send", { ...email, to: [] }, { idempotencyKey }),
            await call("send", { ...email, nope: 1 }, { idempotencyKey }),
            await call("send", email, { idempotencyKey, nope: 1 }),
            await call("send", email, { idempotencyKey, signal: 5 }),
            await call("send", email, { idempotencyKey }, {}),
            await call("sendBatch", [], { idempotencyKey }),
            await call("sendBatch", [email], { idempotencyKey, validation: "loose" }),
            await call("send", email, { idempotencyKey, signal: AbortSignal.abort() })
          ]
        ) assert.deepInclude(error, { outcome: "not_processed", idempotencyKey }, inspect(error))
        const long = "x".repeat(257)
        assert.deepInclude(await call("send", email, { idempotencyKey: long }), {
          _tag: "invalid_idempotency_key",
          idempotencyKey: long
        })
        for (const wrong of [5, null, {}, Promise.resolve("k"), "", "tab\t", " space"]) {
          const error = await call("send", email, { idempotencyKey: wrong })
          assert.deepInclude(error, { _tag: "invalid_idempotency_key", outcome: "not_processed" })
          assert.strictEqual(error.idempotencyKey, typeof wrong === "string" ? wrong : undefined)
        }
        const made = await call("send", {})
        assert.match(`${made.idempotencyKey}`, /^[-0-9a-f]{36}$/)
        const options = {
          get idempotencyKey() {
            throw new Error("hostile")
          }
        }
        assert.deepInclude(await call("send", email, options), { _tag: "InvalidOption", option: "idempotencyKey" })
        await client.close()
        const closed = await call("send", email, { idempotencyKey })
        assert.deepInclude(closed, { _tag: "ClientClosed", outcome: "not_processed", idempotencyKey })
        assert.deepStrictEqual(received, [])
      })
    }))))

  it.scopedLive("is the network's, with the key, if nobody listens", () =>
    Effect.gen(function*() {
      const [port] = yield* Effect.promise(() => Port.free(1))
      const baseUrl = `http://127.0.0.1:${port}`
      const client = yield* scoped(() => new Mailstream({ baseUrl, apiKey: "re_1", retry: "none" }))
      const error = yield* Effect.promise(() => errorOf(client.emails.send(email, { idempotencyKey: "k" })))
      assert.deepInclude(error, { _tag: "TransportError", outcome: "not_processed", idempotencyKey: "k" })
    }))

  it.scopedLive("has no key if another operation fails", () =>
    Effect.gen(function*() {
      const { client } = yield* serving([refused(422, "validation_error")])
      const error = yield* Effect.promise(() => errorOf(client.topics.create({ name: "News" })))
      assert.notProperty(error, "idempotencyKey")
    }))
})

describe("an aborted send", () => {
  const aborting = (
    responses: ReadonlyArray<Respond>,
    when: (abort: () => void) => Partial<Client.Options> & { readonly responses?: ReadonlyArray<Respond> }
  ) =>
    Effect.gen(function*() {
      const controller = new AbortController()
      const abort = () => controller.abort()
      const { responses: own = responses, ...options } = when(abort)
      const { client, received } = yield* serving(own, options)
      const { signal } = controller
      const sent = client.emails.send(email, { idempotencyKey: "k", signal })
      const error = yield* Effect.promise(() => errorOf(sent))
      assert(error instanceof Client.Aborted)
      assert.strictEqual(error.cause, signal.reason)
      assert.strictEqual(error.idempotencyKey, "k")
      return { error, received }
    })

  it.scopedLive("is unknown once its request has begun, and can be repeated with its key", () =>
    Effect.gen(function*() {
      const { error, received } = yield* aborting([], (abort) => ({ responses: [abort] }))
      assert.strictEqual(received.length, 1)
      assert.strictEqual(error.outcome, "unknown")
      assert.strictEqual(
        error.message,
        "The call was aborted; whether it was processed is unknown. Repeated within 24 hours with the idempotency key \"k\" " +
          "and the same content, nothing is sent twice."
      )
    }))

  it.scopedLive("was not processed if all attempts were refused, and it waits for the next one", () =>
    Effect.gen(function*() {
      const limited = refused(429, "rate_limit_exceeded")
      const retry = { times: 3, base: 60_000, cap: 60_000 }
      const { error, received } = yield* aborting(
        [limited],
        (abort) => ({ retry, onRetry: () => setImmediate(abort) && undefined })
      )
      assert.strictEqual(received.length, 1)
      assert.strictEqual(error.outcome, "not_processed")
      assert.strictEqual(error.message, "The call was aborted; it was not processed.")
    }))

  it.scopedLive.each(
    [["failed", failed], ["in progress", inProgress], ["a conflict without a name", conflict]] as const
  )(
    "is unknown while it waits after an attempt that is: %s",
    ([_, response]) =>
      Effect.gen(function*() {
        for (const responses of [[response], [response, refused(429, "rate_limit_exceeded")]]) {
          let count = 0
          const { error, received } = yield* aborting(responses, (abort) => ({
            retry: { times: 3, base: 1, cap: 1 },
            onRetry: () => ++count === responses.length ? new Promise<void>(abort) : undefined
          }))
          assert.strictEqual(received.length, responses.length)
          assert.strictEqual(error.outcome, "unknown")
        }
      })
  )

  it.scopedLive("was not processed while it waits for the rate limit", () =>
    Effect.gen(function*() {
      const { client, received } = yield* serving([done], { rateLimit: { requests: 1, per: 60_000 } })
      const controller = new AbortController()
      const { signal } = controller
      yield* Effect.promise(async () => {
        await client.emails.send(email)
        const waiting = errorOf(client.emails.send(email, { signal }))
        await new Promise((resolve) => setTimeout(resolve, 50))
        controller.abort()
        assert.deepInclude(await waiting, { _tag: "Aborted", outcome: "not_processed" })
        assert.strictEqual(received.length, 1)
      })
    }))

  it.scopedLive("has succeeded if its signal is aborted afterwards", () =>
    Effect.gen(function*() {
      const { client } = yield* serving([done])
      const controller = new AbortController()
      const sent = yield* Effect.promise(() => client.emails.send(email, { signal: controller.signal }))
      controller.abort()
      assert.deepStrictEqual(sent, { id })
    }))

  it.scopedLive("by the client's end says the same", () =>
    Effect.gen(function*() {
      const { client, received } = yield* serving([() => void client.close()])
      const error = yield* Effect.promise(() => errorOf(client.emails.send(email)))
      assert.deepInclude(error, { _tag: "ClientClosed", outcome: "unknown", idempotencyKey: received[0]!.key })
      assert.include(error.message, `the idempotency key "${received[0]!.key}" and the same content`)
    }))
})

describe("a batch", () => {
  const batch = (count: number) => Array.from({ length: count }, (_, index) => ({ ...email, subject: `${index}` }))

  it.scopedLive("has one result for each email, in order", () =>
    Effect.gen(function*() {
      const rejects = new Set<number>()
      const { client, received } = yield* serving([(response, { body }) => {
        const indexes = Array.from(JSON.parse(body) as ReadonlyArray<unknown>, (_, index) => index)
        sendJson(response, 200, {
          data: indexes.filter((index) => !rejects.has(index)).map((index) => ({ id: `e-${index}` })),
          // In any order.
          errors: indexes.filter((index) => rejects.has(index)).map((index) => ({ index, message: `no ${index}` }))
            .reverse()
        })
      }])
      const property = fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 100 }), async (accepted) => {
        received.length = 0
        rejects.clear()
        for (const [index, isAccepted] of accepted.entries()) if (!isAccepted) rejects.add(index)
        const results = await client.emails.sendBatch(batch(accepted.length), { validation: "permissive" })
        assert.strictEqual(received[0]!.headers["x-batch-validation"], "permissive")
        assert.strictEqual(results.length, accepted.length)
        for (const [index, result] of results.entries()) {
          if (accepted[index] === true) assert.deepStrictEqual(result, { _tag: "Accepted", id: `e-${index}` })
          else {
            assert(result._tag === "Rejected")
            assert(result.error instanceof Client.ValidationError && result.error instanceof Error)
            assert.strictEqual(result.error.message, `no ${index}`)
          }
        }
      })
      yield* Effect.promise(() => fc.assert(property, { numRuns: 20 }))
    }))

  it.scopedLive("is strict unless it says otherwise, and repeated with the same key", () =>
    Effect.gen(function*() {
      const { client, received } = yield* serving([lost, json(200, { data: [{ id: "a" }, { id: "b" }] })])
      const results = yield* Effect.promise(() => client.emails.sendBatch(batch(2)))
      assert.deepStrictEqual(results, [{ _tag: "Accepted", id: "a" }, { _tag: "Accepted", id: "b" }])
      assert.strictEqual(received.length, 2)
      assert.strictEqual(new Set(received.map(({ body, key }) => key + body)).size, 1)
      assert.notProperty(received[0]!.headers, "x-batch-validation")
      assert.strictEqual(received[0]!.path, "/emails/batch")
    }))

  it.scopedLive.each<unknown>([
    { data: [{ id: "a" }] },
    { data: [{ id: "a" }, { id: "b" }, { id: "c" }] },
    { data: [{ id: "a" }], errors: [{ index: 2, message: "no" }] },
    { data: [{ id: "a" }], errors: [{ index: -1, message: "no" }] },
    { data: [], errors: [{ index: 0, message: "no" }, { index: 0, message: "no" }] },
    { data: {} },
    [{ id: "a" }, { id: "b" }],
    null,
    "<html>",
    ""
  ])(
    "with a response that is not its own is an UnexpectedResponse with an unknown outcome: %j",
    (answer) =>
      Effect.gen(function*() {
        const { client, received } = yield* serving([json(200, answer)], { retry: "none" })
        const error = yield* Effect.promise(() => errorOf(client.emails.sendBatch(batch(2))))
        assert.deepInclude(error, {
          _tag: "UnexpectedResponse",
          outcome: "unknown",
          idempotencyKey: received[0]!.key
        })
      })
  )

  it.each<readonly [name: "send" | "sendBatch", args: ReadonlyArray<unknown>, message: string]>([
    ["sendBatch", [batch(101)], "A batch must be an array of 1 to 100 emails."],
    ["sendBatch", [[]], "A batch must be an array of 1 to 100 emails."],
    ["sendBatch", [[email], { validation: "loose" }], "The `validation` must be `strict` or `permissive`."],
    [
      "sendBatch",
      [[email, { ...email, attachments: [{ content: "aGk=" }] }]],
      "Email at index 1: Attachments cannot be sent in a batch: send that email by itself."
    ],
    ["sendBatch", [[email, { ...email, too: 1 }]], "[1].too is not an option here: pass `to`"],
    [
      "sendBatch",
      [[{ ...email, idempotencyKey: "k" }]],
      "[0].idempotencyKey is not an option here: pass it after the input, as in { idempotencyKey }"
    ],
    ["sendBatch", [[email, Promise.resolve(email)]], "[1] is a promise: await it first"],
    ["send", [email, { idempotencykey: "k" }], "idempotencykey is not an option here: pass `idempotencyKey`"],
    ["send", [email, { "Idempotency-Key": "k" }], "Idempotency-Key is not an option here: pass `idempotencyKey`"],
    ["send", [email, { key: "k" }], "key is not an option here: pass `idempotencyKey`"],
    [
      "send",
      [email, { headers: {} }],
      "headers is not an option here: pass `idempotencyKey`, or `headers` in the email"
    ],
    [
      "send",
      [email, { validation: "strict" }],
      "validation is not an option here: the options are retry, onRetry, signal, idempotencyKey"
    ],
    [
      "sendBatch",
      [[email], { batchValidation: "strict" }],
      "batchValidation is not an option here: pass `validation`: \"strict\" or \"permissive\""
    ],
    ["send", [{ ...email, replyTo: "a@b.c" }], "replyTo is not an option here: pass `reply_to`"],
    ["send", [{ ...email, sendAt: "now" }], "sendAt is not an option here: pass `scheduled_at`"],
    ["send", [{ ...email, files: [] }], "files is not an option here: pass `attachments`"],
    ["send", [{ ...email, recipients: [] }], "recipients is not an option here: pass `to`"],
    [
      "send",
      [{ ...email, attachments: [{ filename: "a", content: new Uint8Array(3) }] }],
      "attachments[0].content must not be bytes: pass `attachments: [await attachment(bytes, { filename })]`"
    ],
    [
      "send",
      [{ ...email, attachments: [Promise.resolve({ content: "" })] }],
      "attachments[0] is a promise: await it first"
    ],
    ["send", [{ ...email, scheduled_at: 5 }], "The `scheduled_at` field must be a string or a date."],
    ["send", [], "The body must be an object."]
  ])("or a send is refused with advice: %s(%j)", async (name, args, message) => {
    const client = new Mailstream({ baseUrl: "https://api.example.com", apiKey: "re_1", fetch: () => assert.fail() })
    const call = client.emails[name] as unknown as (...args: ReadonlyArray<unknown>) => Promise<unknown>
    const error = await errorOf(call(...args))
    assert.strictEqual(error.message, message)
    assert.strictEqual(error.outcome, "not_processed")
  })
})

describe("an email", () => {
  it.scopedLive("is sent as it was given: without undefined fields, with times as text", () =>
    Effect.gen(function*() {
      const { client, received } = yield* serving([done])
      yield* Effect.promise(async () => {
        const template = { id: "welcome", variables: { name: "Ada", plan: undefined } }
        await client.emails.send({ to: "a@example.com", template, html: undefined, text: undefined, from: undefined })
        await client.emails.send({ ...email, scheduled_at: new Date("2026-11-20T10:00:00Z") })
        await client.emails.send({ ...email, scheduled_at: "in 1 hour" })
        await client.emails.send({ ...email, headers: { "X-Order": "5" }, tags: [{ name: "kind", value: "test" }] })
      })
      assert.deepStrictEqual(received.map(({ body }) => JSON.parse(body)), [
        { to: "a@example.com", template: { id: "welcome", variables: { name: "Ada" } } },
        { ...email, scheduled_at: "2026-11-20T10:00:00.000Z" },
        { ...email, scheduled_at: "in 1 hour" },
        { ...email, headers: { "X-Order": "5" }, tags: [{ name: "kind", value: "test" }] }
      ])
    }))

  it.scopedLive("is the one of the call, whatever becomes of it meanwhile", () =>
    Effect.gen(function*() {
      const { client, received } = yield* serving([done])
      const input = { ...email, scheduled_at: new Date(0) }
      const sent = client.emails.send(input)
      input.text = "changed"
      input.scheduled_at.setTime(1)
      yield* Effect.promise(() => sent)
      assert.deepInclude(JSON.parse(received[0]!.body), { text: "Hello", scheduled_at: "1970-01-01T00:00:00.000Z" })
    }))

  it.scopedLive("in progress is waited for no longer than its signal says", () =>
    Effect.gen(function*() {
      const { client } = yield* serving([never])
      const error = yield* Effect.promise(() => errorOf(client.emails.send(email, { signal: AbortSignal.timeout(20) })))
      assert.deepInclude(error, { _tag: "Aborted", outcome: "unknown" })
      assert.strictEqual(error.name, "TimeoutError")
    }))
})

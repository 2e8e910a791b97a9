import { assert, describe, it } from "@effect/vitest"
import { assertNone } from "@effect/vitest/utils"
import { isTransient } from "@mailstream/core"
import { classes } from "@mailstream/core/ApiError"
import { Contacts, RetryPolicy, Topics } from "@mailstream/http"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import { sleepingUntil } from "@mailstream/testing/Clock"
import { eventually } from "@mailstream/testing/Eventually"
import { Cause, Deferred, Duration, Effect, Exit, Fiber, Layer, Schedule, TestClock } from "effect"
import { createServer, type Socket } from "node:net"
import { gzipSync } from "node:zlib"
import * as Undici from "undici"
import * as Sockets from "./support/sockets.ts"
import { emptyList, json, mailstream, type Respond, serve, text, transports } from "./support/wire.ts"

const list = Effect.flatMap(Contacts, (contacts) => contacts.list({ limit: 10 }))

/** The error tables of the specification and of the public reference. */
const table: ReadonlyArray<readonly [status: number, name: string]> = [
  [400, "validation_error"],
  [403, "validation_error"],
  [422, "validation_error"],
  [400, "invalid_idempotency_key"],
  [401, "missing_api_key"],
  [401, "restricted_api_key"],
  [403, "invalid_api_key"],
  [403, "restricted_api_key"],
  [403, "suspended_api_key"],
  [403, "invalid_permission"],
  [404, "not_found"],
  [405, "method_not_allowed"],
  [409, "concurrent_idempotent_requests"],
  [409, "invalid_idempotent_request"],
  [409, "resource_locked"],
  [422, "invalid_parameter"],
  [422, "missing_required_field"],
  [422, "missing_required_parameter"],
  [422, "invalid_attachment"],
  [403, "email_above_quota"],
  [429, "rate_limit_exceeded"],
  [429, "daily_quota_exceeded"],
  [429, "monthly_quota_exceeded"],
  [500, "application_error"],
  [500, "internal_server_error"],
  [503, "service_unavailable"]
]

it("covers the errors of the API", () => {
  assert.sameMembers([...new Set(table.map(([, name]) => name))], Object.keys(classes))
})

const nothing = { method: "", url: "", headers: {}, body: "" }

describe.each(transports)("over %s", (_, transport) => {
  /** The failure of a list with this response. */
  const failure = (respond: Respond) =>
    Effect.flatMap(
      serve(respond),
      ({ baseUrl }) => list.pipe(Effect.flip, Effect.provide(mailstream(baseUrl, {}, transport)))
    )

  describe("errors of the API", () => {
    it.scopedLive.each(table)("%s", ([status, name]) =>
      Effect.gen(function*() {
        const error = yield* failure(json(status, { statusCode: status, name, message: "In words." }))
        assert.strictEqual(error._tag, name)
        assert.strictEqual(error.name, name)
        assert(error._tag !== "TransportError")
        assert.strictEqual(error.statusCode, status)
        assert.match(error.url ?? "", /^http:\/\/127\.0\.0\.1:\d+\/contacts$/)
        assert.strictEqual(error.message, `${error.method} ${error.url}: In words.`)
      }))

    it.scopedLive("keeps its status and its wait if the connection breaks before the body is complete", () =>
      Effect.gen(function*() {
        for (const status of [401, 429]) {
          const error = yield* failure((response) => {
            response.writeHead(status, { "retry-after": "2", "content-length": "1000" })
            response.write("{")
            // Clients that have not seen the status cannot keep it.
            Effect.runFork(Effect.tap(Sockets.begun(response.socket!), () => response.destroy()))
          })
          assert(error._tag === "api_error")
          assert.strictEqual(error.statusCode, status)
          assert.deepStrictEqual(error.retryAfter && Duration.toSeconds(error.retryAfter), 2)
          assert.match(error.message, /^GET \S+: status \d+: .*\(The service asks to wait 2s\.\)$/)
        }
      }))

    it.scopedLive("names a wrong base path, without the query", () =>
      Effect.gen(function*() {
        const { baseUrl } = yield* serve(json(404, { statusCode: 404, name: "not_found", message: "No such path." }))
        const error = yield* list.pipe(Effect.flip, Effect.provide(mailstream(`${baseUrl}/api/`, {}, transport)))
        assert.include(error, {
          _tag: "not_found",
          method: "GET",
          url: `${baseUrl}/api/contacts`,
          message: `GET ${baseUrl}/api/contacts: No such path.`
        })
      }))

    it.scoped.each([
      ["rate_limit_exceeded", "259200"],
      ["daily_quota_exceeded", "Fri, 20 Nov 2026 11:05:00 GMT"],
      ["monthly_quota_exceeded", "259200"]
    ] as ReadonlyArray<readonly [name: string, after: string]>)(
      "says how long %s lasts, and until when",
      ([name, after]) =>
        Effect.gen(function*() {
          yield* TestClock.setTime(Date.UTC(2026, 10, 17, 11, 5))
          const error = yield* failure((response) => {
            response.sendDate = false
            json(429, { statusCode: 429, name, message: "No more." }, { "retry-after": after })(response, nothing)
          })
          assert.strictEqual(error._tag, name)
          assert.match(
            error.message,
            /^GET \S+\/contacts: No more\. \(The service asks to wait 3d, until 2026-11-20 11:05 UTC\.\)$/
          )
        })
    )

    it.scopedLive("carries the wait of a 429", () =>
      Effect.gen(function*() {
        const body = { statusCode: 429, name: "rate_limit_exceeded", message: "Too many requests." }
        const error = yield* failure(json(429, body, { "retry-after": "2", "ratelimit-reset": "9" }))
        assert(error._tag === "rate_limit_exceeded")
        assert.deepStrictEqual(error.retryAfter, Duration.seconds(2))
      }))
  })

  describe("broken responses", () => {
    it.scopedLive("a page of HTML with status 502", () =>
      Effect.gen(function*() {
        const html = "<html><body><h1>502 Bad Gateway</h1></body></html>"
        const error = yield* failure(text(502, html, { "content-type": "text/html" }))
        assert(error._tag === "api_error")
        assert.strictEqual(error.statusCode, 502)
        assert.match(error.message, /^GET \S+\/contacts: status 502: not JSON, text\/html: 502 Bad Gateway$/)
      }))

    it.scopedLive("an empty body with status 500", () =>
      Effect.gen(function*() {
        const error = yield* failure((response) => response.writeHead(500).end())
        assert(error._tag === "api_error")
        assert.strictEqual(error.statusCode, 500)
      }))

    it.scopedLive.each([
      ["error code: 1010", "not JSON: error code: 1010"],
      ["", "an empty body instead of JSON"],
      ["1010", "JSON without the name and message of an error: 1010"],
      ["[]", "JSON without the name and message of an error: []"],
      [`{"detail":"no"}`, `JSON without the name and message of an error: {"detail":"no"}`]
    ])(
      "any status with the body %j names the request, the status and what was found",
      ([body, found]) =>
        Effect.gen(function*() {
          let status = 0
          const server = yield* serve((response) => void response.writeHead(status).end(body))
          yield* Effect.gen(function*() {
            for (
              status of [300, 301, 400, 401, 403, 404, 405, 408, 413, 418, 429, 451, 499, 500, 502, 503, 504, 520, 599]
            ) {
              assert.include(yield* Effect.flip(list), {
                _tag: "api_error",
                statusCode: status,
                message: `GET ${server.baseUrl}/contacts: status ${status}: ${found}`
              })
            }
          }).pipe(Effect.provide(mailstream(server.baseUrl, { rateLimit: false }, transport)))
        })
    )

    it.scopedLive("truncated JSON", () =>
      Effect.gen(function*() {
        const error = yield* failure(text(200, `{"object":"list","data":[{"email":"jane@exa`))
        assert(error._tag === "UnexpectedResponse")
        assert.strictEqual(error.reason, "NotJson")
        assert.notInclude(error.message, "jane")
      }))

    it.scopedLive("an empty body with status 200", () =>
      Effect.gen(function*() {
        const error = yield* failure((response) => response.writeHead(200).end())
        assert(error._tag === "UnexpectedResponse")
        assert.include(error.message, "expected JSON, found an empty body")
      }))

    it.scopedLive("a page of HTML with status 200", () =>
      Effect.gen(function*() {
        const error = yield* failure(text(200, "<h1>Sign in</h1>", { "content-type": "text/html" }))
        assert(error._tag === "UnexpectedResponse")
        assert.strictEqual(error.reason, "NotJson")
        assert.include(error.message, "text/html: Sign in")
      }))

    it.scopedLive("a redirect never carries the key, and if it is not followed, the error says where it leads", () =>
      Effect.gen(function*() {
        const elsewhere = yield* serve(json(200, emptyList))
        const location = `${elsewhere.baseUrl}/contacts`
        const error = yield* Effect.exit(
          failure((response) =>
            response.writeHead(302, { location, "content-type": "text/html" }).end("<h1>302 Found</h1>")
          )
        )
        for (const { headers } of elsewhere.received) assert.notProperty(headers, "authorization")
        if (elsewhere.received.length === 0) {
          assert(Exit.isSuccess(error))
          assert.strictEqual(error.value._tag, "api_error")
          assert.match(error.value.message, /^GET \S+\/contacts: status 302: a redirect to /)
          assert.include(error.value.message, `a redirect to ${location}: fix the base URL`)
        }
        const notFound = yield* failure((response) => response.writeHead(404, { location }).end())
        assert.include(notFound.message, "status 404: an empty body")
      }))

    const contact = {
      id: "e169aa45-1ecf-4183-9955-b1499d5701d3",
      email: "jane@example.com",
      first_name: null,
      last_name: null,
      created_at: "2023-10-06 23:47:56.678+00",
      unsubscribed: false
    }

    it.scopedLive.each([
      [{ ...emptyList, has_more: undefined }, "has_more: is missing"],
      [{ ...emptyList, has_more: "no" }, "has_more: expected boolean, found string"],
      [{ ...emptyList, object: "page" }, `object: expected "list", found string`],
      [{ ...emptyList, data: null }, "data: expected ReadonlyArray<Contact>, found null"],
      [{ ...emptyList, data: [contact, { ...contact, id: "x" }] }, "data[1].id: expected ContactId, found other text"],
      [{ ...emptyList, data: [{ ...contact, email: 5 }] }, "data[0].email: expected string, found number"],
      [
        { ...emptyList, data: [{ ...contact, first_name: [] }] },
        "data[0].first_name: expected string or null, found array"
      ],
      [
        { ...emptyList, data: [{ ...contact, created_at: "now" }] },
        "data[0].created_at: expected Timestamp, found other text"
      ],
      [[], "expected list, found array"]
    ] as ReadonlyArray<readonly [body: unknown, message: string]>)(
      "the wrong shape: %j",
      ([body, message]) =>
        Effect.gen(function*() {
          const error = yield* failure(json(200, body))
          assert(error._tag === "UnexpectedResponse")
          assert.strictEqual(error.reason, "WrongShape")
          assert.include(error.message, message)
          assert.notInclude(error.message, "jane")
        })
    )

    it.scopedLive("a connection that breaks in the middle of the body", () =>
      Effect.gen(function*() {
        const error = yield* failure((response) => {
          response.writeHead(200, { "content-type": "application/json", "content-length": "1000" })
          response.write(`{"object":"list",`, () => response.destroy())
        })
        assert(error._tag === "TransportError")
        assert.strictEqual(error.reason, "Lost")
      }))

    it.scopedLive("a connection that breaks before the response", () =>
      Effect.gen(function*() {
        const error = yield* failure((response) => response.destroy())
        assert(error._tag === "TransportError")
        assert.strictEqual(error.reason, "Lost")
      }))

    it.scopedLive("a closed port", () =>
      Effect.gen(function*() {
        const port = yield* freePort
        const error = yield* Effect.provide(Effect.flip(list), mailstream(`http://127.0.0.1:${port}`, {}, transport))
        assert(error._tag === "TransportError")
        assert.strictEqual(error.reason, "Connect")
        assert.include(error.message, `GET http://127.0.0.1:${port}/contacts: `)
      }))

    it.scoped("no response in time", () =>
      Effect.gen(function*() {
        const server = yield* serve(() => {})
        const fiber = yield* list.pipe(
          Effect.flip,
          Effect.provide(mailstream(server.baseUrl, { timeout: "5 seconds" }, transport)),
          Effect.fork
        )
        yield* eventually("a request arrives", () => server.received.length === 1)
        yield* TestClock.adjust("4999 millis")
        assertNone(yield* Fiber.poll(fiber))
        yield* TestClock.adjust("1 millis")
        const error = yield* Fiber.join(fiber)
        assert(error._tag === "TransportError")
        assert.strictEqual(error.reason, "Timeout")
        assert.include(error.message, "no complete response within 5s")
        yield* eventually("the request is aborted", () => server.aborted() === 1)
      }))

    it.scoped("a body that does not end in time", () =>
      Effect.gen(function*() {
        const begun = yield* Deferred.make<Socket>()
        const server = yield* serve((response) => {
          response.writeHead(200, { "content-type": "application/json" }).write(`{"object":`)
          Deferred.unsafeDone(begun, Effect.succeed(response.socket!))
        })
        const fiber = yield* list.pipe(
          Effect.flip,
          Effect.provide(mailstream(server.baseUrl, {}, transport)),
          Effect.fork
        )
        yield* Effect.flatMap(Deferred.await(begun), Sockets.begun)
        yield* TestClock.adjust("30 seconds")
        const error = yield* Fiber.join(fiber)
        assert(error._tag === "TransportError")
        assert.strictEqual(error.reason, "Timeout")
        yield* eventually("the request is aborted", () => server.aborted() === 1)
      }))
  })

  describe("a response that exceeds the size limit", () => {
    const endless: Respond = (response) => {
      response.writeHead(200, { "content-type": "application/json" })
      const more = (): void => {
        while (!response.destroyed && response.write(" ".repeat(65_536)));
        if (!response.destroyed) response.once("drain", more)
      }
      more()
    }
    const responses: ReadonlyArray<readonly [what: string, respond: Respond]> = [
      ["with a content-length", text(200, " ".repeat(200_000))],
      ["without an end", endless]
    ]

    it.scopedLive.each(responses)("%s", ([what, respond]) =>
      Effect.gen(function*() {
        const server = yield* serve(respond)
        const services = yield* Layer.build(mailstream(server.baseUrl, { maxBodySize: 100_000 }, transport))
        const error = yield* Effect.flip(Effect.provide(list, services))
        assert(error._tag === "UnexpectedResponse")
        assert.strictEqual(error.reason, "TooLarge")
        assert.strictEqual(error.statusCode, 200)
        assert.include(error.message, "100000 bytes")
        assert.isFalse(isTransient(error))
        // The rest of an endless one is not received, even if the client remains in use.
        if (what === "without an end") yield* eventually("the request is aborted", () => server.aborted() === 1)
      }))

    it.scopedLive("with an error status counts by its status", () =>
      Effect.gen(function*() {
        const server = yield* serve(text(500, "x".repeat(200_000)))
        const services = yield* Layer.build(mailstream(server.baseUrl, { maxBodySize: 100_000 }, transport))
        const error = yield* Effect.flip(Effect.provide(list, services))
        assert.include(error, { _tag: "api_error", statusCode: 500 })
        assert.include(error.message, "status 500: the body exceeds 100000 bytes")
        assert.isTrue(isTransient(error))
      }))

    it.scopedLive("compressed", () =>
      Effect.gen(function*() {
        const server = yield* serve((response) => {
          response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(1_000_000, " ")))
        })
        const error = yield* list.pipe(
          Effect.flip,
          Effect.provide(mailstream(server.baseUrl, { maxBodySize: 100_000 }, transport))
        )
        assert(error._tag === "UnexpectedResponse")
        assert.strictEqual(error.reason, "TooLarge")
      }))

    it.scopedLive("is accepted up to the exact limit", () =>
      Effect.gen(function*() {
        const body = JSON.stringify(emptyList)
        const server = yield* serve((response) => {
          response.writeHead(200)
          for (const byte of body) response.write(byte)
          response.end()
        })
        yield* Effect.provide(list, mailstream(server.baseUrl, { maxBodySize: body.length }, transport))
      }))
  })

  describe("accepted responses", () => {
    it.scopedLive.each([200, 201, 202, 206, 299])("any 2xx: %i", (status) =>
      Effect.gen(function*() {
        const { baseUrl } = yield* serve(json(status, emptyList))
        assert.deepStrictEqual<unknown>(yield* Effect.provide(list, mailstream(baseUrl, {}, transport)), emptyList)
      }))

    it.scopedLive("JSON with another content type and unknown fields", () =>
      Effect.gen(function*() {
        const { baseUrl } = yield* serve(text(200, `{"data":[],"has_more":false,"cost":1,"object":"list"}`))
        const page = yield* Effect.provide(list, mailstream(baseUrl, {}, transport))
        assert.deepStrictEqual<unknown>(page, { ...emptyList, cost: 1 })
      }))
  })

  it.scopedLive("an interrupted call aborts its request", () =>
    Effect.gen(function*() {
      const server = yield* serve(() => {})
      const fiber = yield* Effect.fork(Effect.provide(list, mailstream(server.baseUrl, {}, transport)))
      yield* eventually("a request arrives", () => server.received.length === 1)
      const exit = yield* Fiber.interrupt(fiber)
      assert(Exit.isFailure(exit) && Cause.isInterruptedOnly(exit.cause))
      yield* eventually("the request is aborted", () => server.aborted() === 1)
    }))
})

describe("a create", () => {
  const create = Effect.flatMap(Topics, (topics) => topics.create({ name: "News" }))
  const created = { object: "topic", id: "b6d24b8e-af0b-4c3c-be0c-359bbd97381e" }

  it.scopedLive("says how often it was tried", () =>
    Effect.gen(function*() {
      const server = yield* serve(json(429, { name: "rate_limit_exceeded", statusCode: 429, message: "Slow down." }))
      const failing = (retry: RetryPolicy.RetryPolicy) =>
        Effect.flatMap(Topics, (topics) => topics.create({ name: "News" }, { retry })).pipe(
          Effect.flip,
          Effect.provide(mailstream(server.baseUrl, { rateLimit: false }))
        )
      const retried = yield* failing(Schedule.recurs(2))
      assert.strictEqual(server.received.length, 3)
      assert.match(retried.message, /: Slow down\. \(after 3 attempts in [\w ]+\); it was not processed$/)
      assert.match((yield* failing(RetryPolicy.none)).message, /: Slow down; it was not processed$/)
    }))

  it.scoped("is retried after a 429", () =>
    Effect.gen(function*() {
      const server = yield* serve((response, request) =>
        server.received.length < 3
          ? json(429, { statusCode: 429, name: "rate_limit_exceeded", message: "Slow." }, { "retry-after": "2" })(
            response,
            request
          )
          : json(201, created)(response, request)
      )
      const fiber = yield* Effect.fork(Effect.provide(create, mailstream(server.baseUrl)))
      for (const attempt of [1, 2]) {
        yield* sleepingUntil(2000 * attempt)
        assert.strictEqual(server.received.length, attempt)
        yield* TestClock.adjust("2 seconds")
      }
      assert.deepStrictEqual<unknown>(yield* Fiber.join(fiber), created)
      assert.strictEqual(server.received.length, 3)
    }))

  it.scopedLive("is retried if there was no connection", () =>
    Effect.gen(function*() {
      let attempts = 0
      const counting = Layer.sync(
        UndiciTransport.Dispatcher,
        () =>
          new Undici.Agent().compose((dispatch) => (options, handler) => {
            attempts++
            return dispatch(options, handler)
          })
      )
      const error = yield* Effect.flatMap(
        Topics,
        (topics) => topics.create({ name: "News" }, { retry: Schedule.recurs(3) })
      ).pipe(
        Effect.flip,
        Effect.provide(
          mailstream(
            `http://127.0.0.1:${yield* freePort}`,
            {},
            Layer.provide(UndiciTransport.layerWithoutDispatcher, counting)
          )
        )
      )
      assert(error._tag === "TransportError" && error.reason === "Connect")
      assert.strictEqual(attempts, 4)
    }))

  const ambiguous: ReadonlyArray<readonly [string, Respond]> = [
    ["a connection that breaks", (response) => response.destroy()],
    ["a truncated response", text(201, `{"object":`)],
    ["a 500", json(500, { statusCode: 500, name: "internal_server_error", message: "Oh." })],
    ["a 503", json(503, { statusCode: 503, name: "service_unavailable", message: "Oh." })],
    ["a 504 of a proxy", text(504, "<h1>Gateway Time-out</h1>")]
  ]

  it.scopedLive.each(ambiguous)("is never retried after %s", ([_, respond]) =>
    Effect.gen(function*() {
      const server = yield* serve(respond)
      yield* create.pipe(Effect.flip, Effect.provide(mailstream(server.baseUrl)))
      assert.strictEqual(server.received.length, 1)
    }))

  it.scoped("is never retried after a timeout", () =>
    Effect.gen(function*() {
      const server = yield* serve(() => {})
      const fiber = yield* create.pipe(Effect.flip, Effect.provide(mailstream(server.baseUrl)), Effect.fork)
      yield* eventually("a request arrives", () => server.received.length === 1)
      yield* TestClock.adjust("10 minutes")
      const error = yield* Fiber.join(fiber)
      assert(error._tag === "TransportError" && error.reason === "Timeout")
      assert.strictEqual(server.received.length, 1)
    }))
})

/** A port without a listener. */
const freePort = Effect.async<number>((resume) => {
  const server = createServer()
  server.listen(0, "127.0.0.1", () => {
    const address = server.address()
    server.close(() => resume(Effect.succeed(typeof address === "object" ? address!.port : 0)))
  })
})

import { assert, describe, it } from "@effect/vitest"
import * as Client from "@mailstream/client"
import { undici } from "@mailstream/client/undici"
import * as ApiError from "@mailstream/core/ApiError"
import { sendJson, serve, silence } from "@mailstream/testing/HttpServer"
import * as Port from "@mailstream/testing/Port"
import { Effect } from "effect"
import { inspect } from "node:util"
import { rejection, scoped, service, transports } from "./support/service.ts"

const { Mailstream, MailstreamError } = Client

const options = { baseUrl: "https://api.example.com", apiKey: "re_1" }

/** What a function throws. */
const thrown = (run: () => unknown): unknown => {
  try {
    run()
  } catch (error) {
    return error
  }
  return undefined
}

describe.each(Object.entries(transports))("calls over %s", (_, transport) => {
  it.scopedLive("list one page, and create a topic", () =>
    Effect.gen(function*() {
      const { client, requests } = yield* service({ contacts: 20 }, { transport: transport() })
      yield* Effect.promise(async () => {
        const page = await client.contacts.list({ limit: 10 })
        assert.deepInclude(page, { object: "list", has_more: true })
        assert.strictEqual(page.data.length, 10)
        const next = await client.contacts.list({ limit: 10, after: page.data.at(-1)!.id })
        assert.isFalse(next.has_more)
        const created = await client.topics.create({ name: "Product news", default_subscription: "opt_in" })
        const topics = await client.topics.items().toArray({ limit: 10 })
        assert.deepStrictEqual(topics.map(({ id, name }) => ({ id, name })), [{ id: created.id, name: "Product news" }])
        assert.include(requests, "POST /topics")
      })
    }))

  it.scopedLive("abort the request when their signal is aborted, and throw its reason", () =>
    Effect.gen(function*() {
      const { baseUrl, hungUp, received } = yield* silence
      const client = yield* scoped(() => new Mailstream({ ...options, baseUrl, transport: transport() }))
      yield* Effect.promise(async () => {
        const controller = new AbortController()
        const { signal } = controller
        const pending = [client.contacts.list({ signal }), client.topics.create({ name: "News" }, { signal })]
        await received
        controller.abort("enough")
        for (const each of pending) assert.strictEqual(await rejection(each), "enough")
        await hungUp
        assert.strictEqual(await rejection(client.contacts.list({ signal })), "enough")
      })
    }))

  it.scopedLive("end when the client is closed, as do walks", () =>
    Effect.gen(function*() {
      const { baseUrl, hungUp, received } = yield* silence
      const client = new Mailstream({ ...options, baseUrl, transport: transport() })
      yield* Effect.promise(async () => {
        const walk = client.contacts.items()
        const iterator = walk[Symbol.asyncIterator]()
        const pending = [client.contacts.list(), iterator.next(), walk.toArray({ limit: 1 })]
        await received
        const closing = client.close()
        for (const each of pending) assert.instanceOf(await rejection(each), Client.ClientClosed)
        await closing
        await hungUp
        await client.close()
        assert.instanceOf(await rejection(client.contacts.list()), Client.ClientClosed)
        assert.instanceOf(await rejection(walk[Symbol.asyncIterator]().next()), Client.ClientClosed)
        assert.deepStrictEqual(await iterator.next(), { done: true, value: undefined })
      })
    }))

  it.scopedLive("are retried after a failure that may pass", () =>
    Effect.gen(function*() {
      let count = 0
      const baseUrl = yield* serve((_, response) =>
        ++count < 3
          ? sendJson(response, 503, { name: "service_unavailable", statusCode: 503, message: "Try later." })
          : sendJson(response, 200, { object: "list", has_more: false, data: [] })
      )
      const client = yield* scoped(() => new Mailstream({ ...options, baseUrl, transport: transport() }))
      yield* Effect.promise(async () => {
        const retry = { times: 2, base: 1, cap: 2 }
        assert.deepStrictEqual((await client.contacts.list({ retry })).data, [])
        count = 0
        const error = await rejection(client.contacts.list({ retry: "none" }))
        assert(error instanceof Client.ServiceUnavailable)
        assert.strictEqual(error.statusCode, 503)
        assert.strictEqual(error.message, "Try later.")
      })
    }))
})

describe("errors", () => {
  it.scopedLive("of the API have its name as their tag, and a class for it", () =>
    Effect.gen(function*() {
      let name = ""
      const baseUrl = yield* serve((_, response) =>
        sendJson(response, 429, { name, statusCode: 429, message: "No." }, { "retry-after": "2" })
      )
      const client = yield* scoped(() => new Mailstream({ ...options, baseUrl, rateLimit: false }))
      yield* Effect.promise(async () => {
        for (const [tag, Class] of Object.entries(Client.apiErrors)) {
          name = tag
          const error = await rejection(client.contacts.list({ retry: "none" }))
          assert(error instanceof MailstreamError)
          assert.isTrue(error instanceof Class)
          assert.instanceOf(error, Error)
          assert.notInstanceOf(error, Client.TransportError)
          assert.strictEqual(error.name, tag)
          assert.deepStrictEqual(
            JSON.parse(JSON.stringify(error)),
            { _tag: tag, statusCode: 429, message: "No. (The service asks to wait 2s.)", retryAfter: 2000 }
          )
        }
        name = "unheard_of"
        const error = await rejection(client.contacts.list({ retry: "none" }))
        assert(error instanceof MailstreamError && error._tag === "api_error")
        assert.strictEqual(error.name, "unheard_of")
      })
    }))

  it("cover every name that the API has", () => {
    assert.sameMembers(Object.keys(Client.apiErrors), Object.keys(ApiError.classes))
  })

  it.scopedLive("of the client's own are typed, too", () =>
    Effect.gen(function*() {
      let body: unknown = "<html>"
      const baseUrl = yield* serve((_, response) => sendJson(response, 200, body))
      const client = yield* scoped(() => new Mailstream({ ...options, baseUrl }))
      const [port] = yield* Effect.promise(() => Port.free(1))
      const nobody = yield* scoped(() => new Mailstream({ ...options, baseUrl: `http://127.0.0.1:${port}` }))
      yield* Effect.promise(async () => {
        const broken = await rejection(client.contacts.list({ retry: "none" }))
        assert(broken instanceof Client.UnexpectedResponse)
        assert.strictEqual(broken.reason, "NotJson")
        body = { object: "list", has_more: true, data: [] }
        const stalled = await rejection(client.contacts.items().toArray({ limit: 1 }))
        assert(stalled instanceof Client.StalledWalk)
        assert.deepInclude(stalled, { reason: "EmptyPage", list: "contacts", position: { _tag: "Start" } })
        const refused = await rejection(nobody.contacts.list({ retry: "none" }))
        assert(refused instanceof Client.TransportError)
        assert.deepInclude(refused, { reason: "Connect", method: "GET", url: `http://127.0.0.1:${port}/contacts` })
      })
    }))

  it("reject invalid input before any request", async () => {
    const client = new Mailstream({ ...options, fetch: () => Promise.reject(new Error("nothing may be requested")) })
    const unused = () => Promise.reject(new Error("nothing may be stored"))
    const store = { get: unused, set: unused, remove: unused, has: unused }
    const invalid: ReadonlyArray<Promise<unknown>> = [
      client.contacts.list({ limit: 101 }),
      client.contacts.list({ after: "x" }),
      client.topics.create({ name: "" }),
      client.contacts.items({ pageSize: 0 }).toArray({ limit: 1 }),
      client.contacts.items({ prefetch: -1 }).toArray({ limit: 1 }),
      client.contacts.items({ take: -1 }).toArray({ limit: 1 }),
      // @ts-expect-error: an option of `list`.
      client.contacts.items({ limit: 5 }).toArray({ limit: 1 }),
      // @ts-expect-error: an option of `list`.
      client.contacts.pages({ after: "e169aa45-1ecf-4183-9955-b1499d5701d3" }).toArray({ limit: 1 }),
      // @ts-expect-error: an option of `list`.
      client.contacts.whole({ limit: 5 }).toArray({ limit: 1 }),
      client.contacts.pages({ take: NaN }).toArray({ limit: 1 }),
      client.contacts.items({ from: Client.after("x") }).toArray({ limit: 1 }),
      client.contacts.items({ retry: { times: -1, base: 1, cap: 1 } }).toArray({ limit: 1 }),
      client.contacts.follow({ since: "x" }).toArray({ limit: 1 }),
      client.contacts.follow({ poll: 0 }).toArray({ limit: 1 }),
      client.receivedEmailAttachments.items({ filter: { email_id: "" } }).toArray({ limit: 1 }),
      // @ts-expect-error: the filter is required.
      client.receivedEmailAttachments.items().toArray({ limit: 1 }),
      // @ts-expect-error: the filter belongs into `filter`.
      client.contacts.items({ segment_id: "s" }).toArray({ limit: 1 }),
      // @ts-expect-error: the list has no filter.
      client.domains.list({ filter: { segment_id: "s" } }),
      // @ts-expect-error: not an object.
      client.domains.list(10),
      // @ts-expect-error: not a position.
      client.contacts.items({ from: "e169aa45-1ecf-4183-9955-b1499d5701d3" }).toArray({ limit: 1 }),
      // @ts-expect-error: everything is meant.
      client.contacts.whole({ take: 5 }).toArray({ limit: 1 }),
      // @ts-expect-error: everything is meant.
      client.contacts.follow({ take: 5 }).toArray({ limit: 1 }),
      // @ts-expect-error: everything is meant.
      client.contacts.process("key", () => {}, { store, take: 5 }),
      // @ts-expect-error: not a signal.
      client.contacts.list({ signal: new AbortController() }),
      // @ts-expect-error: not a policy.
      client.contacts.list({ retry: 3 })
    ]
    for (const each of invalid) {
      const error = await rejection(each)
      assert(error instanceof MailstreamError, inspect(error))
      assert.strictEqual(error._tag, "validation_error")
    }
  })
})

describe("a client", () => {
  it("throws a typed error for an option that it cannot use", () => {
    const cases: ReadonlyArray<readonly [option: string, make: () => unknown]> = [
      ["baseUrl", () => new Mailstream({ ...options, baseUrl: "nope" })],
      ["MAILSTREAM_BASE_URL", () => new Mailstream({ apiKey: "re_1" })],
      ["apiKey", () => new Mailstream({ ...options, apiKey: "" })],
      ["apiKey", () => new Mailstream({ ...options, apiKey: "no spaces" })],
      // @ts-expect-error: the key is required.
      ["apiKey", () => new Mailstream({ baseUrl: "https://api.example.com" })],
      // @ts-expect-error: the options are required.
      ["apiKey", () => new Mailstream()],
      ["timeout", () => new Mailstream({ ...options, timeout: 0 })],
      ["maxBodySize", () => new Mailstream({ ...options, maxBodySize: -1 })],
      ["rateLimit.per", () => new Mailstream({ ...options, rateLimit: { requests: 1, per: 0 } })],
      ["rateLimit.requests", () => new Mailstream({ ...options, rateLimit: { requests: 0 } })],
      // @ts-expect-error: neither false nor an object.
      ["rateLimit", () => new Mailstream({ ...options, rateLimit: 2 })],
      // @ts-expect-error: neither false nor an object.
      ["rateLimit", () => new Mailstream({ ...options, rateLimit: null })],
      // @ts-expect-error: not a number.
      ["maxBodySize", () => new Mailstream({ ...options, maxBodySize: "16" })],
      ["transport", () => new Mailstream({ ...options, transport: { name: "mine" } })],
      ["baseUrl", () => new Mailstream({ ...options, transport: undici(), baseUrl: "nope" })],
      ["rateLimit.requests", () => new Mailstream({ ...options, transport: undici(), rateLimit: { requests: 0 } })],
      ["fetch", () => new Mailstream({ ...options, transport: undici(), fetch })],
      // @ts-expect-error: not a function.
      ["fetch", () => new Mailstream({ ...options, fetch: 1 })],
      // @ts-expect-error: not a dispatcher.
      ["dispatcher", () => undici({ dispatcher: {} })]
    ]
    for (const [option, make] of cases) {
      const error = thrown(make)
      assert(error instanceof Client.ConfigurationError, inspect(error))
      assert.strictEqual(error.option, option)
      assert.include(error.message, option)
    }
  })

  it.scopedLive("reads the environment", () =>
    Effect.gen(function*() {
      const { apiKey, baseUrl } = yield* service({ contacts: 3 })
      yield* Effect.acquireRelease(
        Effect.sync(() => Object.assign(process.env, { MAILSTREAM_BASE_URL: baseUrl, MAILSTREAM_API_KEY: apiKey })),
        () =>
          Effect.sync(() => {
            delete process.env["MAILSTREAM_BASE_URL"]
            delete process.env["MAILSTREAM_API_KEY"]
          })
      )
      yield* Effect.promise(async () => {
        for (
          const client of [
            Mailstream.fromEnv(),
            Mailstream.fromEnv({ transport: undici() }),
            new Mailstream({ apiKey })
          ]
        ) {
          assert.strictEqual((await client.contacts.list()).data.length, 3)
          await client[Symbol.asyncDispose]()
        }
      })
    }))

  it.scopedLive("never prints its key", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* service({})
      const apiKey = "re_very_secret"
      for (const transport of Object.values(transports)) {
        const client = yield* scoped(() => new Mailstream({ baseUrl, apiKey, transport: transport() }))
        const error = yield* Effect.promise(() => rejection(client.contacts.list()))
        assert.instanceOf(error, Client.InvalidApiKey)
        const walk = client.contacts.items()
        for (const value of [client, client.contacts, walk, walk[Symbol.asyncIterator](), error, Mailstream]) {
          const printed = [inspect(value, { depth: null, showHidden: true }), JSON.stringify(value), String(value)]
          assert.notInclude(printed.join("\n"), "secret")
        }
      }
      const bad = thrown(() => new Mailstream({ baseUrl, apiKey: "very secret" }))
      assert.notInclude(inspect(bad, { depth: null, showHidden: true }), "secret")
    }))
})

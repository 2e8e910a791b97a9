import { assert, describe, it } from "@effect/vitest"
import * as Client from "@mailstream/client"
import { fileStore } from "@mailstream/client/file-store"
import { undici } from "@mailstream/client/undici"
import * as ApiError from "@mailstream/core/ApiError"
import { sendJson, serve, silence } from "@mailstream/testing/HttpServer"
import * as Port from "@mailstream/testing/Port"
import { Effect } from "effect"
import { inspect } from "node:util"
import { rejection, scoped, service, transports } from "./support/service.ts"

const { Mailstream, MailstreamError } = Client

const options = { baseUrl: "https://api.example.com", apiKey: "re_1" }

const id = "e169aa45-1ecf-4183-9955-b1499d5701d3"

/** A client that may not request anything, and a store that may not be used. */
const offline = new Mailstream({ ...options, fetch: () => Promise.reject(new Error("nothing may be requested")) })
const unused = () => Promise.reject(new Error("nothing may be stored"))
const store = { get: unused, set: unused, remove: unused, has: unused }

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
        const pending = [client.contacts.list({ signal }), client.topics.get(id, { signal })]
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
        assert.strictEqual(error.message, `GET ${error.url}: Try later.`)
        count = -10
        const retried = await rejection(client.contacts.list({ retry }))
        assert(retried instanceof Client.ServiceUnavailable)
        assert.match(retried.message, /: Try later\. \(after 3 attempts in [\w ]+\)$/)
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
            {
              _tag: tag,
              statusCode: 429,
              method: "GET",
              url: `${baseUrl}/contacts`,
              message: `GET ${baseUrl}/contacts: No. (The service asks to wait 2s.)`,
              retryAfter: 2000
            }
          )
        }
        name = "unheard_of"
        const error = await rejection(client.contacts.list({ retry: "none" }))
        assert(error instanceof MailstreamError && error._tag === "api_error")
        assert.strictEqual(error.name, "unheard_of")
      })
    }))

  it("have a class with the name of each error of the API", () => {
    for (const [tag, Class] of Object.entries(ApiError.classes)) {
      const Public: unknown = Reflect.get(Client, Class.name)
      assert(typeof Public === "function" && tag in Client.apiErrors, tag)
      const error: unknown = Reflect.construct(Public, [{ statusCode: 422, message: "No." }])
      assert(error instanceof MailstreamError && error instanceof Client.apiErrors[tag as "not_found"])
      assert.strictEqual<string>(error._tag, tag)
    }
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

  it("reject what the API would refuse as the API does, before any request", async () => {
    const invalid: ReadonlyArray<Promise<unknown>> = [
      offline.contacts.list({ limit: 101 }),
      // @ts-expect-error: a number.
      offline.contacts.list({ limit: "10" }),
      offline.contacts.list({ after: "x" }),
      // @ts-expect-error: one cursor at a time.
      offline.contacts.list({ after: id, before: id }),
      offline.topics.create({ name: "" }),
      offline.contacts.items({ from: Client.after("x") }).toArray({ limit: 1 }),
      offline.contacts.items({ from: Client.before("x") }).toArray({ limit: 1 }),
      offline.contacts.follow({ since: "x" }).toArray({ limit: 1 }),
      offline.receivedEmailAttachments.items({ filter: { email_id: "" } }).toArray({ limit: 1 }),
      // @ts-expect-error: the filter is required.
      offline.receivedEmailAttachments.items().toArray({ limit: 1 })
    ]
    for (const each of invalid) {
      const error = await rejection(each)
      assert(error instanceof MailstreamError, inspect(error))
      assert.strictEqual(error._tag, "validation_error")
    }
  })

  it("name any other option that is invalid, before any request", async () => {
    const { contacts, domains, topics } = offline
    const handle = () => {}
    const use = () => Promise.resolve()
    const one = { limit: 1 }
    const cases: ReadonlyArray<readonly [option: string, result: Promise<unknown>]> = [
      ["pageSize", contacts.items({ pageSize: 0 }).toArray(one)],
      // @ts-expect-error: the name of the official SDK.
      ["filter.segmentId", contacts.items({ filter: { segmentId: "x" } }).toArray(one)],
      ["prefetch", contacts.items({ prefetch: -1 }).toArray(one)],
      ["take", contacts.items({ take: -1 }).toArray(one)],
      ["take", contacts.pages({ take: NaN }).toArray(one)],
      ["limit", contacts.items().toArray({ limit: -1 })],
      // @ts-expect-error: the limit is required.
      ["limit", contacts.items().toArray()],
      // @ts-expect-error: an option of `list`.
      ["limit", contacts.items({ limit: 5 }).toArray(one)],
      // @ts-expect-error: an option of `list`.
      ["after", contacts.pages({ after: id }).toArray(one)],
      // @ts-expect-error: an option of `list`.
      ["limit", contacts.whole({ limit: 5 }).toArray(one)],
      // @ts-expect-error: an option of `items`.
      ["pageSize", contacts.list({ pageSize: 5 })],
      // @ts-expect-error: the name is `pageSize`.
      ["pagesize", contacts.items({ pagesize: 5 }).toArray(one)],
      // @ts-expect-error: no such option.
      ["constructor", contacts.items({ constructor: 5 }).toArray(one)],
      ["retry.times", contacts.items({ retry: { times: -1, base: 1, cap: 1 } }).toArray(one)],
      ["retry.base", contacts.list({ retry: { times: 1, base: 0, cap: 1 } })],
      // @ts-expect-error: the cap is required.
      ["retry.cap", contacts.list({ retry: { times: 1, base: 1 } })],
      // @ts-expect-error: not a policy.
      ["retry", contacts.list({ retry: 3 })],
      // @ts-expect-error: not a policy.
      ["retry", topics.create({ name: "News" }, { retry: "toString" })],
      // @ts-expect-error: no such option.
      ["timeout", topics.create({ name: "News" }, { timeout: 5 })],
      ["poll", contacts.follow({ poll: 0 }).toArray(one)],
      ["poll", contacts.follow({ poll: Infinity }).toArray(one)],
      // @ts-expect-error: the filter belongs into `filter`.
      ["segment_id", contacts.items({ segment_id: "s" }).toArray(one)],
      ["segment_id", contacts.items({ segment_id: undefined }).toArray(one)],
      // @ts-expect-error: the list has no filter.
      ["filter", domains.list({ filter: { segment_id: "s" } })],
      // @ts-expect-error: not an object.
      ["options", domains.list(10)],
      // @ts-expect-error: not an object.
      ["options", domains.items(null).toArray(one)],
      // @ts-expect-error: not a position.
      ["from", contacts.items({ from: id }).toArray(one)],
      // @ts-expect-error: everything is meant.
      ["take", contacts.whole({ take: 5 }).toArray(one)],
      // @ts-expect-error: everything is meant.
      ["take", contacts.follow({ take: 5 }).toArray(one)],
      // @ts-expect-error: everything is meant.
      ["take", contacts.process("key", handle, { store, take: 5 })],
      // @ts-expect-error: not a signal.
      ["signal", contacts.list({ signal: new AbortController() })],
      ["concurrency", contacts.process("key", handle, { store, concurrency: 0 })],
      ["concurrency", contacts.process("key", handle, { store, concurrency: Infinity })],
      // @ts-expect-error: one page at a time.
      ["concurrency", contacts.processPages("key", use, { store, concurrency: 2 })],
      // @ts-expect-error: the store is required.
      ["store", contacts.process("key", handle)],
      // @ts-expect-error: the store is required.
      ["store", contacts.processPages("key", use, {})],
      // @ts-expect-error: not a store.
      ["store", contacts.process("key", handle, { store: new Map() })],
      // @ts-expect-error: not a string.
      ["key", contacts.process(undefined, handle, { store })],
      // @ts-expect-error: not a function.
      ["handle", contacts.process("key", undefined, { store })],
      // @ts-expect-error: not a function.
      ["use", contacts.processPages("key", {}, { store })],
      // @ts-expect-error: the store is required.
      ["store", Client.clearCheckpoint("key")],
      // @ts-expect-error: not a string.
      ["key", Client.clearCheckpoint(1, { store })]
    ]
    for (const [option, result] of cases) {
      const error = await rejection(result)
      assert(error instanceof Client.InvalidOption, `${option}: ${inspect(error)}`)
      assert.strictEqual(error.option, option)
      assert.isTrue(error.message.startsWith(`${option} `), error.message)
    }
  })
})

describe("the stack of an error", () => {
  const failing = new Mailstream({
    ...options,
    retry: "none",
    fetch: () => Promise.reject(new TypeError("fetch failed"))
  })
  const memory = { get: async () => undefined, set: async () => {}, remove: async () => {}, has: async () => false }

  /** Every call, from a function of a name that is looked for. */
  const calls: Readonly<Record<string, () => Promise<unknown>>> = {
    list: async function myList() {
      return failing.contacts.list()
    },
    items: async function myItems() {
      for await (const _ of failing.contacts.items()) return
    },
    pages: async function myPages() {
      for await (const _ of failing.contacts.pages()) return
    },
    whole: async function myWhole() {
      for await (const _ of failing.contacts.whole()) return
    },
    follow: async function myFollow() {
      for await (const _ of failing.contacts.follow()) return
    },
    toArray: async function myToArray() {
      return failing.contacts.items().toArray({ limit: 1 })
    },
    create: async function myCreate() {
      return failing.topics.create({ name: "News" })
    },
    process: async function myProcess() {
      return failing.contacts.process("key", () => {}, { store: memory })
    },
    processPages: async function myProcessPages() {
      // @ts-expect-error: it must return a promise.
      return failing.contacts.processPages("key", () => {}, { store: memory })
    },
    invalid: async function myInvalid() {
      return failing.contacts.list({ limit: 0 })
    },
    clearCheckpoint: async function myClearCheckpoint() {
      return Client.clearCheckpoint("", { store: memory })
    }
  }
  for (const [name, call] of Object.entries(calls)) {
    it(`begins with the line that called ${name}`, async () => {
      const error = await rejection(call())
      assert(error instanceof MailstreamError)
      const [first, second] = error.stack!.split("\n    at ")
      assert.strictEqual(first, `${error._tag}: ${error.message}`)
      assert.match(second!, /^(async )?(Object\.)?my[A-Z]\w+ .*calls\.test\.ts:\d+:\d+\)$/, error.stack)
      assert.notInclude(JSON.stringify(error), "calls.test.ts")
      assert.notInclude(Object.keys(error), "stack")
    })
  }
})

describe("a client", () => {
  it("says how to give it a base URL, which has no default", () => {
    assert.throws(
      () => new Mailstream({ apiKey: "re_1" }),
      "MAILSTREAM_BASE_URL is missing: pass `baseUrl`, or set this variable"
    )
  })

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
      ["dispatcher", () => undici({ dispatcher: {} })],
      // @ts-expect-error: no such option.
      ["agent", () => undici({ agent: {} })],
      // @ts-expect-error: the name is `timeout`.
      ["timeOut", () => new Mailstream({ ...options, timeOut: 1 })],
      // @ts-expect-error: the name is `requests`.
      ["rateLimit.request", () => new Mailstream({ ...options, rateLimit: { request: 1 } })],
      // @ts-expect-error: the key is that of the environment.
      ["apiKey", () => Mailstream.fromEnv({ apiKey: "re_1" })],
      // @ts-expect-error: not an object.
      ["options", () => Mailstream.fromEnv("re_1")],
      ["MAILSTREAM_BASE_URL", () => Mailstream.fromEnv()],
      // @ts-expect-error: not a directory.
      ["directory", () => fileStore(undefined)]
    ]
    for (const [option, make] of cases) {
      const error = thrown(make)
      assert(error instanceof Client.InvalidOption, inspect(error))
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

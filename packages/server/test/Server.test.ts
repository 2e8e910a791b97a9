import { assert, describe, it } from "@effect/vitest"
import { Resource } from "@mailstream/core"
import { Server, Store } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import { Context, Deferred, Effect, Exit, Fiber, Layer, Logger, Redacted, Scope, Stream, TestClock } from "effect"
import { connect, type Socket } from "node:net"
import { assertError, page, parse, post, raw, send } from "./support/http.ts"

describe("the server", () => {
  it.scopedLive("rejects what is not HTTP with an error in the API's format", () =>
    Effect.gen(function*() {
      assertError(parse(yield* raw("HELLO\r\n\r\n")), 400, "validation_error")
      assertError(parse(yield* raw("GET /contacts HTTP/1.1\r\nhost x\r\n\r\n")), 400, "validation_error")
      assertError(parse(yield* raw("CONNECT example.com:443 HTTP/1.1\r\nhost: x\r\n\r\n")), 405, "method_not_allowed")
    }).pipe(Effect.provide(Server.layerTest())))

  it.scopedLive("requires a host, as HTTP/1.1 does", () =>
    Effect.gen(function*() {
      const key = "authorization: Bearer {key}\r\nconnection: close\r\n\r\n"
      assertError(parse(yield* raw(`GET /topics HTTP/1.1\r\n${key}`)), 400, "validation_error")
      assert.strictEqual(parse(yield* raw(`GET /topics HTTP/1.0\r\n${key}`)).status, 200)
    }).pipe(Effect.provide(Server.layerTest())))

  it.scopedLive("finishes a long response before it rejects a CONNECT", () =>
    Effect.gen(function*() {
      yield* SampleData.insert({ contacts: 30_000 })
      const received = yield* raw(
        "GET /contacts HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {key}\r\n\r\n" +
          "CONNECT example.com:443 HTTP/1.1\r\nhost: x\r\n\r\n"
      )
      assert.strictEqual(received.match(/"email":/g)?.length, 30_000)
      assert.deepStrictEqual(received.match(/HTTP\/1\.1 \d+/g), ["HTTP/1.1 200", "HTTP/1.1 405"])
    }).pipe(Effect.provide(Server.layerTest())))

  describe.each([
    { when: "at once", delayed: [] },
    { when: "later", delayed: ["topics", "emails"] },
    { when: "at once behind one that comes later", delayed: ["topics"] },
    { when: "later behind one that comes at once", delayed: ["emails"] }
  ])("with responses that come $when", ({ delayed }) => {
    const store = Layer.map(Store.layerMemory, (context) => {
      const store = Context.get(context, Store)
      const later = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      return Context.make(Store, {
        ...store,
        page: (list, request) =>
          Effect.zipRight(delayed.includes(list.name) ? later : Effect.void, store.page(list, request))
      })
    })
    const head = "host: x\r\nauthorization: Bearer {key}\r\n"
    const lines = ["GET /topics", "GET /nowhere", "DELETE /topics", "GET /emails"]
    const requests = lines.map((line) => `${line} HTTP/1.1\r\n${head}\r\n`)

    it.scopedLive.each([
      { what: "what is not HTTP", refused: "HELLO\r\n\r\n", status: 400 },
      { what: "a CONNECT", refused: `CONNECT example.com:443 HTTP/1.1\r\n${head}\r\n`, status: 405 },
      { what: "a bad header", refused: `GET /topics HTTP/1.1\r\n${head}a b: c\r\n\r\n`, status: 400 },
      { what: "long headers", refused: `GET /topics HTTP/1.1\r\n${head}x: ${"x".repeat(20_000)}\r\n\r\n`, status: 431 },
      {
        what: "a bad chunk",
        refused: `POST /topics HTTP/1.1\r\n${head}transfer-encoding: chunked\r\n\r\nx`,
        status: 400
      }
    ])(
      "responds to earlier requests in order before it refuses $what",
      ({ refused, status }) =>
        Effect.gen(function*() {
          for (const earlier of [requests.slice(0, 1), requests]) {
            const received = yield* raw(`${earlier.join("")}${refused}`)
            assert.deepStrictEqual(
              received.match(/HTTP\/1\.1 \d+/g),
              [...[200, 404, 405, 200].slice(0, earlier.length), status].map((status) => `HTTP/1.1 ${status}`)
            )
          }
        }).pipe(Effect.provide(Server.layerTest({ store })))
    )

    it.scopedLive("refuses a request that breaks off after it has responded to earlier ones", () =>
      Effect.gen(function*() {
        const create = `POST /topics HTTP/1.1\r\n${head}content-length: 100\r\n\r\n{`
        assertError(parse(yield* raw(create, { end: true })), 400, "validation_error")
        const received = yield* raw(`${requests.join("")}${create}`, { end: true })
        assert.deepStrictEqual(
          received.match(/HTTP\/1\.1 \d+/g),
          [200, 404, 405, 200, 400].map((status) => `HTTP/1.1 ${status}`)
        )
      }).pipe(Effect.provide(Server.layerTest({ store }))))
  })

  it.scopedLive("sends 100 Continue before its response, even after responses that are still to be sent", () =>
    Effect.gen(function*() {
      const head = "host: x\r\nauthorization: Bearer {key}\r\n"
      const [page, whole, wrong] = ["/topics", "/contacts", "/nowhere"].map((path) =>
        `GET ${path} HTTP/1.1\r\n${head}expect: 100-continue\r\n\r\n`
      )
      const last = `GET /topics HTTP/1.1\r\n${head}connection: close\r\n\r\n`
      const received = yield* raw([page, whole, page, wrong, whole, last].join(""))
      const statuses = [200, 200, 200, 404, 200].flatMap((status) => [100, status])
      assert.deepStrictEqual(
        received.match(/HTTP\/1\.1 \d+/g),
        [...statuses, 200].map((status) => `HTTP/1.1 ${status}`)
      )
      // Nothing is sent between the head of a response and its body.
      assert.notMatch(received, /\n\r\nHTTP\/1\.1 100 Continue\r\n\r\n[^H]/)
    }).pipe(Effect.provide(Server.layerTest())))

  it.scopedLive("rejects headers and URLs that are too long", () =>
    Effect.gen(function*() {
      const long = "x".repeat(20_000)
      const header = `GET /contacts HTTP/1.1\r\nhost: x\r\nx-long: ${long}\r\n\r\n`
      assertError(parse(yield* raw(header)), 431, "validation_error")
      assertError(parse(yield* raw(`GET /contacts?x=${long} HTTP/1.1\r\nhost: x\r\n\r\n`)), 431, "validation_error")
      // The same on a connection that has been used before.
      assert.strictEqual((yield* send("/topics")).status, 200)
      assertError(yield* send("/topics", { headers: { "x-long": long } }), 431, "validation_error")
    }).pipe(Effect.provide(Server.layerTest())))

  it.scopedLive("stops reading a body that never ends", () =>
    Effect.gen(function*() {
      const head = "POST /topics HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {key}\r\nconnection: close\r\n"
      const received = yield* raw(`${head}content-length: 1000000000\r\n\r\n${"x".repeat(33 * 1024 * 1024)}`)
      assertError(parse(received), 413, "validation_error")
    }).pipe(Effect.provide(Server.layerTest())), 60_000)

  it.scopedLive("accepts the absolute URL that proxies send, and any expectation", () =>
    Effect.gen(function*() {
      const rest = "host: x\r\nauthorization: Bearer {key}\r\nconnection: close\r\n"
      const absolute = parse(yield* raw(`GET http://example.com/contacts?limit=1 HTTP/1.1\r\n${rest}\r\n`))
      assert.strictEqual(absolute.text, "{\"object\":\"list\",\"has_more\":false,\"data\":[]}")
      const expecting = parse(yield* raw(`GET /topics HTTP/1.1\r\n${rest}expect: wonders\r\n\r\n`))
      assert.strictEqual(expecting.status, 200)
      assertError(parse(yield* raw(`OPTIONS * HTTP/1.1\r\n${rest}\r\n`)), 404, "not_found")
      assertError(parse(yield* raw(`GET /segments/../contacts HTTP/1.1\r\n${rest}\r\n`)), 404, "not_found")
    }).pipe(Effect.provide(Server.layerTest())))

  it.scopedLive("accepts its key until the key is deleted", () =>
    Effect.gen(function*() {
      const { data } = yield* page("/api-keys")
      const store = yield* Store
      yield* store.delete(Resource.apiKeys, [data[0]!.id as never])
      assertError(yield* send("/api-keys"), 403, "invalid_api_key")
    }).pipe(Effect.provide(Server.layerTest())))

  it.scoped("updates last_used_at when a key is used", () =>
    Effect.gen(function*() {
      const lastUsed = Effect.map(page("/api-keys"), ({ data }) => (data[0] as Record<string, unknown>)["last_used_at"])
      assert.strictEqual(yield* lastUsed, "1970-01-01 00:00:00+00")
      yield* TestClock.adjust("400 millis")
      assert.strictEqual(yield* lastUsed, "1970-01-01 00:00:00+00")
      yield* TestClock.adjust("90 minutes")
      assert.strictEqual(yield* lastUsed, "1970-01-01 01:30:00.4+00")
    }).pipe(Effect.provide(Server.layerTest())))

  it.scoped("limits the rate and says so on every response", () =>
    Effect.gen(function*() {
      const limits = (headers: Headers) =>
        ["limit", "remaining", "reset", "policy"].map((name) => headers.get(`ratelimit-${name}`))
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(limits((yield* send("/topics")).headers), ["3", "2", "2", "3;w=2"])
      // A request without a key does not count against any limit.
      assert.deepStrictEqual(limits((yield* send("/topics", { key: "" })).headers), ["3", "2", "2", "3;w=2"])
      assert.deepStrictEqual(limits((yield* send("/nowhere")).headers), ["3", "1", "2", "3;w=2"])
      assert.deepStrictEqual(limits((yield* post("/topics", { name: "x" })).headers), ["3", "0", "2", "3;w=2"])
      const rejected = yield* post("/topics", { name: "y" })
      assertError(rejected, 429, "rate_limit_exceeded")
      assert.strictEqual(rejected.headers.get("retry-after"), "2")
      assert.deepStrictEqual(limits(rejected.headers), ["3", "0", "2", "3;w=2"])
      yield* TestClock.adjust("1500 millis")
      assert.strictEqual((yield* send("/topics")).headers.get("retry-after"), "1")
      yield* TestClock.adjust("500 millis")
      const { data } = yield* page("/topics")
      assert.strictEqual(data.length, 1)
      assert.strictEqual((yield* send("/docs", { key: "" })).status, 200)
    }).pipe(Effect.provide(Server.layerTest({ rateLimit: { requests: 3, per: "2 seconds" } }))))

  it.scopedLive("sends no rate limit headers without a rate limit", () =>
    Effect.gen(function*() {
      const { headers } = yield* send("/topics")
      assert.isNull(headers.get("ratelimit-limit"))
    }).pipe(Effect.provide(Server.layerTest())))

  it.scopedLive("streams a complete list while it is read", () =>
    Effect.gen(function*() {
      const total = 40_000
      let pulled = 0
      const counting = Layer.map(Store.layerMemory, (context) => {
        const store = Context.get(context, Store)
        return Context.make(Store, {
          ...store,
          all: (list, request) =>
            Effect.map(
              store.all(list, request),
              Stream.tap(() =>
                Effect.sync(() => {
                  pulled++
                })
              )
            )
        })
      })
      yield* Effect.gen(function*() {
        yield* SampleData.insert({ contacts: total })
        const { apiKey, baseUrl } = yield* Server.TestServer
        const headers = { authorization: `Bearer ${Redacted.value(apiKey)}` }
        const response = yield* Effect.promise(() => fetch(`${baseUrl}/contacts`, { headers }))
        assert.strictEqual(response.headers.get("transfer-encoding"), "chunked")
        const reader = response.body!.getReader()
        yield* Effect.promise(() => reader.read())
        assert.isBelow(pulled, total)
        // The server stops writing to a client that leaves.
        yield* Effect.promise(() => reader.cancel())
        const { data } = yield* page("/contacts")
        assert.strictEqual(data.length, total)
      }).pipe(Effect.provide(Server.layerTest({ store: counting })))
    }))

  it.scopedLive("breaks the connection if a stream fails, so that no client mistakes a part for the complete list", () => {
    const failing = Layer.map(Store.layerMemory, (context) =>
      Context.make(Store, {
        ...Context.get(context, Store),
        all: () => Effect.succeed(Stream.concat(Stream.make("{}"), Stream.die("the disk is gone")))
      }))
    return Effect.gen(function*() {
      const { apiKey, baseUrl } = yield* Server.TestServer
      const headers = { authorization: `Bearer ${Redacted.value(apiKey)}` }
      yield* Effect.flip(
        Effect.tryPromise(() => fetch(`${baseUrl}/contacts`, { headers }).then((response) => response.text()))
      )
    }).pipe(Effect.provide(Layer.provide(Server.layerTest({ store: failing }), Logger.remove(Logger.defaultLogger))))
  })

  it.scopedLive("responds with 500 in the API's format if the store fails, without the reason", () => {
    const failing = Layer.map(
      Store.layerMemory,
      (context) => Context.make(Store, { ...Context.get(context, Store), page: () => Effect.die("password=hunter2") })
    )
    return Effect.gen(function*() {
      const response = yield* send("/topics")
      assertError(response, 500, "internal_server_error")
      assert.notInclude(response.text, "hunter2")
    }).pipe(Effect.provide(Layer.provide(Server.layerTest({ store: failing }), Logger.remove(Logger.defaultLogger))))
  })

  it.live("finishes responses in flight at shutdown and accepts no new requests", () =>
    Effect.gen(function*() {
      const requested = yield* Deferred.make<void>()
      const go = yield* Deferred.make<void>()
      const slow = Layer.map(Store.layerMemory, (context) => {
        const store = Context.get(context, Store)
        return Context.make(Store, {
          ...store,
          page: (list, request) =>
            Deferred.succeed(requested, void 0).pipe(
              Effect.zipRight(Deferred.await(go)),
              Effect.zipRight(store.page(list, request))
            )
        })
      })
      const scope = yield* Scope.make()
      const server = yield* Layer.buildWithScope(Server.layerTest({ store: slow }), scope)
      const response = yield* Effect.fork(Effect.provide(send("/topics"), server))
      yield* Deferred.await(requested)
      const closed = yield* Effect.fork(Scope.close(scope, Exit.void))
      const { baseUrl } = Context.get(server, Server.TestServer)
      // From now on no connection is accepted, and the open request still waits.
      const knock = Effect.tryPromise(() => fetch(baseUrl))
      yield* Effect.flip(Effect.repeat(knock, { until: () => false }))
      assert.isTrue((yield* closed.poll)._tag === "None")
      yield* Deferred.succeed(go, void 0)
      assert.strictEqual((yield* Fiber.join(response)).text, "{\"object\":\"list\",\"has_more\":false,\"data\":[]}")
      yield* Fiber.join(closed)
    }))

  it.live("does not wait for unused connections at shutdown", () =>
    Effect.gen(function*() {
      const scope = yield* Scope.make()
      const server = yield* Layer.buildWithScope(Server.layerTest({ shutdownTimeout: "1 hour" }), scope)
      const { port } = Context.get(server, Server.Address)
      // One connection was never used, the other has been used and is kept alive.
      const socket = yield* Effect.promise(() =>
        new Promise<Socket>((resolve) => {
          const socket = connect(port, "127.0.0.1", () => resolve(socket))
        })
      )
      yield* Effect.provide(send("/topics"), server)
      yield* Scope.close(scope, Exit.void)
      socket.destroy()
    }))

  it.scopedLive("notices that a client is gone even after a CONNECT", () =>
    Effect.gen(function*() {
      const thrown: Array<unknown> = []
      const note = (error: unknown) => void thrown.push(error)
      process.on("uncaughtException", note)
      yield* Effect.addFinalizer(() => Effect.sync(() => process.off("uncaughtException", note)))
      const scope = yield* Scope.make()
      const server = yield* Layer.buildWithScope(Server.layerTest({ shutdownTimeout: "1 hour" }), scope)
      yield* Effect.provide(SampleData.insert({ contacts: 30_000 }), server)
      const { apiKey } = Context.get(server, Server.TestServer)
      const { port } = Context.get(server, Server.Address)
      const key = `authorization: Bearer ${Redacted.value(apiKey)}`
      const visit = (requests: ReadonlyArray<string>, whenAnswered: (socket: Socket) => void) =>
        Effect.async<void>((resume) => {
          const socket = connect(port, "127.0.0.1")
          socket.write(requests.map((line) => `${line} HTTP/1.1\r\nhost: x\r\n${key}\r\n\r\n`).join(""))
          socket.once("data", () => whenAnswered(socket))
          socket.once("close", () => resume(Effect.void))
        })
      // There is so much to send that Node stops reading meanwhile.
      const pages = Array.from({ length: 3 }, () => "GET /contacts?limit=100")
      yield* visit([...pages, "CONNECT example.com:443"], () => {})
      yield* visit(["GET /contacts", "CONNECT example.com:443"], (socket) => socket.write("and more"))
      yield* visit(["GET /contacts", "CONNECT example.com:443"], (socket) => socket.resetAndDestroy())
      // Ends when the last connection is closed.
      yield* Scope.close(scope, Exit.void)
      assert.deepStrictEqual(thrown, [])
    }))

  it.scopedLive("stops preparing responses that wait for their turn when the client is gone", () =>
    Effect.gen(function*() {
      const started = yield* Deferred.make<void>()
      const stopped = yield* Deferred.make<void>()
      const store = Layer.map(Store.layerMemory, (context) => {
        const store = Context.get(context, Store)
        const endless = Stream.tap(Stream.repeatValue("{}"), () => Deferred.succeed(started, void 0))
        return Context.make(Store, {
          ...store,
          page: () => Effect.never,
          all: () => Effect.succeed(Stream.ensuring(endless, Deferred.succeed(stopped, void 0)))
        })
      })
      yield* Effect.gen(function*() {
        const { port } = yield* Server.Address
        const { apiKey } = yield* Server.TestServer
        const head = `HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${Redacted.value(apiKey)}\r\n\r\n`
        const socket = connect(port, "127.0.0.1")
        socket.write(`GET /topics ${head}GET /contacts ${head}`)
        yield* Deferred.await(started)
        socket.destroy()
        yield* Deferred.await(stopped)
      }).pipe(Effect.provide(Server.layerTest({ store })))
    }))

  it.live("does not wait at shutdown for rejected clients that stay connected", () =>
    Effect.gen(function*() {
      const scope = yield* Scope.make()
      const server = yield* Layer.buildWithScope(Server.layerTest({ shutdownTimeout: "1 millis" }), scope)
      const { port } = Context.get(server, Server.Address)
      const rejected = (bytes: string) =>
        Effect.async<Socket>((resume) => {
          const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true })
          socket.write(bytes)
          socket.on("error", () => {})
          socket.resume().once("end", () => resume(Effect.succeed(socket)))
        })
      const proxy = yield* rejected("CONNECT example.com:443 HTTP/1.1\r\nhost: x\r\n\r\n")
      const other = yield* rejected("HELLO\r\n\r\n")
      yield* Scope.close(scope, Exit.void)
      proxy.destroy()
      other.destroy()
    }))

  it.scoped("closes the connection of a rejected client after five seconds", () =>
    Effect.gen(function*() {
      const { port } = yield* Server.Address
      const rejected = (bytes: string) =>
        Effect.async<Socket>((resume) => {
          const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true })
          socket.write(bytes)
          socket.on("error", () => {})
          socket.resume().once("end", () => resume(Effect.succeed(socket)))
        })
      // Only a write shows whether the other side is gone.
      const write = (socket: Socket) =>
        Effect.async<void, Error>((resume) => {
          socket.write("\r\n", (error) => setImmediate(() => resume(error ? Effect.fail(error) : Effect.void)))
        })
      const clients = yield* Effect.all([
        rejected("CONNECT example.com:443 HTTP/1.1\r\nhost: x\r\n\r\n"),
        rejected("HELLO\r\n\r\n")
      ])
      yield* TestClock.adjust("4999 millis")
      yield* Effect.repeatN(Effect.forEach(clients, write), 20)
      yield* TestClock.adjust("1 millis")
      for (const client of clients) yield* Effect.flip(Effect.forever(write(client)))
    }).pipe(Effect.provide(Server.layerTest())))

  it.scopedLive("fails if its port is taken", () =>
    Effect.gen(function*() {
      const address = yield* Server.Address
      assert.strictEqual(address.host, "127.0.0.1")
      const second = Layer.build(Layer.provide(Server.layer({ port: address.port }), Store.layerMemory))
      const error = yield* Effect.flip(second)
      assert.strictEqual(error._tag, "ServeError")
    }).pipe(Effect.provide(Server.layerTest())))

  it.scopedLive("binds to a given address", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* Server.TestServer
      assert.match(baseUrl, /^http:\/\/\[::1\]:\d+$/)
      assert.strictEqual((yield* send("/topics")).status, 200)
    }).pipe(Effect.provide(Server.layerTest({ host: "::1" }))))
})

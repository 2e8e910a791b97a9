import { Cause, Duration, Effect, Exit, Fiber, Layer, Stream } from "effect"
import { FetchHttpClient } from "effect/http"
import { TestClock } from "effect/testing"
import { type AddressInfo, createServer, type Server } from "node:net"
import { createGzip } from "node:zlib"
import { Agent } from "undici"
import { assert, describe, it } from "vitest"
import type { InvalidOption } from "../../src/core/InvalidOption.ts"
import type { TransportError } from "../../src/core/RequestError.ts"
import { ApiClient } from "../../src/http/ApiClient.ts"
import * as FetchTransport from "../../src/http/FetchTransport.ts"
import * as HttpClientTransport from "../../src/http/HttpClientTransport.ts"
import { Contacts, Topics } from "../../src/http/Services.ts"
import { Failure, Transport } from "../../src/http/Transport.ts"
import * as UndiciTransport from "../../src/http/UndiciTransport.ts"
import { contact, emptyList, eventually, json, mailstream, scoped, serve, timed } from "./support.ts"

const transports: ReadonlyArray<readonly [string, Layer.Layer<Transport, InvalidOption>]> = [
  ["UndiciTransport", UndiciTransport.layer],
  ["FetchTransport", FetchTransport.layer],
  ["HttpClientTransport", HttpClientTransport.layer.pipe(Layer.provide(FetchHttpClient.layer))]
]

const list = Effect.flatMap(Contacts, (contacts) => contacts.list({ limit: 1 }))

describe.each(transports)("every transport: %s", (_, transport) => {
  scoped("sends a request, and decodes its response", () =>
    Effect.gen(function*() {
      const { baseUrl, received } = yield* serve(json(200, { ...emptyList, data: [contact] }))
      const page = yield* Effect.provide(list, mailstream(`${baseUrl}/v1/`, {}, transport))
      assert.deepStrictEqual(page.data.map(({ email }) => email), ["jane@example.com"])
      assert.deepStrictEqual(received.map(({ method, url }) => `${method} ${url}`), ["GET /v1/contacts?limit=1"])
      assert.strictEqual(received[0]!.headers.authorization, "Bearer re_secret_4f2b9c7d")
      assert.match(received[0]!.headers["user-agent"]!, /^mailstream\/\d/)
    }))

  scoped("sends a body as JSON", () =>
    Effect.gen(function*() {
      const { baseUrl, received } = yield* serve(json(201, { object: "topic", id: contact.id }))
      const created = yield* Effect.flatMap(Topics, (topics) => topics.create({ name: "Zürich" })).pipe(
        Effect.provide(mailstream(baseUrl, {}, transport))
      )
      assert.strictEqual(created.id, contact.id)
      assert.deepStrictEqual(received.map(({ body, headers }) => [headers["content-type"], JSON.parse(body)]), [
        ["application/json", { name: "Zürich" }]
      ])
    }))

  scoped("decompresses a response", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* serve((response) => {
        response.writeHead(200, { "content-encoding": "gzip" })
        const gzip = createGzip()
        gzip.pipe(response)
        gzip.end(JSON.stringify({ ...emptyList, data: [contact] }))
      })
      const page = yield* Effect.provide(list, mailstream(baseUrl, {}, transport))
      assert.strictEqual(page.data.length, 1)
    }))

  scoped("aborts the request when it is interrupted", () =>
    Effect.gen(function*() {
      const { aborted, baseUrl, received } = yield* serve(() => {})
      const fiber = yield* Effect.forkChild(Effect.provide(list, mailstream(baseUrl, {}, transport)))
      yield* eventually(() => received.length === 1)
      yield* Fiber.interrupt(fiber)
      const exit = yield* Fiber.await(fiber)
      assert.isTrue(Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause))
      yield* eventually(() => aborted() === 1)
    }))

  timed("fails when a response takes too long, and aborts the request", () =>
    Effect.gen(function*() {
      const { aborted, baseUrl, received } = yield* serve(() => {})
      const fiber = yield* Effect.forkChild(
        Effect.flip(Effect.provide(list, mailstream(baseUrl, { timeout: "20 seconds" }, transport)))
      )
      yield* eventually(() => received.length === 1)
      yield* TestClock.adjust("19 seconds")
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust("1 seconds")
      const error = yield* Fiber.join(fiber)
      assert.deepInclude(error, { _tag: "TransportError", reason: "Timeout" })
      assert.include(String(error), "no complete response within 20s")
      yield* eventually(() => aborted() === 1)
    }))

  scoped("says whether a request can have been processed", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* serve((response) => response.destroy())
      const lost = yield* Effect.flip(Effect.provide(list, mailstream(baseUrl, {}, transport)))
      assert.deepInclude(lost, { _tag: "TransportError", reason: "Lost" })
      const refused = yield* Effect.flip(Effect.provide(list, mailstream("http://127.0.0.1:1", {}, transport)))
      assert.include(["Connect", "Lost"], refused._tag === "TransportError" ? refused.reason : refused._tag)
    }))

  scoped("rejects a body that is too large", () =>
    Effect.gen(function*() {
      const { aborted, baseUrl } = yield* serve((response) => {
        response.writeHead(200).write("x".repeat(5000))
      })
      const error = yield* Effect.flip(Effect.provide(list, mailstream(baseUrl, { maxBodySize: 1000 }, transport)))
      assert.deepInclude(error, { _tag: "UnexpectedResponse", reason: "TooLarge" })
      yield* eventually(() => aborted() === 1)
    }))

  scoped("opens a response before its body arrives, and aborts it when its scope closes", () =>
    Effect.gen(function*() {
      let more = () => {}
      const { aborted, baseUrl } = yield* serve((response) => {
        response.writeHead(200).write("first")
        more = () => void response.write("second")
      })
      const texts = yield* Effect.flatMap(ApiClient, (client) =>
        Effect.scoped(Effect.gen(function*() {
          const { bytes } = yield* client.open({ name: "Test.open", method: "GET", path: "/x" })
          return yield* bytes.pipe(
            Stream.decodeText,
            Stream.tap(() => Effect.sync(() => more())),
            Stream.take(2),
            Stream.runCollect
          )
        }))).pipe(Effect.provide(mailstream(baseUrl, {}, transport)))
      assert.strictEqual(texts.join(""), "firstsecond")
      yield* eventually(() => aborted() === 1)
    }))

  timed("fails when an open response sends nothing for too long", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* serve((response) => response.writeHead(200).write("first"))
      let arrived = 0
      const fiber = yield* Effect.flatMap(ApiClient, (client) =>
        Effect.flatMap(client.open({ name: "Test.open", method: "GET", path: "/x" }), ({ bytes }) =>
          Stream.runForEach(bytes, () =>
            Effect.sync(() => arrived++)))).pipe(
          Effect.provide(mailstream(baseUrl, { timeout: "5 seconds" }, transport)),
          Effect.scoped,
          Effect.flip,
          Effect.forkChild
        )
      yield* eventually(() =>
        arrived === 1
      )
      yield* TestClock.adjust("5 seconds")
      assert.deepInclude(yield* Fiber.join(fiber), { _tag: "TransportError", reason: "Timeout" })
    }))

  scoped("asks whether a request may start, and sends nothing if not", () =>
    Effect.gen(function*() {
      const { baseUrl, received } = yield* serve(json(200, emptyList))
      const call = (mayStart: () => boolean) =>
        Effect.flatMap(ApiClient, (client) =>
          Effect.scoped(client.open({ name: "Test.open", method: "GET", path: "/x", mayStart }))).pipe(
            Effect.provide(mailstream(baseUrl, {}, transport))
          )
      const error = yield* Effect.flip(call(() =>
        false
      ))
      assert.deepInclude(error, { _tag: "TransportError", reason: "Connect" })
      const exit = yield* Effect.exit(call(() => {
        throw new Error("thrown by mayStart")
      }))
      assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
      assert.deepStrictEqual(received, [])
      yield* call(() => true)
      assert.strictEqual(received.length, 1)
    }))

  scoped("serves many calls at once", () =>
    Effect.gen(function*() {
      const { baseUrl, received } = yield* serve(json(200, { ...emptyList, data: [contact] }))
      const pages = yield* Effect.provide(
        Effect.all(Array.from({ length: 50 }, () => list), { concurrency: 20 }),
        mailstream(baseUrl, {}, transport)
      )
      assert.strictEqual(pages.length, 50)
      assert.strictEqual(received.length, 50)
    }))
})

describe("FetchTransport", () => {
  const responding =
    (email: string, seen: Array<RequestInit | undefined> = []): typeof globalThis.fetch => (_, init) => {
      seen.push(init)
      return Promise.resolve(Response.json({ ...emptyList, data: [{ ...contact, email }] }))
    }

  const emailOf = Effect.map(list, (page) => page.data[0]?.email)

  it("uses the fetch of the layer, and prefers that around a call", () =>
    Effect.gen(function*() {
      const onLayer = FetchTransport.layer.pipe(
        Layer.provide(Layer.succeed(FetchHttpClient.Fetch, responding("layer@example.com")))
      )
      const layer = mailstream("https://api.example.com", {}, onLayer)
      assert.strictEqual(yield* Effect.provide(emailOf, layer), "layer@example.com")
      const around = Effect.provideService(emailOf, FetchHttpClient.Fetch, responding("call@example.com"))
      assert.strictEqual(yield* Effect.provide(around, layer), "call@example.com")
      const plain = mailstream("https://api.example.com", {}, FetchTransport.layer)
      assert.strictEqual(yield* Effect.provide(around, plain), "call@example.com")
    }).pipe(Effect.runPromise))

  it("uses the options of the layer, and prefers those around a call", () =>
    Effect.gen(function*() {
      const seen: Array<RequestInit | undefined> = []
      const onLayer = FetchTransport.layer.pipe(
        Layer.provide(
          Layer.succeed(FetchHttpClient.RequestInit, { credentials: "include", headers: { "x-team": "a" } })
        )
      )
      const layer = mailstream("https://api.example.com", {}, onLayer)
      const program = Effect.provideService(emailOf, FetchHttpClient.Fetch, responding("", seen))
      yield* Effect.provide(program, layer)
      yield* Effect.provide(Effect.provideService(program, FetchHttpClient.RequestInit, { credentials: "omit" }), layer)
      assert.deepStrictEqual(seen.map((init) => init?.credentials), ["include", "omit"])
      const headers = seen.map((init) => new Headers(init?.headers))
      assert.deepStrictEqual(headers.map((all) => [all.get("x-team"), all.has("authorization")]), [["a", true], [
        null,
        true
      ]])
    }).pipe(Effect.runPromise))

  scoped("does not follow redirects, which would drop the key", () =>
    Effect.gen(function*() {
      const { baseUrl, received } = yield* serve((response) => response.writeHead(302, { location: "/other" }).end())
      const error = yield* Effect.flip(Effect.provide(list, mailstream(baseUrl)))
      assert.deepInclude(error, { _tag: "api_error", statusCode: 302 })
      assert.include(error.message, "a redirect to /other")
      assert.strictEqual(received.length, 1)
    }))
})

describe("UndiciTransport", () => {
  scoped("uses the dispatcher that is provided", () =>
    Effect.gen(function*() {
      const { baseUrl, received } = yield* serve(json(200, emptyList))
      const dispatcher = Layer.effect(
        UndiciTransport.Dispatcher,
        Effect.acquireRelease(
          Effect.sync(() =>
            new Agent().compose((dispatch) => (options, handler) =>
              dispatch({ ...options, headers: { ...options.headers, "x-through": "here" } }, handler)
            )
          ),
          (agent) => Effect.promise(() => agent.destroy())
        )
      )
      const transport = UndiciTransport.layerWithoutDispatcher.pipe(Layer.provide(dispatcher))
      yield* Effect.provide(list, mailstream(baseUrl, {}, transport))
      assert.strictEqual(received[0]!.headers["x-through"], "here")
    }))
})

describe("a request that is given up", () => {
  /** A server that never responds, and how the client ended its connection. */
  const silence = Effect.map(
    Effect.acquireRelease(
      Effect.callback<{ readonly server: Server; readonly ends: Array<string>; readonly received: () => boolean }>(
        (resume) => {
          const ends: Array<string> = []
          let isReceived = false
          const server = createServer((socket) => {
            socket.on("data", () => {
              isReceived = true
            })
            socket.on("end", () => void ends.push("closed")).on("error", () => void ends.push("reset"))
          }).listen(0, "127.0.0.1", () => resume(Effect.succeed({ server, ends, received: () => isReceived })))
        }
      ),
      ({ server }) => Effect.sync(() => void server.close())
    ),
    ({ ends, received, server }) => ({
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      ends,
      received
    })
  )

  scoped("resets its connection, so that the system does not send it later", () =>
    Effect.gen(function*() {
      const { baseUrl, ends, received } = yield* silence
      const fiber = yield* Effect.forkChild(Effect.provide(list, mailstream(baseUrl, {}, UndiciTransport.layer)))
      yield* eventually(received)
      yield* Fiber.interrupt(fiber)
      yield* eventually(() => ends.length > 0)
      assert.deepStrictEqual(ends, ["reset"])
    }))
})

describe("a custom transport", () => {
  const custom = (send: typeof Transport.Service.send) =>
    mailstream("https://api.example.com/v1", {}, Layer.succeed(Transport, { send, open: () => Effect.die("unused") }))

  it("receives the complete request", () =>
    Effect.gen(function*() {
      const layer = custom((request) => {
        assert.deepInclude(request, {
          method: "GET",
          origin: "https://api.example.com",
          path: "/v1/contacts?limit=1",
          body: undefined,
          maxBodySize: 16 * 1024 * 1024
        })
        assert.strictEqual(Duration.toSeconds(request.timeout), 30)
        assert.strictEqual(request.span._tag, "Span")
        return Effect.succeed({ status: 200, headers: {}, body: JSON.stringify(emptyList) })
      })
      assert.deepStrictEqual((yield* Effect.provide(list, layer)).data, [])
    }).pipe(Effect.runPromise))

  it("that throws causes a defect, and returns its turn", () =>
    Effect.gen(function*() {
      const layer = custom(() => {
        throw new Error("broken")
      })
      const exit = yield* Effect.exit(Effect.provide(list, layer))
      assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
    }).pipe(Effect.runPromise))

  it.each<readonly [Failure, TransportError["reason"]]>([
    [Failure.Connect({ description: "no route" }), "Connect"],
    [Failure.Tls({ description: "no" }), "Tls"],
    [Failure.Lost({ description: "reset" }), "Lost"],
    [Failure.Timeout({}), "Timeout"]
  ])("fails with what it failed with: %j", (failure, reason) =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(Effect.provide(list, custom(() => Effect.fail(failure))))
      assert.deepInclude(error, { _tag: "TransportError", reason })
    }).pipe(Effect.runPromise))
})

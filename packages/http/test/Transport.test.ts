import { FetchHttpClient, HttpClient, HttpClientError, HttpClientRequest, HttpClientResponse } from "@effect/platform"
import { NodeHttpClient } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { NotFound, OtherApiError } from "@mailstream/core"
import { ApiClient, Contacts, Mailstream, Segments, Transport } from "@mailstream/http"
import * as FetchTransport from "@mailstream/http/FetchTransport"
import * as HttpClientTransport from "@mailstream/http/HttpClientTransport"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import { eventually } from "@mailstream/testing/Eventually"
import * as Memory from "@mailstream/testing/Memory"
import { spansOf } from "@mailstream/testing/Spans"
import {
  Cause,
  Context,
  Duration,
  Effect,
  Either,
  Exit,
  Fiber,
  Layer,
  type Scope,
  Stream,
  TestClock,
  Tracer
} from "effect"
import { randomBytes } from "node:crypto"
import { createServer, request as forward } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { gzipSync } from "node:zlib"
import * as Undici from "undici"
import * as Sockets from "./support/sockets.ts"
import { apiKey, emptyList, json, mailstream, type Respond, serve, text, transports } from "./support/wire.ts"

/** The two kinds of request: a page, and a list that is read as it arrives. */
const ways: ReadonlyArray<readonly [name: string, Effect.Effect<string, unknown, Contacts>]> = [
  ["a page", Effect.flatMap(Contacts, (contacts) => Effect.map(contacts.list(), (page) => JSON.stringify(page)))],
  [
    "an open response",
    Effect.scoped(
      Effect.flatMap(
        Contacts,
        (contacts) => Effect.flatMap(contacts.open(undefined), ({ bytes }) => Stream.mkString(Stream.decodeText(bytes)))
      )
    )
  ]
]

const both = Effect.all(ways.map(([, way]) => way))

const list = JSON.stringify(emptyList)

describe("FetchTransport", () => {
  /** A `fetch` that records its arguments. */
  const recording = () => {
    const calls: Array<RequestInit & { readonly url: string }> = []
    const fetch: typeof globalThis.fetch = (url, init) => {
      calls.push({ ...init, url: String(url) })
      return Promise.resolve(new Response(list))
    }
    return { calls, fetch }
  }
  const services = (transport: Layer.Layer<Transport.Transport> = FetchTransport.layer) =>
    mailstream("http://localhost", {}, transport)

  it.effect.each([
    { ok: true, status: 200, json: () => Promise.resolve(emptyList) },
    { status: 200, headers: {} },
    undefined
  ])(
    "says so if `fetch` returns something else than a Response: %j",
    (value) =>
      Effect.gen(function*() {
        const fetch: typeof globalThis.fetch = () => Promise.resolve(value as unknown as Response)
        for (const [, way] of ways) {
          const exit = yield* Effect.exit(
            Effect.provide(Effect.provideService(way, FetchHttpClient.Fetch, fetch), services())
          )
          assert(Exit.isFailure(exit) && Cause.isDie(exit.cause))
          assert.include(String(Cause.squash(exit.cause)), "`fetch` did not return a Response with Headers")
        }
      })
  )

  it.effect("uses the fetch and its options from the layer for every call", () =>
    Effect.gen(function*() {
      const { calls, fetch } = recording()
      const init = { credentials: "include", redirect: "manual", headers: { "x-team": "growth", accept: "text/html" } }
      const transport = FetchTransport.layer.pipe(
        Layer.provide(Layer.succeed(FetchHttpClient.Fetch, fetch)),
        Layer.provide(Layer.succeed(FetchHttpClient.RequestInit, init as RequestInit))
      )
      assert.deepStrictEqual(yield* Effect.provide(both, services(transport)), [list, list])
      assert.deepStrictEqual(calls.map(({ url }) => url), ["http://localhost/contacts", "http://localhost/contacts"])
      for (const { credentials, headers, method, redirect } of calls) {
        assert.deepStrictEqual([credentials, redirect, method], ["include", "manual", "GET"])
        // Headers of the request itself cannot be replaced.
        const sent = new Headers(headers)
        assert.deepStrictEqual([sent.get("x-team"), sent.get("accept")], ["growth", "application/json"])
        assert.match(sent.get("authorization") ?? "", /^Bearer /)
      }
    }))

  it.effect("prefers those that are provided around a call", () =>
    Effect.gen(function*() {
      const [outer, inner] = [recording(), recording()]
      const transport = FetchTransport.layer.pipe(
        Layer.provide(Layer.succeed(FetchHttpClient.Fetch, outer.fetch)),
        Layer.provide(Layer.succeed(FetchHttpClient.RequestInit, { credentials: "include" }))
      )
      yield* both.pipe(
        Effect.provideService(FetchHttpClient.RequestInit, { credentials: "omit" }),
        Effect.provideService(FetchHttpClient.Fetch, inner.fetch),
        Effect.provide(services(transport))
      )
      assert.deepStrictEqual(outer.calls, [])
      assert.deepStrictEqual(inner.calls.map(({ credentials }) => credentials), ["omit", "omit"])
    }))

  describe.each(ways)("redirects of %s", (_, way) => {
    const redirected = (redirect: RequestInit["redirect"]) =>
      Effect.gen(function*() {
        const elsewhere = yield* serve(json(200, emptyList))
        const server = yield* serve((response) => response.writeHead(302, { location: elsewhere.baseUrl }).end())
        const exit = yield* way.pipe(
          Effect.provideService(FetchHttpClient.RequestInit, redirect === undefined ? {} : { redirect }),
          Effect.provide(mailstream(server.baseUrl, {}, FetchTransport.layer)),
          Effect.either
        )
        return { exit, followed: elsewhere.received.length }
      })

    it.scopedLive("are followed with redirect: follow", () =>
      Effect.gen(function*() {
        const { exit, followed } = yield* redirected("follow")
        assert.strictEqual(exit._tag, "Right")
        assert.strictEqual(followed, 1)
      }))

    it.scopedLive("fail with redirect: error", () =>
      Effect.gen(function*() {
        const { exit, followed } = yield* redirected("error")
        assert(exit._tag === "Left")
        assert.include(exit.left, { _tag: "TransportError", reason: "Lost" })
        assert.strictEqual(followed, 0)
      }))

    it.scopedLive.each([undefined, "manual"] as const)(
      "are errors with redirect: %s",
      (redirect) =>
        Effect.gen(function*() {
          const { exit, followed } = yield* redirected(redirect)
          assert(exit._tag === "Left")
          assert.include(exit.left, { _tag: "api_error", statusCode: 302 })
          assert.strictEqual(followed, 0)
        })
    )
  })

  it.scopedLive.each(
    [["FetchTransport", FetchTransport.layer, 2], ["UndiciTransport", UndiciTransport.layer, 1]] as const
  )(
    "a 421, which says that nothing was processed, is repeated by `fetch` alone, once, and then an error: %s",
    ([, transport, attempts]) =>
      Effect.gen(function*() {
        const server = yield* serve((response) => response.writeHead(421).end("{}"))
        const creating = Effect.flatMap(Segments, (segments) => segments.create({ name: "Beta" }))
        const error = yield* Effect.flip(Effect.provide(creating, mailstream(server.baseUrl, {}, transport)))
        assert.include(error, { _tag: "api_error", statusCode: 421 })
        assert.deepStrictEqual(server.received.map(({ method }) => method), Array(attempts).fill("POST"))
      })
  )

  it.effect("explains a redirect of a browser, which shows neither its status nor its address", () =>
    Effect.gen(function*() {
      const opaque = { type: "opaqueredirect", status: 0, headers: new Headers(), body: null } as Response
      for (const [, way] of ways) {
        const error = yield* Effect.flip(
          Effect.provide(
            Effect.provideService(way, FetchHttpClient.Fetch, () => Promise.resolve(opaque)),
            services()
          )
        )
        assert(error instanceof OtherApiError)
        assert.include(error.message, ": status 0: a redirect to another URL: fix the base URL")
      }
    }))

  it.effect("reports a fetch that throws as a failed connection", () =>
    Effect.gen(function*() {
      const throwing = () => {
        throw new Error("no network here")
      }
      for (const [, way] of ways) {
        const error = yield* Effect.flip(
          Effect.provide(Effect.provideService(way, FetchHttpClient.Fetch, throwing), services())
        )
        assert.include(error, { _tag: "TransportError", description: "no network here" })
      }
    }))
})

describe("UndiciTransport", () => {
  /** A proxy on loopback that forwards requests and opens tunnels, and counts both. */
  const proxy: Effect.Effect<{ readonly url: string; readonly seen: Array<string> }, never, Scope.Scope> = Effect
    .acquireRelease(
      Effect.async<{ readonly url: string; readonly seen: Array<string>; readonly close: () => void }>((resume) => {
        const seen: Array<string> = []
        const server = createServer((request, response) => {
          seen.push(`${request.method} ${request.url}`)
          request.pipe(forward(request.url!, { method: request.method!, headers: request.headers }, (upstream) => {
            upstream.pipe(response.writeHead(upstream.statusCode!, upstream.headers))
          }))
        })
        server.on("connect", (request, socket) => {
          seen.push(`${request.method} ${request.url}`)
          const [host, port] = request.url!.split(":")
          const target = connect(Number(port), host, () => {
            socket.write("HTTP/1.1 200 Connection Established\r\n\r\n")
            target.pipe(socket)
            socket.pipe(target)
          })
          for (const end of [socket, target]) end.on("error", () => void (socket.destroy(), target.destroy()))
        })
        server.listen(0, "127.0.0.1", () =>
          resume(Effect.succeed({
            url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
            seen,
            close: () => {
              server.close()
              server.closeAllConnections()
            }
          })))
      }),
      ({ close }) => Effect.sync(close)
    )

  const on = (agent: () => Undici.Dispatcher) =>
    UndiciTransport.layerWithoutDispatcher.pipe(
      Layer.provide(Layer.scoped(
        UndiciTransport.Dispatcher,
        Effect.acquireRelease(Effect.sync(agent), (agent) => Effect.promise(() => agent.destroy()))
      ))
    )

  it.scopedLive.each([true, false])(
    "every call goes through a ProxyAgent, in a tunnel: %s",
    (proxyTunnel) =>
      Effect.gen(function*() {
        const server = yield* serve(json(200, emptyList))
        const { seen, url } = yield* proxy
        const transport = on(() => new Undici.ProxyAgent({ uri: url, proxyTunnel }))
        for (const [, way] of ways) {
          seen.length = 0
          assert.strictEqual(yield* Effect.provide(way, mailstream(server.baseUrl, {}, transport)), list)
          const { host } = new URL(server.baseUrl)
          assert.deepStrictEqual(seen, [proxyTunnel ? `CONNECT ${host}` : `GET ${server.baseUrl}/contacts`])
        }
        assert.strictEqual(server.received.length, 2)
      })
  )

  it.scopedLive("sends every call through the provided dispatcher, without a timeout of its own", () =>
    Effect.gen(function*() {
      const server = yield* serve(json(200, emptyList))
      const dispatched: Array<readonly unknown[]> = []
      const transport = on(() =>
        new Undici.Agent().compose((dispatch) => (options, handler) => {
          dispatched.push([options.path, options.headersTimeout, options.bodyTimeout])
          return dispatch(options, handler)
        })
      )
      yield* Effect.provide(both, mailstream(server.baseUrl, {}, transport))
      assert.deepStrictEqual(dispatched, [["/contacts", 0, 0], ["/contacts", 0, 0]])
    }))

  it.scopedLive("dispatches one request for a response that arrives in pieces", () =>
    Effect.gen(function*() {
      let finish = () => {}
      const server = yield* serve((response) => {
        response.writeHead(200).write("first ")
        finish = () => response.end("second")
      })
      let dispatched = 0
      const transport = on(() =>
        new Undici.Agent().compose((dispatch) => (options, handler) => {
          dispatched++
          return dispatch(options, handler)
        })
      )
      const body = yield* Effect.flatMap(Contacts, (contacts) => contacts.open(undefined)).pipe(
        // The second piece is sent when the consumer is waiting for it.
        Effect.flatMap(({ bytes }) =>
          bytes.pipe(Stream.decodeText(), Stream.tap(() => Effect.sync(() => setImmediate(finish))), Stream.mkString)
        ),
        Effect.scoped,
        Effect.provide(mailstream(server.baseUrl, {}, transport))
      )
      assert.strictEqual(body, "first second")
      assert.strictEqual(dispatched, 1)
    }))

  it.scopedLive("keeps a body that comes byte by byte in little more than its size", () =>
    Effect.gen(function*() {
      const body = `${" ".repeat(500_000)}${list}`
      const payload = Buffer.from(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n" +
          `${body.replace(/[^]/g, (byte) => `1\r\n${byte}\r\n`)}0\r\n\r\n`
      )
      const server = yield* serve((response) => void response.socket!.write(payload))
      const used = () => {
        Memory.collect()
        return process.memoryUsage().heapUsed
      }
      let held = Infinity
      const transport = on(() =>
        new Undici.Agent().compose((dispatch) => (options, handler) => {
          const before = used()
          let left = body.length
          return dispatch(options, {
            onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
            onResponseStart: (...response) => handler.onResponseStart?.(...response),
            onResponseData: (controller, bytes) => {
              handler.onResponseData?.(controller, bytes)
              left -= bytes.length
              if (left === 0) held = used() - before
            },
            onResponseEnd: (controller, trailers) => handler.onResponseEnd?.(controller, trailers),
            onResponseError: (controller, error) => handler.onResponseError?.(controller, error)
          })
        })
      )
      const [, page] = ways[0]!
      assert.strictEqual(yield* Effect.provide(page, mailstream(server.baseUrl, {}, transport)), list)
      assert.isBelow(held, 10e6)
    }))

  it.scoped("rejects a dispatcher that cannot dispatch, as on runtimes without undici", () =>
    Effect.gen(function*() {
      const transport = on(() => Object.assign(new Undici.Agent(), { dispatch: undefined }))
      const error = yield* Effect.flip(Layer.build(transport))
      assert.strictEqual(error._tag, "InvalidOption")
      assert.include(error.message, "transport must be FetchTransport.layer")
    }))

  it.effect("reports a dispatcher that throws as a lost connection", () =>
    Effect.gen(function*() {
      const transport = on(() =>
        new Undici.Agent().compose(() => (_options, _handler) => {
          throw new Error("no route for this host")
        })
      )
      for (const [, way] of ways) {
        const error = yield* Effect.flip(Effect.provide(way, mailstream("http://localhost", {}, transport)))
        assert.include(error, { _tag: "TransportError", reason: "Lost", description: "no route for this host" })
      }
    }))

  it.scopedLive("reports a body that an interceptor cannot decompress", () =>
    Effect.gen(function*() {
      const server = yield* serve(json(200, emptyList))
      const transport = on(() =>
        new Undici.Agent().compose((dispatch) => (options, handler) =>
          dispatch(options, {
            onRequestStart: (...start) => handler.onRequestStart?.(...start),
            onResponseStart: (...response) => handler.onResponseStart?.(...response),
            onResponseData: (controller) =>
              controller.abort(Object.assign(new Error("incorrect header check"), { code: "Z_DATA_ERROR" })),
            onResponseEnd: (...end) => handler.onResponseEnd?.(...end),
            onResponseError: (...error) => handler.onResponseError?.(...error)
          })
        )
      )
      for (const [, way] of ways) {
        const error = yield* Effect.flip(Effect.provide(way, mailstream(server.baseUrl, {}, transport)))
        assert.include(error, { _tag: "UnexpectedResponse", reason: "NotText" })
      }
    }))

  it.scopedLive("never sends a request that was interrupted while it waited for a connection", () =>
    Effect.gen(function*() {
      let respond = () => {}
      const server = yield* serve((response, request) => {
        respond = () => json(200, emptyList)(response, request)
        if (request.url !== "/contacts?limit=1") respond()
      })
      const transport = on(() => new Undici.Agent({ connections: 1, pipelining: 1 }))
      yield* Effect.gen(function*() {
        const contacts = yield* Contacts
        const first = yield* Effect.fork(contacts.list({ limit: 1 }))
        yield* eventually("the first request arrives", () => server.received.length === 1)
        const second = yield* Effect.fork(contacts.list({ limit: 2 }))
        yield* Effect.yieldNow()
        yield* Fiber.interrupt(second)
        respond()
        yield* Fiber.join(first)
        yield* contacts.list({ limit: 3 })
      }).pipe(Effect.provide(mailstream(server.baseUrl, { rateLimit: false }, transport)))
      assert.deepStrictEqual(server.received.map(({ url }) => url), ["/contacts?limit=1", "/contacts?limit=3"])
    }))

  describe("a consumer that is slower than the server", () => {
    const size = 2 * 1024 * 1024

    /** An agent that tells which bytes arrive, and when the sender is paused. */
    const watched = (events: Array<"pause" | "resume" | number>, onEvent: () => void) => () =>
      new Undici.Agent().compose((dispatch) => (options, handler) => {
        const record = (event: (typeof events)[number]) => {
          events.push(event)
          onEvent()
        }
        return dispatch(options, {
          onRequestStart: (controller, context) => {
            const { pause, resume } = controller
            controller.pause = () => {
              pause.call(controller)
              record("pause")
            }
            controller.resume = () => {
              record("resume")
              resume.call(controller)
            }
            handler.onRequestStart?.(controller, context)
          },
          onResponseStart: (...response) => handler.onResponseStart?.(...response),
          onResponseData: (controller, chunk) => {
            record(chunk.length)
            handler.onResponseData?.(controller, chunk)
          },
          onResponseEnd: (...end) => {
            handler.onResponseEnd?.(...end)
            onEvent()
          },
          onResponseError: (...error) => handler.onResponseError?.(...error)
        })
      })

    /** Reads a response as slowly as possible: only when its sender is paused, or has sent this many bytes. */
    const readSlowly = (respond: Respond, sent: number) =>
      Effect.gen(function*() {
        const server = yield* serve(respond)
        const events: Array<"pause" | "resume" | number> = []
        const received = () => events.reduce<number>((sum, event) => typeof event === "number" ? sum + event : sum, 0)
        /** Lets the consumer continue when the sender is paused, or has sent everything. */
        let wake = () => {}
        const transport = on(watched(events, () => wake()))
        const stalled = Effect.async<void>((resume) => {
          wake = () => events.at(-1) === "pause" || received() === sent ? resume(Effect.void) : undefined
          wake()
        })
        const parts: Array<Uint8Array> = []
        yield* Effect.flatMap(Contacts, (contacts) => contacts.open(undefined)).pipe(
          Effect.flatMap(({ bytes }) =>
            Stream.runForEachChunk(bytes, (chunk) => {
              parts.push(...chunk)
              return stalled
            })
          ),
          Effect.scoped,
          Effect.provide(mailstream(server.baseUrl, {}, transport))
        )
        assert.strictEqual(server.received.length, 1)
        return { events, read: Buffer.concat(parts) }
      })

    it.scopedLive("pauses it when 256 KiB are waiting, and misses nothing", () =>
      Effect.gen(function*() {
        const { events, read } = yield* readSlowly(text(200, "x".repeat(size)), size)
        assert.strictEqual(read.length, size)
        let waiting = 0
        for (const event of events) {
          if (event === "resume") waiting = 0
          else if (event === "pause") assert.isAbove(waiting, 256 * 1024)
          else {
            assert.isAtMost(waiting, 256 * 1024)
            waiting += event
          }
        }
        assert.include(events, "pause")
      }))

    it.scopedLive("pauses it while what is waiting has not been decompressed, and misses nothing", () =>
      Effect.gen(function*() {
        const body = randomBytes(size)
        const compressed = gzipSync(body)
        const { events, read } = yield* readSlowly((response) => {
          response.writeHead(200, { "content-encoding": "gzip" }).end(compressed)
        }, compressed.length)
        assert.isTrue(read.equals(body))
        assert.include(events, "pause")
      }))
  })
})

describe("failureFromError", () => {
  const failure = (syscall: string) =>
    Transport.failureFromError(
      new TypeError("fetch failed", { cause: Object.assign(new Error("no route"), { code: "EHOSTUNREACH", syscall }) })
    )

  it("takes a request for unsent only if the host could not be reached while connecting", () => {
    assert.strictEqual(failure("connect")._tag, "Connect")
    assert.strictEqual(failure("read")._tag, "Lost")
    assert.strictEqual(failure("write")._tag, "Lost")
  })
})

describe("HttpClientTransport", () => {
  const clients: ReadonlyArray<readonly [name: string, Layer.Layer<HttpClient.HttpClient>]> = [
    ["undici", NodeHttpClient.layerUndici],
    ["node:http", NodeHttpClient.layer],
    ["fetch", FetchHttpClient.layer]
  ]

  it.scopedLive.each(clients)(
    "the middleware of a client on %s sees every request",
    ([_, client]) =>
      Effect.gen(function*() {
        const server = yield* serve(json(200, emptyList))
        const seen: Array<string> = []
        const decorated = Layer.effect(
          HttpClient.HttpClient,
          Effect.map(HttpClient.HttpClient, (client) =>
            client.pipe(
              HttpClient.mapRequest(HttpClientRequest.setHeader("x-team", "growth")),
              HttpClient.tapRequest(({ url }) => Effect.sync(() => seen.push(url)))
            ))
        ).pipe(Layer.provide(client))
        const transport = Layer.provide(HttpClientTransport.layer, decorated)
        assert.deepStrictEqual(yield* Effect.provide(both, mailstream(server.baseUrl, {}, transport)), [list, list])
        assert.deepStrictEqual(seen, [`${server.baseUrl}/contacts`, `${server.baseUrl}/contacts`])
        assert.deepStrictEqual(server.received.map(({ headers }) => headers["x-team"]), ["growth", "growth"])
      })
  )

  it.scopedLive.each(clients)(
    "middleware that rejects statuses does not hide the API's errors, on %s",
    ([_, client]) =>
      Effect.gen(function*() {
        const server = yield* serve(json(404, { name: "not_found", statusCode: 404, message: "Segment not found" }))
        const strict = Layer.effect(
          HttpClient.HttpClient,
          Effect.map(HttpClient.HttpClient, HttpClient.filterStatusOk)
        ).pipe(Layer.provide(client))
        const layer = mailstream(server.baseUrl, {}, Layer.provide(HttpClientTransport.layer, strict))
        for (const [, way] of ways) {
          const error = yield* Effect.flip(Effect.provide(way, layer))
          assert(error instanceof NotFound)
          assert.match(error.message, /^GET http:\S+: Segment not found$/)
        }
      })
  )

  it.effect("middleware that fails without a cause is named in the error", () =>
    Effect.gen(function*() {
      const client = HttpClient.make((request) =>
        new HttpClientError.RequestError({ request, reason: "Transport", description: "circuit breaker is open" })
      )
      const transport = Layer.succeed(Transport.Transport, HttpClientTransport.make(client))
      const error = yield* Effect.flip(Effect.provide(ways[0]![1], mailstream("http://localhost", {}, transport)))
      assert.include(String(error), "circuit breaker is open")
    }))

  it.effect("a body that broke before it was read is lost, not empty", () =>
    Effect.gen(function*() {
      // Clients on Node's streams find nothing in one that is broken.
      const opened = (headers: Record<string, string>) => {
        const client = HttpClient.make((request) =>
          Effect.succeed(HttpClientResponse.fromWeb(request, new Response(null, { headers })))
        )
        const layer = mailstream(
          "http://localhost",
          {},
          Layer.succeed(Transport.Transport, HttpClientTransport.make(client))
        )
        return Effect.either(Effect.provide(ways[1]![1], layer))
      }
      assert.deepInclude(Either.getOrThrow(Either.flip(yield* opened({ "content-length": "12" }))), {
        _tag: "TransportError",
        reason: "Lost",
        description: "the connection broke before the body"
      })
      assert.deepStrictEqual(yield* opened({ "content-length": "0" }), Either.right(""))
      assert.deepStrictEqual(yield* opened({}), Either.right(""))
    }))

  it.effect("the spans of the middleware are below the span of the call", () =>
    Effect.gen(function*() {
      const client = HttpClient.make((request) => Effect.die(request)).pipe(
        HttpClient.transform((send) => Effect.withSpan(send, "middleware"))
      )
      const transport = Layer.succeed(Transport.Transport, HttpClientTransport.make(client))
      const spans = yield* spansOf(Effect.provide(ways[0]![1], mailstream("http://localhost", {}, transport)))
      assert.deepStrictEqual(spans.map(({ name }) => name), ["Contacts.list", "middleware"])
      const [call, middleware] = spans
      assert(middleware?.parent._tag === "Some")
      assert.strictEqual(middleware.parent.value.spanId, call?.spanId)
    }))

  it.effect("passes services provided around a call to the client", () =>
    Effect.gen(function*() {
      const transport = Layer.provide(HttpClientTransport.layer, FetchHttpClient.layer)
      const fetch = () => Promise.resolve(new Response(list))
      const page = yield* both.pipe(
        Effect.provideService(FetchHttpClient.Fetch, fetch),
        Effect.provide(mailstream("http://localhost", {}, transport))
      )
      assert.deepStrictEqual(page, [list, list])
    }))
})

describe("a custom transport", () => {
  const on = (transport: typeof Transport.Transport.Service) =>
    mailstream("http://localhost", { rateLimit: { requests: 1 } }, Layer.succeed(Transport.Transport, transport))
  const unused = () => Effect.die("not in use")

  it.effect("receives the complete request", () =>
    Effect.gen(function*() {
      const requests: Array<Transport.Request> = []
      const send = (request: Transport.Request) => {
        requests.push(request)
        return Effect.succeed({ status: 200, headers: {}, body: list })
      }
      yield* Effect.flatMap(Contacts, (contacts) => contacts.list({ limit: 5 })).pipe(
        Effect.provide(
          Mailstream.layer({ baseUrl: "https://api.example.com/v1/", apiKey, maxBodySize: 99 }).pipe(
            Layer.provide(Layer.succeed(Transport.Transport, { send, open: unused }))
          )
        )
      )
      const [{ headers, span, ...request } = assert.fail()] = requests
      assert.deepStrictEqual(request, {
        method: "GET",
        origin: "https://api.example.com",
        path: "/v1/contacts?limit=5",
        body: undefined,
        timeout: Duration.seconds(30),
        maxBodySize: 99,
        mayStart: undefined
      })
      assert.deepStrictEqual(Object.keys(headers), ["accept", "authorization", "user-agent"])
      assert(span._tag === "Span")
      assert.strictEqual(span.name, "Contacts.list")
    }))

  it.effect("may receive up to 16 MiB by default", () =>
    Effect.gen(function*() {
      const send = ({ maxBodySize }: Transport.Request) => Effect.die(maxBodySize)
      const exit = yield* Effect.exit(Effect.provide(ways[0]![1], on({ send, open: unused })))
      assert.deepStrictEqual(exit, Exit.die(16 * 1024 * 1024))
    }))

  const failures: ReadonlyArray<readonly [Transport.Failure, object]> = [
    [Transport.Failure.Connect({ description: "x" }), { _tag: "TransportError", reason: "Connect", description: "x" }],
    [Transport.Failure.Lost({ description: "x" }), { _tag: "TransportError", reason: "Lost", description: "x" }],
    [Transport.Failure.Tls({ description: "x" }), { _tag: "TransportError", reason: "Tls", description: "x" }],
    [Transport.Failure.Timeout({}), { _tag: "TransportError", reason: "Timeout" }],
    [
      Transport.Failure.NotText({ head: { status: 200, headers: {} }, description: "x" }),
      { _tag: "UnexpectedResponse", reason: "NotText", description: "expected JSON, found x" }
    ],
    [
      Transport.Failure.NotText({ head: { status: 503, headers: {} }, description: "x" }),
      { _tag: "api_error", statusCode: 503, message: "GET http://localhost/contacts: status 503: x" }
    ],
    [
      Transport.Failure.TooLarge({ head: { status: 200, headers: {} } }),
      { _tag: "UnexpectedResponse", reason: "TooLarge" }
    ],
    [
      Transport.Failure.TooLarge({ head: { status: 503, headers: {} } }),
      { _tag: "api_error", statusCode: 503 }
    ]
  ]

  it.effect.each(failures)("maps the failure %j to an error of the call", ([failure, error]) =>
    Effect.gen(function*() {
      const transport = { send: () => Effect.fail(failure), open: () => Effect.fail(failure) }
      for (const [, way] of ways) {
        assert.deepInclude(yield* Effect.flip(Effect.provide(way, on(transport))), error)
      }
    }))

  it.effect("that throws causes a defect, ends the span and returns the turn", () =>
    Effect.gen(function*() {
      const send = () => {
        throw new Error("oh")
      }
      const ended: Array<string> = []
      const twice = Effect.gen(function*() {
        const contacts = yield* Contacts
        yield* Effect.exit(contacts.list())
        return yield* Effect.exit(contacts.list())
      })
      const fiber = yield* Effect.fork(
        twice.pipe(
          Effect.provide(on({ send, open: unused })),
          Effect.withTracer(tracing((name) => ended.push(name)))
        )
      )
      yield* TestClock.adjust("1 second")
      const exit = yield* Fiber.join(fiber)
      assert(Exit.isFailure(exit) && Cause.isDie(exit.cause))
      assert.deepStrictEqual(ended, ["Contacts.list", "Contacts.list"])
    }))
})

/** A tracer that records which spans have ended. */
const tracing = (onEnd: (name: string) => void): Tracer.Tracer =>
  Tracer.make({
    context: (f) => f(),
    span: (name, parent, context, links, startTime, kind) => ({
      _tag: "Span",
      name,
      spanId: name,
      traceId: name,
      parent,
      context,
      links,
      kind,
      sampled: true,
      attributes: new Map(),
      status: { _tag: "Started", startTime },
      attribute: () => {},
      event: () => {},
      addLinks: () => {},
      end: () => onEnd(name)
    })
  })

describe.each(transports)("every transport: %s", (_, transport) => {
  const request = (baseUrl: string, options: Partial<Transport.Request> = {}) =>
    Effect.map(Effect.makeSpan("test"), (span): Transport.Request => ({
      method: "GET",
      origin: baseUrl,
      path: "/contacts?limit=1",
      headers: { accept: "*/*" },
      body: undefined,
      timeout: Duration.seconds(5),
      maxBodySize: 1000,
      span,
      ...options
    }))

  const service = Effect.map(Layer.build(transport), Context.get(Transport.Transport))

  it.scopedLive("succeeds with any status, and sends the request each time it runs", () =>
    Effect.gen(function*() {
      const server = yield* serve((response) => response.writeHead(404, { "x-many": ["a", "b"] }).end("nothing"))
      const { open, send } = yield* service
      const sending = send(yield* request(server.baseUrl))
      for (const response of [yield* sending, yield* sending]) {
        assert.strictEqual(response.status, 404)
        assert.strictEqual(response.headers["x-many"], "a, b")
        assert.strictEqual(response.body, "nothing")
      }
      const opened = yield* open(yield* request(server.baseUrl))
      assert.strictEqual(opened.status, 404)
      assert.strictEqual(yield* Stream.mkString(Stream.decodeText(opened.bytes)), "nothing")
      assert.deepStrictEqual(server.received.map(({ url }) => url), Array(3).fill("/contacts?limit=1"))
    }))

  it.scopedLive("opens a response before its body arrives, and ignores informational ones", () =>
    Effect.gen(function*() {
      let finish = () => {}
      const server = yield* serve((response) => {
        response.writeProcessing()
        // Not in the same packet.
        Effect.runFork(Effect.tap(Sockets.begun(response.socket!), () => response.writeHead(202).flushHeaders()))
        finish = () => response.end("late")
      })
      const { open } = yield* service
      const opened = yield* open(yield* request(server.baseUrl))
      assert.strictEqual(opened.status, 202)
      finish()
      assert.strictEqual(yield* Stream.mkString(Stream.decodeText(opened.bytes)), "late")
    }))

  it.scopedLive("aborts the request when it loses a race", () =>
    Effect.gen(function*() {
      const server = yield* serve(() => {})
      const { send } = yield* service
      const winner = eventually("the request arrives", () => server.received.length === 1)
      yield* Effect.race(Effect.asVoid(send(yield* request(server.baseUrl))), winner)
      yield* eventually("the request is aborted", () => server.aborted() === 1)
    }))

  it.scopedLive("reads an error response to `open` within the limits", () =>
    Effect.gen(function*() {
      const server = yield* serve(text(500, "x".repeat(5000)))
      const client = yield* Effect.map(
        Layer.build(mailstream(server.baseUrl, { maxBodySize: 1000 }, transport)),
        Context.get(ApiClient)
      )
      const error = yield* Effect.flip(client.open({ name: "Test.open", method: "GET", path: "/contacts" }))
      assert.include(error, { _tag: "api_error", statusCode: 500 })
      assert.include(error.message, "the body exceeds 1000 bytes")
    }))
})

import { Undici as PlatformUndici } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { type InvalidOption, isUnprocessed, outcome, type RequestError } from "@mailstream/core"
import type { Transport } from "@mailstream/http"
import { ApiClient, type ApiClientOptions } from "@mailstream/http"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import { eventually, stalled } from "@mailstream/testing/Eventually"
import { Cause, Context, Effect, Exit, Fiber, Layer, Schema, type Scope, TestClock } from "effect"
import { createSecureServer } from "node:http2"
import { type AddressInfo, createServer, type Server, type Socket } from "node:net"
import * as Undici from "undici"
import * as Certificates from "./support/certificates.ts"
import { emptyList, json, mailstream, serve, transports } from "./support/wire.ts"

type Start = (() => boolean) | undefined

/** The two kinds of request that a client sends. */
const clientOf = (
  baseUrl: string,
  transport: Layer.Layer<Transport.Transport, InvalidOption>,
  options: Partial<ApiClientOptions> = {}
) =>
  Effect.map(Layer.build(mailstream(baseUrl, options, transport)), (context) => {
    const client = Context.get(context, ApiClient)
    const request = (mayStart: Start, path: `/${string}` = "/emails") =>
      ({ name: "Test.send", method: "POST", path, json: `{"to":"${path}"}`, mayStart }) as const
    return {
      call: (mayStart: Start, path?: `/${string}`) =>
        client.call({ ...request(mayStart, path), schema: Schema.Unknown }),
      open: (mayStart: Start, path?: `/${string}`) => Effect.scoped(client.open(request(mayStart, path)))
    }
  })

const assertWithdrawn = (error: RequestError): void => {
  assert.include(error, { _tag: "TransportError", reason: "Connect", description: "withdrawn before it was sent" })
  assert.strictEqual(outcome(error), "not_processed")
  assert.isTrue(isUnprocessed(error))
}

describe.each(transports)("a request that is withdrawn, over %s", (_, transport) => {
  it.scopedLive("never arrives, and certainly was not processed", () =>
    Effect.gen(function*() {
      const server = yield* serve(json(200, emptyList))
      const { call, open } = yield* clientOf(server.baseUrl, transport)
      assertWithdrawn(yield* Effect.flip(call(() => false)))
      assertWithdrawn(yield* Effect.flip(open(() => false)))
      assert.deepStrictEqual(server.received, [])
      // The same connections, as far as there are any.
      yield* call(undefined, "/next")
      assertWithdrawn(yield* Effect.flip(call(() => false)))
      yield* open(undefined, "/last")
      assert.deepStrictEqual(server.received.map(({ url }) => url), ["/next", "/last"])
    }))

  it.scopedLive("is sent if it may start, which is asked once", () =>
    Effect.gen(function*() {
      const server = yield* serve(json(200, emptyList))
      const { call, open } = yield* clientOf(server.baseUrl, transport)
      let asked = 0
      const mayStart = () => ++asked > 0
      assert.deepStrictEqual(yield* call(mayStart), emptyList)
      yield* open(mayStart)
      assert.strictEqual(asked, 2)
      assert.strictEqual(server.received.length, 2)
    }))

  it.scopedLive("is not sent if asking throws, which is a defect", () =>
    Effect.gen(function*() {
      const server = yield* serve(json(200, emptyList))
      const { call, open } = yield* clientOf(server.baseUrl, transport)
      const mayStart = () => {
        throw new Error("no clock")
      }
      for (const exit of [yield* Effect.exit(call(mayStart)), yield* Effect.exit(open(mayStart))]) {
        assert(Exit.isFailure(exit) && Cause.isDie(exit.cause))
        // A client that traces adds its span to the error.
        assert.include(String(Cause.squash(exit.cause)), "no clock")
      }
      yield* call(undefined, "/next")
      assert.deepStrictEqual(server.received.map(({ url }) => url), ["/next"])
    }))

  it.scoped("is asked when the rate limit lets it pass, not before", () =>
    Effect.gen(function*() {
      const server = yield* serve(json(200, emptyList))
      const rateLimit = { requests: 1, per: "1 minute" } as const
      const { call } = yield* clientOf(server.baseUrl, transport, { rateLimit, timeout: "1 hour" })
      let isWanted = true
      let asked = 0
      yield* call(undefined, "/first")
      const second = yield* Effect.fork(Effect.flip(call(() => {
        asked++
        return isWanted
      })))
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual(asked, 0)
      isWanted = false
      yield* TestClock.adjust("30 seconds")
      assertWithdrawn(yield* Fiber.join(second))
      assert.strictEqual(asked, 1)
      assert.deepStrictEqual(server.received.map(({ url }) => url), ["/first"])
    }))

  it.scopedLive("returns its turn to the rate limit", () =>
    Effect.gen(function*() {
      // A request in flight, about which the API cannot know yet, would count as the one that remains.
      const server = yield* serve(json(200, emptyList, { "ratelimit-remaining": "1", "ratelimit-reset": "60" }))
      const { call } = yield* clientOf(server.baseUrl, transport)
      yield* Effect.flip(call(() => false))
      yield* call(undefined)
      yield* call(undefined)
      assert.strictEqual(server.received.length, 2)
    }))
})

/** A server that records every byte it gets, and responds when told to. */
const recording: Effect.Effect<
  {
    readonly baseUrl: string
    readonly bytes: () => string
    readonly sockets: Array<Socket>
    readonly respond: () => void
  },
  never,
  Scope.Scope
> = Effect.suspend(() => {
  const sockets: Array<Socket> = []
  let bytes = ""
  return Effect.acquireRelease(
    Effect.async<Server>((resume) => {
      const server = createServer((socket) => {
        sockets.push(socket.on("error", () => {}))
        socket.on("data", (chunk) => {
          bytes += chunk.toString()
        })
      }).listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.sync(() => {
        for (const socket of sockets) socket.destroy()
        server.close()
      })
  ).pipe(Effect.map((server) => ({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bytes: () => bytes,
    sockets,
    respond: () => void sockets.at(-1)?.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}")
  })))
})

/** Connections that are made when told to. */
const holding = (options: Undici.buildConnector.BuildOptions = {}) => {
  const connect = Undici.buildConnector(options)
  const held: Array<() => void> = []
  const connector: Undici.buildConnector.connector = (...connection) => void held.push(() => connect(...connection))
  return { held, connector }
}

const on = (make: () => Undici.Dispatcher): Layer.Layer<Transport.Transport, InvalidOption> =>
  Layer.provide(
    UndiciTransport.layerWithoutDispatcher,
    Layer.scoped(
      UndiciTransport.Dispatcher,
      Effect.acquireRelease(Effect.sync(make), (agent) => Effect.promise(() => agent.destroy()))
    )
  )

/** Its types differ in details that do not matter here. */
const older = (options: Undici.Agent.Options): Undici.Dispatcher =>
  new PlatformUndici.Agent(options as unknown as PlatformUndici.Agent.Options) as unknown as Undici.Dispatcher

describe.each<readonly [name: string, agent: (options: Undici.Agent.Options) => Undici.Dispatcher]>([
  ["8", (options) => new Undici.Agent(options)],
  ["7", older]
])("a request that is withdrawn while undici %s", (_, agent) => {
  it.scopedLive.each([1, 10])(
    "has it wait behind another one, with pipelining %s",
    (pipelining) =>
      Effect.gen(function*() {
        const server = yield* recording
        let dispatched = 0
        const { call } = yield* clientOf(
          server.baseUrl,
          on(() =>
            agent({ connections: 1, pipelining }).compose((dispatch) => (options, handler) => {
              dispatched++
              return dispatch(options, handler)
            })
          )
        )
        let isWanted = true
        let asked = 0
        const first = yield* Effect.fork(call(() => true, "/first"))
        yield* eventually("the first request arrives", () => server.bytes().includes(`{"to":"/first"}`))
        const second = yield* Effect.fork(Effect.flip(call(() => {
          asked++
          return isWanted
        }, "/second")))
        const third = yield* Effect.fork(call(undefined, "/third"))
        yield* eventually("undici has all three", () => dispatched === 3)
        assert.strictEqual(asked, 0)
        isWanted = false
        server.respond()
        assert.deepStrictEqual(yield* Fiber.join(first), {})
        assertWithdrawn(yield* Fiber.join(second))
        // What waited behind it is sent.
        yield* eventually("the third request arrives", () => server.bytes().includes(`{"to":"/third"}`))
        server.respond()
        assert.deepStrictEqual(yield* Fiber.join(third), {})
        assert.strictEqual(asked, 1)
        assert.deepStrictEqual(server.bytes().match(/POST \S+/g), ["POST /first", "POST /third"])
        assert.notInclude(server.bytes(), "second")
      })
  )

  it.scopedLive("waits for a connection", () =>
    Effect.gen(function*() {
      const server = yield* recording
      const { connector, held } = holding()
      const { call, open } = yield* clientOf(server.baseUrl, on(() => agent({ connect: connector, connections: 1 })))
      for (const send of [call, open]) {
        let isWanted = true
        const sent = yield* Effect.fork(Effect.flip(send(() => isWanted)))
        yield* eventually("it waits for a connection", () => held.length > 0)
        isWanted = false
        held.pop()!()
        assertWithdrawn(yield* Fiber.join(sent))
      }
      yield* eventually("there were two connections", () => server.sockets.length === 2)
      // Whatever is on its way arrives before the end of the connection.
      yield* eventually("they are closed", () => server.sockets.every(({ readyState }) => readyState === "closed"))
      assert.strictEqual(server.bytes(), "")
    }))

  it.scopedLive("waits for a connection of HTTP/2, which is kept", () =>
    Effect.gen(function*() {
      const received: Array<string> = []
      let sessions = 0
      const server = yield* Effect.acquireRelease(
        Effect.async<ReturnType<typeof createSecureServer>>((resume) => {
          const server = createSecureServer(Certificates.own)
          server.on("session", () => sessions++)
          server.on("stream", (stream, headers) => {
            received.push(headers[":path"]!)
            stream.respond({ ":status": 200 })
            stream.end("{}")
          })
          server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
        }),
        (server) => Effect.sync(() => void server.close())
      )
      const { connector, held } = holding({ ca: Certificates.own.cert, allowH2: true })
      const { call } = yield* clientOf(
        `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
        on(() => agent({ connect: connector, connections: 1, allowH2: true }))
      )
      let isWanted = true
      const sent = yield* Effect.fork(Effect.flip(call(() => isWanted, "/first")))
      yield* eventually("it waits for a connection", () => held.length > 0)
      isWanted = false
      held.pop()!()
      assertWithdrawn(yield* Fiber.join(sent))
      assert.deepStrictEqual(yield* call(() => true, "/second"), {})
      assert.deepStrictEqual([received, sessions], [["/second"], 1])
    }))
})

describe("a request that is withdrawn from an undici that retries", () => {
  it.scopedLive("is not sent later, whatever is said then", () =>
    Effect.gen(function*() {
      const server = yield* serve(json(200, emptyList))
      const retrying = Undici.interceptors.retry({ methods: ["POST"], minTimeout: 1, maxTimeout: 1 })
      const { call } = yield* clientOf(server.baseUrl, on(() => new Undici.Agent().compose(retrying)))
      let asked = 0
      assertWithdrawn(yield* Effect.flip(call(() => ++asked > 1)))
      yield* stalled("it is not sent again", () => asked + server.received.length)
      yield* call(undefined, "/next")
      assert.strictEqual(asked, 1)
      assert.deepStrictEqual(server.received.map(({ url }) => url), ["/next"])
    }))
})

import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { ApiClient } from "@mailstream/http"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import { eventually, stalled } from "@mailstream/testing/Eventually"
import * as Network from "@mailstream/testing/Network"
import { Context, Effect, Exit, Fiber, Layer, Schema, Scope, Stream } from "effect"
import { spawn } from "node:child_process"
import { createServer } from "node:http"
import { createSecureServer } from "node:http2"
import { createServer as createSecure } from "node:https"
import { type AddressInfo, connect, createServer as createRelay, type Server, type Socket } from "node:net"
import { getCACertificates, setDefaultCACertificates } from "node:tls"
import * as Undici from "undici"
import * as Certificates from "./support/certificates.ts"
import { mailstream } from "./support/wire.ts"

const authorities = getCACertificates()
beforeAll(() => setDefaultCACertificates([Certificates.own.cert]))
afterAll(() => setDefaultCACertificates(authorities))

/** How the client ended a connection. */
type End = "closed" | "reset"

const listening = <S extends Server>(make: () => S): Effect.Effect<number, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.async<S>((resume) => {
      const server = make().listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.sync(() => void server.close())
  ).pipe(Effect.map((server) => (server.address() as AddressInfo).port))

type Respond = (path: string, response: { write: (text: string) => unknown; end: (text: string) => unknown }) => void

const kinds: Record<string, (respond: Respond) => Server> = {
  "HTTP/1": (respond) => createServer((request, response) => respond(request.url!, response)),
  "HTTP/1 with TLS": (respond) =>
    createSecure(
      { ...Certificates.own, ALPNProtocols: ["http/1.1"] },
      (request, response) => respond(request.url!, response)
    ),
  "HTTP/2": (respond) =>
    createSecureServer(Certificates.own, (request, response) => {
      request.on("error", () => {})
      respond(request.url, response)
    })
}

/** A server, and how each of its connections was ended by the client. */
const serve = (kind: string, respond: Respond) =>
  Effect.gen(function*() {
    const requests: Array<string> = []
    const server = yield* listening(() =>
      kinds[kind]!((path, response) => {
        requests.push(path)
        respond(path, response)
      }).on("error", () => {})
    )
    const sockets: Array<Socket> = []
    const ends: Array<End> = []
    // Only the first one on the way sees what the client did, beneath TLS.
    const port = yield* listening(() =>
      createRelay((client) => {
        const upstream = connect(server, "127.0.0.1")
        sockets.push(client, upstream)
        client.on("data", (bytes) => void upstream.write(bytes))
        upstream.on("data", (bytes) => void client.write(bytes)).on("error", () => {})
        client.on("end", () => void ends.push("closed")).on("error", () => void ends.push("reset"))
        client.on("close", () => void upstream.destroy())
        upstream.on("close", () => void client.destroy())
      })
    )
    yield* Effect.addFinalizer(() => Effect.sync(() => sockets.forEach((socket) => socket.destroy())))
    return {
      origin: `${kind === "HTTP/1" ? "http" : "https"}://127.0.0.1:${port}`,
      requests,
      ends,
      connections: () => sockets.length / 2
    }
  })

const clientOf = (baseUrl: string, timeout = 60_000) =>
  Effect.map(Layer.build(mailstream(baseUrl, { timeout }, UndiciTransport.layer)), (context) => {
    const client = Context.get(context, ApiClient)
    const request = (path: `/${string}`) => ({ name: "Test.send", method: "POST", path, json: "{}" }) as const
    return {
      call: (path: `/${string}`) => client.call({ ...request(path), schema: Schema.Unknown }),
      open: (path: `/${string}`) => client.open(request(path))
    }
  })

describe.each(Object.keys(kinds))("a request over %s", (kind) => {
  it.scopedLive("resets its connection if it is interrupted", () =>
    Effect.gen(function*() {
      const { ends, origin, requests } = yield* serve(kind, () => {})
      const { call } = yield* clientOf(origin)
      const sent = yield* Effect.fork(call("/first"))
      yield* eventually("it arrives", () => requests.length === 1)
      yield* Fiber.interrupt(sent)
      yield* eventually("its connection ends", () => ends.length === 1)
      assert.deepStrictEqual(ends, ["reset"])
    }))

  it.scopedLive("resets its connection if it takes too long", () =>
    Effect.gen(function*() {
      const { ends, origin } = yield* serve(kind, () => {})
      const { call } = yield* clientOf(origin, 300)
      assert.include(yield* Effect.flip(call("/first")), { reason: "Timeout" })
      yield* eventually("its connection ends", () => ends.length === 1)
      assert.deepStrictEqual(ends, ["reset"])
    }))

  it.scopedLive("leaves its connection as it is if its response is complete", () =>
    Effect.gen(function*() {
      const { connections, ends, origin, requests } = yield* serve(kind, (_, response) => void response.end("{}"))
      const scope = yield* Scope.make()
      const { call } = yield* Scope.extend(clientOf(origin), scope)
      yield* call("/first")
      yield* call("/second")
      assert.deepStrictEqual([requests, ends], [["/first", "/second"], []])
      yield* Scope.close(scope, Exit.void)
      yield* eventually("the connections end", () => ends.length === connections())
      assert.notInclude(ends, "reset")
    }))

  it.scopedLive("does not disturb another one", () =>
    Effect.gen(function*() {
      const respond: Array<() => void> = []
      const { ends, origin, requests } = yield* serve(kind, (path, response) => {
        if (path === "/first") respond.push(() => response.end("{}"))
      })
      const { call } = yield* clientOf(origin)
      const first = yield* Effect.fork(call("/first"))
      yield* eventually("the first arrives", () => requests.length === 1)
      const second = yield* Effect.fork(call("/second"))
      yield* eventually("both arrive", () => requests.length === 2)
      yield* Fiber.interrupt(second)
      if (kind !== "HTTP/2") yield* eventually("its connection ends", () => ends.length === 1)
      respond.pop()!()
      assert.deepStrictEqual(yield* Fiber.join(first), {})
      assert.deepStrictEqual(ends, kind === "HTTP/2" ? [] : ["reset"])
    }))
})

it.scopedLive("a response over HTTP/1 that is not read to its end resets its connection", () =>
  Effect.gen(function*() {
    const { ends, origin } = yield* serve("HTTP/1", (_, response) => void response.write("{"))
    const { open } = yield* clientOf(origin)
    yield* Effect.scoped(Effect.flatMap(open("/first"), ({ bytes }) => Stream.runHead(bytes)))
    yield* eventually("its connection ends", () => ends.length === 1)
    assert.deepStrictEqual(ends, ["reset"])
  }))

/** A server in a namespace, which writes the paths that it gets. */
const program = `require("node:http").createServer((request, response) => {
  console.log(request.url)
  if (request.url !== "/held") response.end("{}")
}).listen(8080, process.argv[1], () => console.log("listens"))`

describe.skipIf(!Network.isSupported)("a network that fails, and recovers", () => {
  it.scopedLive("does not deliver a request that was interrupted meanwhile", () =>
    Effect.gen(function*() {
      const network = yield* Network.make
      const [command = "", ...args] = network.within
      const child = yield* Effect.acquireRelease(
        Effect.sync(() => spawn(command, [...args, process.execPath, "-e", program, network.there])),
        (child) => Effect.sync(() => child.kill("SIGKILL"))
      )
      let said = ""
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        said += text
      })
      yield* eventually("the server listens", () => said !== "")
      const origin = `http://${network.there}:8080`
      const { call } = yield* clientOf(origin)
      // An agent of one's own closes its connections, so that this one's request shows when it could have arrived.
      const agent = yield* Effect.acquireRelease(
        Effect.sync(() => new Undici.Agent()),
        (agent) => Effect.promise(() => agent.destroy())
      )
      const polite = yield* Layer.build(
        mailstream(
          origin,
          {},
          UndiciTransport.layerWithoutDispatcher.pipe(
            Layer.provide(Layer.succeed(UndiciTransport.Dispatcher, agent))
          )
        )
      ).pipe(Effect.map(Context.get(ApiClient)))
      const politely = (path: `/${string}`) =>
        polite.call({ name: "Test.send", method: "POST", path, json: "{}", schema: Schema.Unknown })
      yield* Effect.zip(call("/first"), politely("/first"), { concurrent: true })
      yield* network.isolate
      const sent = yield* Effect.forEach([call("/reset"), politely("/closed")], Effect.fork)
      // What was sent has left when a timer fires.
      yield* Effect.sleep(1)
      yield* Fiber.interruptAll(sent)
      yield* network.heal
      yield* eventually("the system sends again", () => said.includes("/closed"))
      yield* stalled("nothing else arrives", () => said.length)
      yield* call("/last")
      yield* eventually("the last one arrives", () => said.includes("/last"))
      assert.deepStrictEqual(said.trim().split("\n"), ["listens", "/first", "/first", "/closed", "/last"])
    }))
})

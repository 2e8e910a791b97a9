import { FetchHttpClient, type HttpClient } from "@effect/platform"
import { NodeHttpClient } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { type Contact, ContactId, type InvalidOption, Page } from "@mailstream/core"
import type { Transport } from "@mailstream/http"
import { Mailstream } from "@mailstream/http"
import * as FetchTransport from "@mailstream/http/FetchTransport"
import * as HttpClientTransport from "@mailstream/http/HttpClientTransport"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import { contacts, Progress, RetryPolicy } from "@mailstream/stream"
import { stalled } from "@mailstream/testing/Eventually"
import { serve } from "@mailstream/testing/HttpServer"
import { idOf } from "@mailstream/testing/Sample"
import { Chunk, Deferred, Effect, Fiber, Layer, Option, Redacted, Runtime, Stream } from "effect"
import { randomBytes } from "node:crypto"
import type { IncomingMessage } from "node:http"
import { type AddressInfo, createServer, type Server } from "node:net"
import { Worker } from "node:worker_threads"
import { gzipSync } from "node:zlib"
import { all, responseTo } from "./support/bare.ts"
import { claiming, turns } from "./support/turns.ts"

const collect = <A, E, R>(stream: Stream.Stream<A, E, R>) =>
  Effect.map(Stream.runCollect(stream), Chunk.toReadonlyArray)

const onHttpClient = (client: Layer.Layer<HttpClient.HttpClient>) => Layer.provide(HttpClientTransport.layer, client)

const transports = [
  ["undici", UndiciTransport.layer],
  ["HttpClient on undici", onHttpClient(NodeHttpClient.layerUndici)],
  ["fetch", FetchTransport.layer],
  ["HttpClient on fetch", onHttpClient(FetchHttpClient.layer)],
  ["HttpClient on node:http", onHttpClient(NodeHttpClient.layer)]
] as const

const on = (baseUrl: string, transport: Layer.Layer<Transport.Transport, InvalidOption>) =>
  Mailstream.layer({ baseUrl, apiKey: Redacted.make("re_1"), rateLimit: false }).pipe(
    Layer.provide(transport),
    Layer.orDie
  )

const whole = (request: IncomingMessage): boolean => !request.url!.includes("limit=")

for (const [name, transport] of transports) {
  describe(`bytes on the wire, through ${name}`, () => {
    it.scopedLive("`whole` continues in pages if the connection breaks", () =>
      Effect.gen(function*() {
        const requested: Array<string> = []
        let breakConnection = () => {}
        const url = yield* serve((request, response) => {
          requested.push(request.url!)
          if (!whole(request)) return response.end(responseTo(request))
          const text = JSON.stringify(Page.make(all, false))
          response.write(text.slice(0, text.length / 2))
          breakConnection = () => response.destroy()
        })
        /** The connection breaks when an item has arrived that is in the half that is sent. */
        const breaking = <E, R>(stream: Stream.Stream<Contact, E, R>) =>
          Stream.tap(stream, ({ id }) =>
            Effect.sync(() => {
              if (id === all[200]!.id) breakConnection()
            }))
        const retry = RetryPolicy.make({ times: 3, base: "1 millis", cap: "1 second" })
        assert.deepStrictEqual(
          yield* Effect.provide(collect(breaking(contacts.whole({ retry }))), on(url, transport)),
          all
        )
        assert.deepStrictEqual(requested.length, 4)
        const { error, items } = yield* Effect.gen(function*() {
          const items: Array<Contact> = []
          const error = yield* contacts.whole({ retry: RetryPolicy.none }).pipe(
            breaking,
            Stream.runForEach((contact) => Effect.sync(() => items.push(contact))),
            Effect.flip
          )
          return { error, items }
        }).pipe(Effect.provide(on(url, transport)))
        assert.include(["TransportError", "UnexpectedResponse"], error._tag)
        assert.isAbove(items.length, 200)
        assert.deepStrictEqual(items, all.slice(0, items.length))
      }))

    it.scopedLive("the first items are emitted before the last byte is sent, in any chunks", () =>
      Effect.gen(function*() {
        const runtime = yield* Effect.runtime()
        const first = yield* Deferred.make<Contact>()
        let isSent = false
        const sentAtFirst: Array<boolean> = []
        const bytes = Buffer.from(JSON.stringify(Page.make(all, false)))
        const url = yield* serve((_, response) => {
          // In the middle of a character.
          response.write(bytes.subarray(0, bytes.indexOf("🙈") + 2))
          response.write(bytes.subarray(bytes.indexOf("🙈") + 2, 2000))
          Runtime.runCallback(runtime)(Deferred.await(first), {
            onExit: () => {
              isSent = true
              response.end(bytes.subarray(2000))
            }
          })
        })
        const read = yield* contacts.whole().pipe(
          Stream.tap((contact) => {
            sentAtFirst.push(isSent)
            return Deferred.succeed(first, contact)
          }),
          collect,
          Effect.provide(on(url, transport)),
          claiming("an item is emitted before the last byte is sent")
        )
        assert.isFalse(sentAtFirst[0])
        assert.deepStrictEqual(read, all)
      }))

    it.scopedLive("nothing is read ahead of the consumer, and stopping closes the connection", () =>
      Effect.gen(function*() {
        let written = 0
        const isComplete = yield* Deferred.make<boolean>()
        const url = yield* serve((_, response) => {
          const part = JSON.stringify(all).slice(1, -1)
          response.write("{\"object\":\"list\",\"has_more\":false,\"data\":[")
          const more = (): void => {
            while (!response.destroyed) {
              written += part.length
              if (!response.write(`${part},`)) return void response.once("drain", more)
            }
          }
          response.once("close", () => Deferred.unsafeDone(isComplete, Effect.succeed(response.writableFinished)))
          more()
        })
        // The maximum that the sockets and the stream buffer: the response never ends.
        const most = 20_000_000
        let count = 0
        const taken = yield* contacts.whole().pipe(
          Stream.tap(() =>
            ++count === 100
              ? Effect.tap(stalled("the server has to wait", () => written, most), () => assert.isBelow(written, most))
              : Effect.void
          ),
          Stream.take(200),
          collect,
          Effect.provide(on(url, transport))
        )
        assert.deepStrictEqual(taken, all.slice(0, 200))
        assert.isFalse(yield* claiming("stopping closes the connection")(Deferred.await(isComplete)))
      }))

    it.scopedLive("interruption closes the connection of a page and of `whole`", () =>
      Effect.gen(function*() {
        for (const stream of [contacts.items(), contacts.items({ prefetch: 2 }), contacts.whole()]) {
          const opened = yield* Deferred.make<void>()
          const isComplete = yield* Deferred.make<boolean>()
          const url = yield* serve((_, response) => {
            response.once("close", () => Deferred.unsafeDone(isComplete, Effect.succeed(response.writableFinished)))
            response.write("{\"object\":\"list\",")
            Deferred.unsafeDone(opened, Effect.void)
          })
          const fiber = yield* Effect.fork(Effect.provide(Stream.runHead(stream), on(url, transport)))
          yield* Deferred.await(opened)
          yield* turns(100)
          assert.isTrue(Option.isNone(yield* Fiber.poll(fiber)))
          yield* Fiber.interrupt(fiber)
          assert.isFalse(yield* claiming("interruption closes the connection")(Deferred.await(isComplete)))
        }
      }))
  })
}

/** A server in a separate thread: ten contacts, one per page. It counts the requests in shared memory. */
const elsewhere = Effect.acquireRelease(
  Effect.async<{ readonly url: string; readonly requests: Int32Array; readonly worker: Worker }>((resume) => {
    const requests = new Int32Array(new SharedArrayBuffer(4))
    const worker = new Worker(
      `const { parentPort, workerData } = require("node:worker_threads")
       const server = require("node:http").createServer((request, response) => {
         Atomics.add(workerData.requests, 0, 1)
         Atomics.notify(workerData.requests, 0)
         const after = /after=(.*)/.exec(request.url)?.[1]
         const index = workerData.all.findIndex(({ id }) => id === after) + 1
         const data = workerData.all.slice(index, index + 1)
         response.end(JSON.stringify({ object: "list", has_more: index + 1 < workerData.all.length, data }))
       })
       server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port))`,
      { eval: true, workerData: { requests, all: all.slice(0, 10) } }
    )
    worker.once("message", (port) => resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, requests, worker })))
  }),
  ({ worker }) => Effect.promise(() => worker.terminate())
)

describe.each(transports)("prefetch, through %s", (_, transport) => {
  it.scopedLive("sends the next request even if the consumer blocks the event loop", () =>
    Effect.gen(function*() {
      const { requests, url } = yield* elsewhere
      const progress = yield* Progress.make
      /** Waits until a number of pages have arrived. */
      const received = (count: number) => Stream.runHead(Stream.filter(progress.changes, ({ pages }) => pages >= count))
      const pages = yield* contacts.pages({ pageSize: 1, prefetch: 1, progress }).pipe(
        Stream.zipWithIndex,
        Stream.mapEffect(([page, index]) =>
          Effect.as(
            Effect.zipRight(
              Effect.sync(() => arrived(requests, page.has_more ? index + 2 : index + 1)),
              // After every other page, the next one has arrived in the meantime.
              page.has_more && index % 2 === 1 ? received(index + 2) : Effect.void
            ),
            page.data
          )
        ),
        collect,
        Effect.provide(on(url, transport))
      )
      assert.deepStrictEqual(pages.flat(), all.slice(0, 10))
    }))
})

/** Blocks this thread until N requests have arrived. */
const arrived = (requests: Int32Array, count: number): void => {
  for (let before = Atomics.load(requests, 0); before < count; before = Atomics.load(requests, 0)) {
    assert.notStrictEqual(Atomics.wait(requests, 0, before, 5000), "timed-out", `request ${count} was not sent`)
  }
}

describe("a server that closes its connection before a slow consumer has read the response", () => {
  /** More than any buffer between the server and the consumer. */
  const many = Array.from(
    { length: 40 },
    (_, round) =>
      all.map((contact, n) => ({
        ...contact,
        id: ContactId.make(idOf(round * all.length + n)),
        last_name: randomBytes(30).toString("hex")
      }))
  ).flat()
  const text = Buffer.from(JSON.stringify(Page.make(many, false)))

  it.scopedLive.each([
    ["HTTP/1.1 200 OK\r\nconnection: close", false, true],
    ["HTTP/1.1 200 OK\r\nconnection: close", true, true],
    ["HTTP/1.1 200 OK\r\nconnection: close", true, false],
    ["HTTP/1.1 200 OK\r\nconnection: close", false, false],
    ["HTTP/1.0 200 OK", true, false]
  ])(
    "does not end the process: %s, gzip %s, with its length %s",
    ([head, isCompressed, hasLength]) =>
      Effect.gen(function*() {
        const body = isCompressed ? gzipSync(text) : text
        const headers = [
          head,
          "content-type: application/json",
          ...(isCompressed ? ["content-encoding: gzip"] : []),
          ...(hasLength ? [`content-length: ${body.length}`] : [])
        ]
        const server = yield* Effect.acquireRelease(
          Effect.async<Server>((resume) => {
            const server = createServer((socket) => {
              socket.on("error", () => {}).once("data", () => {
                socket.write(`${headers.join("\r\n")}\r\n\r\n`)
                socket.end(body)
              })
            }).listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
          }),
          (server) => Effect.sync(() => server.close())
        )
        const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
        let count = 0
        const walked = yield* contacts.whole({ retry: RetryPolicy.none }).pipe(
          Stream.tap(() => ++count % 1000 === 0 ? turns(20) : Effect.void),
          Stream.map(({ id }) => id),
          collect,
          Effect.provide(on(url, UndiciTransport.layer))
        )
        assert.deepStrictEqual(walked, many.map(({ id }) => id))
      })
  )
})

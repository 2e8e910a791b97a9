import { assert, describe, it } from "@effect/vitest"
import { isTransient } from "@mailstream/core"
import { Contacts } from "@mailstream/http"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import { eventually, stalled } from "@mailstream/testing/Eventually"
import { Chunk, Deferred, Effect, Fiber, Layer, Stream } from "effect"
import { pipeline, Readable } from "node:stream"
import { promisify } from "node:util"
import * as Zlib from "node:zlib"
import * as Undici from "undici"
import { emptyList, mailstream, type Respond, serve, text } from "./support/wire.ts"

const { createGzip, gzipSync } = Zlib

const list = Effect.flatMap(Contacts, (contacts) => contacts.list())

/** Runs a consumer of the bytes of the list. */
const read = <A, E>(consume: (bytes: Stream.Stream<Uint8Array, unknown>) => Effect.Effect<A, E>) =>
  Effect.flatMap(Contacts, (contacts) => contacts.open(undefined)).pipe(
    Effect.flatMap(({ bytes }) => consume(bytes)),
    Effect.scoped
  )

const encoded = (encoding: string, body: Buffer): Respond => (response) => {
  response.writeHead(200, { "content-type": "application/json", "content-encoding": encoding }).end(body)
}

const plain = JSON.stringify({ ...emptyList, note: " ".repeat(1000) })

const zstd = "zstdCompressSync" in Zlib && typeof Zlib.zstdCompressSync === "function"
  ? Zlib.zstdCompressSync
  : undefined

describe("UndiciTransport", () => {
  it.scopedLive.each(
    [["br", Zlib.brotliCompressSync], ["deflate", Zlib.deflateSync]] as const
  )("ends a response that does not end with its compressed data: %s", ([encoding, compress]) =>
    Effect.gen(function*() {
      const closed = yield* Deferred.make<void>()
      const server = yield* serve((response) => {
        response.on("close", () => Deferred.unsafeDone(closed, Effect.void))
        response.writeHead(200, { "content-type": "application/json", "content-encoding": encoding })
        response.write(Buffer.concat([compress(plain), Buffer.from("x")]))
      })
      yield* Effect.gen(function*() {
        assert.deepStrictEqual((yield* list).data, [])
        yield* Deferred.await(closed)
      }).pipe(Effect.provide(mailstream(server.baseUrl)))
    }))

  it.scopedLive("asks for the encodings that it can undo", () =>
    Effect.gen(function*() {
      const server = yield* serve((response, request) => {
        const asked = String(request.headers["accept-encoding"]).split(", ")
        assert.sameMembers(asked, ["gzip", "br", ...zstd === undefined ? [] : ["zstd"]])
        encoded("gzip", gzipSync(plain))(response, request)
      })
      assert.deepStrictEqual((yield* Effect.provide(list, mailstream(server.baseUrl))).data, [])
    }))

  it.scopedLive("undoes zstd if Node can, and otherwise says that it cannot", () =>
    Effect.gen(function*() {
      const server = yield* serve(encoded("zstd", zstd === undefined ? Buffer.from("…") : zstd(plain)))
      const result = yield* Effect.either(Effect.provide(list, mailstream(server.baseUrl)))
      if (zstd !== undefined) assert.strictEqual(result._tag, "Right")
      else assert(result._tag === "Left" && result.left.message.includes("content-encoding zstd"))
    }))

  it.scopedLive.each(["x-pack", "gzip, x-pack", "utf-8", "gzip, gzip, gzip, gzip"])(
    "rejects %s before any of the body arrives",
    (encoding) =>
      Effect.gen(function*() {
        const server = yield* serve((response) =>
          response.writeHead(200, { "content-type": "application/json", "content-encoding": encoding }).flushHeaders()
        )
        // The client remains in use, so that nothing but the rejection closes the connection.
        const services = yield* Layer.build(mailstream(server.baseUrl, { timeout: "1 hour" }))
        for (const call of [list, read(Stream.runDrain)]) {
          const error = yield* Effect.flip(Effect.provide(call, services))
          assert.include(error, { _tag: "UnexpectedResponse", reason: "NotText" })
          assert.include(String(error), `with content-encoding ${encoding}`)
        }
        yield* eventually("both requests are aborted", () => server.aborted() === 2)
      })
  )

  it.scopedLive.each(
    [
      ["gzip, identity", gzipSync(plain)],
      ["identity, GZIP", gzipSync(plain)],
      [", gzip ,", gzipSync(plain)],
      ["identity, identity", Buffer.from(plain)]
    ] as const
  )("reads %s, in which some encodings mean nothing", ([encoding, body]) =>
    Effect.gen(function*() {
      const server = yield* serve(encoded(encoding, body))
      yield* Effect.provide(list, mailstream(server.baseUrl))
      const text = yield* Effect.provide(
        read((bytes) => Stream.mkString(Stream.decodeText(bytes))),
        mailstream(server.baseUrl)
      )
      assert.strictEqual(text, plain)
    }))

  it.scopedLive("rejects what follows the end of a gzip body, and ignores it after others", () =>
    Effect.gen(function*() {
      const junk = Buffer.from("junk")
      const gzip = yield* serve(encoded("gzip", Buffer.concat([gzipSync(plain), junk])))
      const error = yield* Effect.flip(Effect.provide(list, mailstream(gzip.baseUrl)))
      assert.include(error, { _tag: "UnexpectedResponse", reason: "NotText" })
      assert.isFalse(isTransient(error))
      for (const [encoding, compress] of [["deflate", Zlib.deflateSync], ["br", Zlib.brotliCompressSync]] as const) {
        const server = yield* serve(encoded(encoding, Buffer.concat([compress(plain), junk])))
        yield* Effect.provide(list, mailstream(server.baseUrl))
      }
    }))

  it.scopedLive("reports a connection that breaks in the middle of a compressed body as lost", () =>
    Effect.gen(function*() {
      const server = yield* serve((response) => {
        const body = gzipSync(plain)
        response.writeHead(200, { "content-encoding": "gzip", "content-length": String(body.length) })
        response.write(body.subarray(0, 20), () => response.destroy())
      })
      for (const call of [list, read(Stream.runDrain)]) {
        assert.include(yield* Effect.flip(Effect.provide(call, mailstream(server.baseUrl))), {
          _tag: "TransportError",
          reason: "Lost"
        })
      }
    }))

  it.scopedLive("uses a connection again after a compressed body", () =>
    Effect.gen(function*() {
      const sockets = new Set<unknown>()
      const server = yield* serve((response, request) => {
        sockets.add(response.socket)
        encoded("gzip", gzipSync(plain))(response, request)
      })
      yield* Effect.provide(Effect.repeatN(list, 4), mailstream(server.baseUrl, { rateLimit: false }))
      assert.strictEqual(sockets.size, 1)
    }))

  it.scopedLive("leaves alone what an interceptor has decompressed", () =>
    Effect.gen(function*() {
      const server = yield* serve(encoded("gzip", gzipSync(plain)))
      const decompressing = new Undici.Agent().compose((dispatch) => (options, handler) => {
        const decompress = Zlib.createGunzip()
        return dispatch(options, {
          onRequestStart: (...start) => handler.onRequestStart?.(...start),
          onResponseStart: (controller, status, { "content-encoding": _, ...headers }) => {
            decompress.on("data", (bytes) => handler.onResponseData?.(controller, bytes))
            decompress.on("end", () => handler.onResponseEnd?.(controller, {}))
            handler.onResponseStart?.(controller, status, headers)
          },
          onResponseData: (_, chunk) => void decompress.write(chunk),
          onResponseEnd: () => void decompress.end(),
          onResponseError: (...error) => handler.onResponseError?.(...error)
        })
      })
      const transport = UndiciTransport.layerWithoutDispatcher.pipe(
        Layer.provide(Layer.succeed(UndiciTransport.Dispatcher, decompressing))
      )
      yield* Effect.provide(list, mailstream(server.baseUrl, {}, transport))
    }))

  describe("a compressed body that never ends", () => {
    /** How many bytes may wait for the consumer: 256 KiB, and what was on its way when they were complete. */
    const ahead = 512 * 1024

    /** How many bytes before compression were written, and whether the client closed the connection. */
    const endless = (level: number, byte: Buffer) =>
      Effect.gen(function*() {
        const closed = yield* Deferred.make<void>()
        const sent = { bytes: 0 }
        const block = Buffer.concat(Array.from({ length: 1024 }, () => byte))
        const server = yield* serve((response) => {
          const blocks = Readable.from((function*() {
            while (!response.destroyed) {
              sent.bytes += block.length
              yield block
            }
          })())
          response.once("close", () => Deferred.unsafeDone(closed, Effect.void))
          response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" })
          pipeline(blocks, createGzip({ level }), response, () => {})
        })
        return { baseUrl: server.baseUrl, sent, closed: Deferred.await(closed) }
      })

    it.scopedLive("is rejected when it is larger than allowed, however small it was on the wire", () =>
      Effect.gen(function*() {
        const { baseUrl, closed } = yield* endless(9, Buffer.alloc(1024, " "))
        const error = yield* Effect.flip(Effect.provide(list, mailstream(baseUrl, { maxBodySize: 4 * 1024 * 1024 })))
        assert.include(error, { _tag: "UnexpectedResponse", reason: "TooLarge" })
        yield* closed
      }))

    it.scopedLive("is not received ahead of the consumer, and stopping closes the connection", () =>
      Effect.gen(function*() {
        // Not compressed any further, so that all bytes count.
        const { baseUrl, closed, sent } = yield* endless(0, Buffer.from("x"))
        /** What the sockets and the server's streams buffer on top of that. */
        const most = 20_000_000
        let received = 0
        const counting = new Undici.Agent().compose((dispatch) => (options, handler) =>
          dispatch(options, {
            onRequestStart: (...start) => handler.onRequestStart?.(...start),
            onResponseStart: (...response) => handler.onResponseStart?.(...response),
            onResponseData: (controller, chunk) => {
              received += chunk.length
              handler.onResponseData?.(controller, chunk)
            },
            onResponseEnd: (...end) => handler.onResponseEnd?.(...end),
            onResponseError: (...error) => handler.onResponseError?.(...error)
          })
        )
        const transport = UndiciTransport.layerWithoutDispatcher.pipe(
          Layer.provide(Layer.succeed(UndiciTransport.Dispatcher, counting))
        )
        let taken = 0
        yield* Effect.provide(
          read((bytes) =>
            bytes.pipe(
              Stream.chunks,
              Stream.take(10),
              Stream.runForEach((chunk) => {
                taken += Chunk.reduce(chunk, 0, (sum, piece) => sum + piece.length)
                return Effect.zipRight(
                  stalled("the server has to wait", () => sent.bytes, taken + most),
                  Effect.sync(() => {
                    assert.isAtMost(received, taken + ahead)
                    assert.isAtMost(sent.bytes, taken + most)
                  })
                )
              })
            )
          ),
          mailstream(baseUrl, {}, transport)
        )
        assert.isAbove(taken, 0)
        yield* closed
      }))

    it.scopedLive("is not decompressed ahead of the consumer, however much comes of a few bytes", () =>
      Effect.gen(function*() {
        const { baseUrl, closed } = yield* endless(9, Buffer.alloc(1024, " "))
        // While the consumer is busy, 16 MiB could be decompressed: others have been.
        const much = gzipSync(Buffer.alloc(16 * 1024 * 1024, " "))
        const busy = Effect.promise(() => promisify(Zlib.gunzip)(much))
        const sizes = yield* Effect.provide(
          read((bytes) =>
            bytes.pipe(
              Stream.chunks,
              Stream.map(Chunk.reduce(0, (sum: number, piece: Uint8Array) => sum + piece.length)),
              Stream.tap(() => busy),
              Stream.take(10),
              Stream.runCollect
            )
          ),
          mailstream(baseUrl)
        )
        for (const size of sizes) assert.isAtMost(size, ahead)
        yield* closed
      }))

    it.scopedLive("is left when the consumer is interrupted", () =>
      Effect.gen(function*() {
        for (const call of [list, read(Stream.runForEach(() => Effect.never))]) {
          const { baseUrl, closed, sent } = yield* endless(9, Buffer.alloc(1024, " "))
          const fiber = yield* Effect.fork(
            Effect.provide(call, mailstream(baseUrl, { maxBodySize: Number.MAX_SAFE_INTEGER }))
          )
          yield* eventually("the server begins to send", () => sent.bytes > 0)
          yield* Fiber.interrupt(fiber)
          yield* closed
        }
      }))
  })

  it.scopedLive("still reads what is not compressed", () =>
    Effect.gen(function*() {
      const server = yield* serve(text(200, plain))
      yield* Effect.provide(list, mailstream(server.baseUrl))
    }))
})

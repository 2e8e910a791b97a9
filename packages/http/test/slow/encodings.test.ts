import { FetchHttpClient } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { isTransient, type RequestError } from "@mailstream/core"
import { Contacts } from "@mailstream/http"
import * as FetchTransport from "@mailstream/http/FetchTransport"
import { settle } from "@mailstream/testing/Clock"
import * as HttpServer from "@mailstream/testing/HttpServer"
import { Chunk, Effect, Either, Fiber, Stream, TestClock } from "effect"
import { type AddressInfo, createServer } from "node:net"
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib"
import { emptyList, mailstream, transports } from "../support/wire.ts"

interface Encoded {
  readonly encoding: string
  readonly body: Buffer
  readonly status?: number
  /** How many milliseconds after the headers the body comes. */
  readonly delay?: number
}

/** A server on a raw socket, which leaves connections open: a client must not wait for their end. */
const serve = ({ body, delay = 0, encoding, status = 200 }: Encoded) =>
  Effect.acquireRelease(
    Effect.async<ReturnType<typeof createServer>>((resume) => {
      const length = status === 204 ? "" : `content-length: ${body.length}\r\n`
      const server = createServer((socket) => {
        socket.on("error", () => {})
        socket.on("data", () => {
          socket.write(
            `HTTP/1.1 ${status} Status\r\ncontent-type: application/json\r\n` +
              `content-encoding: ${encoding}\r\n${length}\r\n`
          )
          setTimeout(() => socket.write(body), delay)
        })
      }).listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.sync(() => void server.close())
  ).pipe(Effect.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`))

const list = Effect.flatMap(Contacts, (contacts) => Effect.asVoid(contacts.list()))

/** All bytes of the list, as they arrive. */
const open = Effect.scoped(
  Effect.flatMap(
    Contacts,
    (contacts) => Effect.flatMap(contacts.open(undefined), ({ bytes }) => Stream.runCollect(bytes))
  )
)

const read = Effect.asVoid(open)

const plain = Buffer.from(JSON.stringify({ ...emptyList, note: " ".repeat(1000) }))
const packed = gzipSync(plain)

describe.each(transports)("content-encoding over %s", (name, transport) => {
  const unpacks = name === "undici" || name.endsWith("fetch")
  /** Gzip is undone for clients that undo nothing. */
  const reads = (encoding: string) => unpacks || /^(identity|gzip|x-gzip)$/i.test(encoding)

  const check = (error: RequestError) => {
    assert(error._tag === "UnexpectedResponse")
    assert.strictEqual(error.reason, "NotText")
    assert.isFalse(isTransient(error))
    return error.message
  }

  it.scopedLive("is asked for, and the limit of a body applies to what is decompressed", () =>
    Effect.gen(function*() {
      const asked: Array<string> = []
      const server = yield* HttpServer.serve((request, response) => {
        asked.push(String(request.headers["accept-encoding"]))
        response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end(packed)
      })
      const within = (maxBodySize: number) => Effect.provide(list, mailstream(server, { maxBodySize }, transport))
      yield* within(plain.length)
      const error = yield* Effect.flip(within(plain.length - 1))
      assert.include(error, { _tag: "UnexpectedResponse", reason: "TooLarge" })
      assert.strictEqual(asked.length, 2)
      for (const encodings of asked) assert.include(encodings.split(", "), "gzip")
    }))

  it.scopedLive("of a body that is compressed piece by piece, and read so", () =>
    Effect.gen(function*() {
      const list = Buffer.from(JSON.stringify({ ...emptyList, note: Array.from({ length: 1e5 }, (_, n) => n) }))
      const body = gzipSync(list)
      const baseUrl = yield* HttpServer.serve((_, response) => {
        response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" })
        for (const byte of body.subarray(0, 20)) response.write(Buffer.of(byte))
        response.end(body.subarray(20))
      })
      const pieces = yield* Effect.provide(open, mailstream(baseUrl, {}, transport))
      assert.isAbove(pieces.length, 1)
      assert.strictEqual(Buffer.concat(Chunk.toReadonlyArray(pieces)).toString(), list.toString())
    }))

  it.scopedLive.each(["gzip", "deflate", "br"])(
    "%s, of a body that is not: read, or rejected",
    (encoding) =>
      Effect.gen(function*() {
        const baseUrl = yield* serve({ encoding, body: plain })
        for (const call of [list, read]) {
          const result = yield* Effect.either(
            Effect.provide(call, mailstream(baseUrl, { timeout: "1 second" }, transport))
          )
          // Node's `fetch` does not always notice.
          if (result._tag === "Left" && (name === "undici" || result.left._tag !== "TransportError")) {
            assert.include(check(result.left), `with content-encoding ${encoding}`)
          }
          assert.strictEqual(result._tag, unpacks ? "Left" : "Right")
        }
      })
  )

  it.scopedLive.each(
    [
      ["identity", plain],
      ["Identity", plain],
      ["GZIP", packed],
      ["x-gzip", packed],
      ["deflate", deflateSync(plain)],
      ["br", brotliCompressSync(plain)],
      ["gzip, br", brotliCompressSync(packed)],
      ["gzip, gzip, gzip", gzipSync(gzipSync(packed))],
      // Compressed in two parts, and padded.
      ["gzip", Buffer.concat([gzipSync(plain.subarray(0, 9)), gzipSync(plain.subarray(9)), Buffer.alloc(9)])]
    ] as const
  )("%s is undone", ([encoding, body]) =>
    Effect.gen(function*() {
      const baseUrl = yield* serve({ encoding, body })
      const layer = mailstream(baseUrl, { timeout: "1 second" }, transport)
      if (!reads(encoding)) {
        assert.include(check(yield* Effect.flip(Effect.provide(list, layer))), `content-encoding ${encoding}`)
      } else {
        yield* Effect.provide(list, layer)
        const pieces = yield* Effect.provide(open, layer)
        assert.strictEqual(Buffer.concat(Chunk.toReadonlyArray(pieces)).toString(), plain.toString())
      }
    }))

  it.scopedLive.each([["gzip", 200], ["br", 200], ["gzip", 204]] as const)(
    "%s, of an empty body with status %i, means nothing",
    ([encoding, status]) =>
      Effect.gen(function*() {
        const baseUrl = yield* serve({ encoding, status, body: Buffer.alloc(0) })
        const layer = mailstream(baseUrl, { timeout: "1 second" }, transport)
        const error = yield* Effect.flip(Effect.provide(list, layer))
        assert.include(error, { _tag: "UnexpectedResponse", reason: "NotJson" })
        assert.include(error.message, "found an empty body")
        assert.deepStrictEqual(Chunk.toReadonlyArray(yield* Effect.provide(open, layer)), [])
      })
  )

  it.scopedLive.each([["gzip", packed], ["deflate", deflateSync(plain)], ["br", brotliCompressSync(plain)]] as const)(
    "%s, of a body that is truncated: a failure that may be retried",
    ([encoding, complete]) =>
      Effect.gen(function*() {
        const baseUrl = yield* serve({ encoding, body: complete.subarray(0, complete.length - 12) })
        const error = yield* Effect.flip(
          Effect.provide(list, mailstream(baseUrl, { timeout: "1 second" }, transport))
        )
        if (reads(encoding)) assert.isTrue(isTransient(error), error.message)
        else check(error)
        if (name === "undici") assert.include(error, { _tag: "TransportError", reason: "Lost" })
      })
  )

  it.scopedLive("of an error does not hide its status", () =>
    Effect.gen(function*() {
      const baseUrl = yield* serve({ encoding: "x-pack", body: packed, status: 503 })
      for (const call of [list, read]) {
        const error = yield* Effect.flip(Effect.provide(call, mailstream(baseUrl, {}, transport)))
        assert.include(error, { _tag: "api_error", statusCode: 503 })
        assert.include(error.message, `GET ${baseUrl}/contacts: status 503: not JSON, content-encoding x-pack`)
      }
    }))

  it.scopedLive("of a body that is not compressed, and comes late: rejected at the second attempt at the latest", () =>
    Effect.gen(function*() {
      const baseUrl = yield* serve({ encoding: "gzip", body: plain, delay: 50 })
      const attempts = yield* Effect.gen(function*() {
        return [yield* Effect.either(list), yield* Effect.either(list), yield* Effect.either(read)]
      }).pipe(Effect.provide(mailstream(baseUrl, { timeout: "1 second" }, transport)))
      for (const [index, attempt] of attempts.entries()) {
        if (!unpacks) assert.strictEqual(attempt._tag, "Right")
        // As slow as a server that is slow, until the client asks for a body that is not compressed.
        else if (name === "undici" || index > 0) check(Either.getOrThrow(Either.flip(attempt)))
        else assert.strictEqual(attempt._tag, "Left")
      }
    }))

  it.scopedLive("of an error that cannot be decompressed does not hide its status, unless it cannot be read", () =>
    Effect.gen(function*() {
      const baseUrl = yield* serve({ encoding: "gzip", body: Buffer.from("<h1>Oh</h1>"), status: 503 })
      for (const call of [list, read]) {
        const error = yield* Effect.flip(
          Effect.provide(call, mailstream(baseUrl, { timeout: "1 second" }, transport))
        )
        assert.isTrue(isTransient(error))
        if ("statusCode" in error) assert.strictEqual(error.statusCode, 503)
        else assert(name.endsWith("fetch") && error._tag === "TransportError" && error.reason === "Timeout")
      }
    }))
})

describe("FetchTransport, on a body that `fetch` cannot decompress", () => {
  it.effect("says how it is compressed", () =>
    Effect.gen(function*() {
      const cause = Object.assign(new Error("incorrect header check"), { code: "Z_DATA_ERROR" })
      const fetch = () => {
        const bytes = new ReadableStream({ start: (body) => body.error(new TypeError("terminated", { cause })) })
        return Promise.resolve(new Response(bytes, { headers: { "content-encoding": "gzip" } }))
      }
      for (const call of [list, read]) {
        const error = yield* call.pipe(
          Effect.flip,
          Effect.provide(mailstream("http://localhost", {}, FetchTransport.layer)),
          Effect.provideService(FetchHttpClient.Fetch, fetch)
        )
        assert.include(error, { _tag: "UnexpectedResponse", reason: "NotText" })
        assert.include(error.message, "with content-encoding gzip")
      }
    }))
})

describe("FetchTransport, after a compressed body that never began to arrive", () => {
  interface Script {
    readonly encoding?: string
    /** What of the body arrives; without `ends`, more is waited for. */
    readonly body?: string
    readonly ends?: boolean
    /** Whether not even the headers arrive. */
    readonly isSilent?: boolean
  }

  /** What the requests of a client ask for, one after the other, and how they end. */
  const asked = (call: typeof list, ...scripts: ReadonlyArray<Script>) =>
    Effect.gen(function*() {
      const requests: Array<readonly [accepted: string | null, hasKey: boolean]> = []
      const signals: Array<AbortSignal> = []
      const fetch: typeof globalThis.fetch = (_, init) => {
        const headers = new Headers(init?.headers)
        requests.push([headers.get("accept-encoding"), headers.has("authorization")])
        signals.push(init!.signal!)
        const { body, encoding, ends = false, isSilent = false } = scripts[requests.length - 1]!
        const bytes = new ReadableStream<Uint8Array>({
          start: (controller) => {
            if (body !== undefined) controller.enqueue(new TextEncoder().encode(body))
            if (ends) controller.close()
          }
        })
        const response = new Response(
          bytes,
          encoding === undefined ? {} : { headers: { "content-encoding": encoding } }
        )
        return isSilent ? new Promise(() => {}) : Promise.resolve(response)
      }
      const fiber = yield* Effect.forEach(scripts, () => Effect.either(call)).pipe(
        Effect.provide(mailstream("http://localhost", { timeout: "1 second", rateLimit: false }, FetchTransport.layer)),
        Effect.provideService(FetchHttpClient.Fetch, fetch),
        Effect.fork
      )
      for (const _ of scripts) yield* Effect.zipRight(settle, TestClock.adjust("1 second"))
      const results = yield* Fiber.join(fiber)
      return {
        asks: requests.map(([accepted]) => accepted),
        haveKeys: requests.every(([, hasKey]) => hasKey),
        areAborted: signals.map(({ aborted }) => aborted),
        results: results.map((result) =>
          Either.match(result, {
            onLeft: (error) => "reason" in error ? error.reason : error._tag,
            onRight: () => "ok"
          })
        )
      }
    })

  const stalled = { encoding: "gzip" }
  const good = { body: JSON.stringify(emptyList), ends: true }

  it.effect.each([["a page", list], ["an open response", read]] as const)(
    "asks for %s that is not compressed, until it gets one",
    ([, call]) =>
      Effect.gen(function*() {
        const { areAborted, asks, haveKeys, results } = yield* asked(call, stalled, stalled, good, good)
        assert.deepStrictEqual(asks, [null, "identity", "identity", null])
        assert.deepStrictEqual(results, ["Timeout", "NotText", "ok", "ok"])
        assert.isTrue(haveKeys)
        assert.deepStrictEqual(areAborted.slice(0, 2), [true, true])
      })
  )

  it.effect.each([
    ["without headers", { isSilent: true }],
    ["that is not compressed", {}],
    ["that says so", { encoding: "identity" }],
    ["of which a part arrived", { encoding: "gzip", body: "{" }]
  ] as ReadonlyArray<readonly [string, Script]>)(
    "changes nothing after a response %s",
    ([, script]) =>
      Effect.gen(function*() {
        for (const call of [list, read]) {
          const { asks, results } = yield* asked(call, script, good)
          assert.deepStrictEqual(asks, [null, null])
          assert.deepStrictEqual(results, ["Timeout", "ok"])
        }
      })
  )
})

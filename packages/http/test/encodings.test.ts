import { assert, describe, it } from "@effect/vitest"
import { isTransient, type RequestError } from "@mailstream/core"
import { Contacts } from "@mailstream/http"
import { Effect, Either, Stream } from "effect"
import { type AddressInfo, createServer } from "node:net"
import { gzipSync } from "node:zlib"
import { emptyList, mailstream, transports } from "./support/wire.ts"

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
      const server = createServer((socket) => {
        socket.on("error", () => {})
        socket.on("data", () => {
          socket.write(
            `HTTP/1.1 ${status} Status\r\ncontent-type: application/json\r\n` +
              `content-encoding: ${encoding}\r\ncontent-length: ${body.length}\r\n\r\n`
          )
          setTimeout(() => socket.write(body), delay)
        })
      }).listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.sync(() => void server.close())
  ).pipe(Effect.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`))

const list = Effect.flatMap(Contacts, (contacts) => Effect.asVoid(contacts.list()))

/** Reads all bytes of the list as they arrive. */
const read = Effect.scoped(
  Effect.flatMap(
    Contacts,
    (contacts) => Effect.flatMap(contacts.open(undefined), ({ bytes }) => Stream.runDrain(bytes))
  )
)

const plain = Buffer.from(JSON.stringify({ ...emptyList, note: " ".repeat(1000) }))
const packed = gzipSync(plain)

describe.each(transports)("content-encoding over %s", (name, transport) => {
  const unpacks = name.endsWith("fetch")

  const check = (error: RequestError) => {
    assert(error._tag === "UnexpectedResponse")
    assert.strictEqual(error.reason, "NotText")
    assert.isFalse(isTransient(error))
    return error.message
  }

  it.scopedLive("of a body that is compressed: read, or rejected by name", () =>
    Effect.gen(function*() {
      const baseUrl = yield* serve({ encoding: "gzip", body: packed })
      const page = yield* Effect.either(Effect.provide(list, mailstream(baseUrl, {}, transport)))
      if (page._tag === "Left") assert.include(check(page.left), "not UTF-8, with content-encoding gzip")
      assert.strictEqual(page._tag, unpacks ? "Right" : "Left")
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
          if (result._tag === "Left" && result.left._tag !== "TransportError") {
            assert.include(check(result.left), `with content-encoding ${encoding}`)
          }
          assert.strictEqual(result._tag, unpacks ? "Left" : "Right")
        }
      })
  )

  it.scopedLive("of an error does not hide its status", () =>
    Effect.gen(function*() {
      const baseUrl = yield* serve({ encoding: "zstd", body: packed, status: 503 })
      for (const call of [list, read]) {
        const error = yield* Effect.flip(Effect.provide(call, mailstream(baseUrl, {}, transport)))
        assert.include(error, { _tag: "api_error", statusCode: 503 })
        assert.include(error.message, `GET ${baseUrl}/contacts: status 503: not JSON, content-encoding zstd`)
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
        else if (name === "fetch" && index > 0) check(Either.getOrThrow(Either.flip(attempt)))
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
        if ("statusCode" in error) assert.strictEqual(error.statusCode, 503)
        else assert(unpacks && error._tag === "TransportError" && error.reason === "Timeout")
      }
    }))
})

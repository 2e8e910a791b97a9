import { assert, describe, it } from "@effect/vitest"
import { Mailstream } from "@mailstream/http"
import * as FetchTransport from "@mailstream/http/FetchTransport"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import { contacts } from "@mailstream/stream"
import * as HttpServer from "@mailstream/testing/HttpServer"
import { contact, page } from "@mailstream/testing/Sample"
import { Effect, Layer, Redacted, Stream } from "effect"
import { gzipSync } from "node:zlib"

const transports = [["undici", UndiciTransport.layer], ["fetch", FetchTransport.layer]] as const

const list = JSON.stringify(page([3, 2, 1], false))

describe.each(transports)("a list that is read as it arrives, over %s", (_, transport) => {
  /** What `whole` returns for a body, its failure, and how many requests it took. */
  const read = (body: Buffer, headers: Record<string, string>) =>
    Effect.gen(function*() {
      let requests = 0
      const baseUrl = yield* HttpServer.serve((_, response) => {
        requests++
        response.writeHead(200, { "content-type": "application/json", ...headers }).flushHeaders()
        response.end(body)
      })
      const layer = Mailstream.layer({ baseUrl, apiKey: Redacted.make("re_1"), timeout: "2 seconds" }).pipe(
        Layer.provide(transport)
      )
      const items: Array<string> = []
      const result = yield* Stream.runForEach(contacts.whole(), ({ last_name }) =>
        Effect.sync(() => items.push(last_name ?? ""))).pipe(Effect.either, Effect.provide(layer))
      return { items, result, requests }
    })

  it.scopedLive("ends soon if it is not compressed as declared", () =>
    Effect.gen(function*() {
      const { requests, result } = yield* read(Buffer.from(list), { "content-encoding": "gzip" })
      if (result._tag === "Left") assert.include(result.left, { _tag: "UnexpectedResponse", reason: "NotText" })
      // Node's `fetch` may not notice at first.
      assert.isAtMost(requests, 2)
    }))

  it.scopedLive("is rejected by name if it is compressed in an unknown way", () =>
    Effect.gen(function*() {
      const { requests, result } = yield* read(gzipSync(list), { "content-encoding": "x-pack" })
      assert(result._tag === "Left")
      assert.include(result.left, { _tag: "UnexpectedResponse", reason: "NotText" })
      assert.include(result.left.message, "content-encoding x-pack")
      assert.strictEqual(requests, 1)
    }))

  it.scopedLive("is reported as what it is if it is compressed, but something else", () =>
    Effect.gen(function*() {
      const { result } = yield* read(gzipSync("<h1>Back soon ☕</h1>"), {
        "content-encoding": "gzip",
        "content-type": "text/html"
      })
      assert(result._tag === "Left")
      assert.include(result.left, { _tag: "UnexpectedResponse", reason: "NotJson" })
      assert.include(result.left.message, "found text/html")
    }))

  it.scopedLive("fails after the items before the first that is not UTF-8", () =>
    Effect.gen(function*() {
      const bad = JSON.stringify({ ...contact(2), last_name: "caf\xe9" })
      const body = `{"object":"list","has_more":false,"data":[${JSON.stringify(contact(3))},${bad}]}`
      const { items, requests, result } = yield* read(
        Buffer.from(body.replace("Zoë", "Zoe").replace("Zoë", "Zoe"), "latin1"),
        {}
      )
      assert(result._tag === "Left")
      assert.include(result.left, { _tag: "UnexpectedResponse", reason: "NotText" })
      assert.include(result.left.message, "bytes that are not UTF-8 after 1 items")
      assert.deepStrictEqual(items, ["Contact 3"])
      assert.strictEqual(requests, 1)
    }))
})

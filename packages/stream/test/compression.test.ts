import { assert, describe, it } from "@effect/vitest"
import { Mailstream } from "@mailstream/http"
import * as FetchTransport from "@mailstream/http/FetchTransport"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import { contacts } from "@mailstream/stream"
import * as CompressingProxy from "@mailstream/testing/CompressingProxy"
import { serve } from "@mailstream/testing/HttpServer"
import { Effect, Layer, Redacted, Stream } from "effect"
import { gzipSync } from "node:zlib"
import { all, responseTo } from "./support/bare.ts"

const transports = [["undici", UndiciTransport.layer], ["fetch", FetchTransport.layer]] as const

const service = serve((request, response) => {
  response.writeHead(200, { "content-type": "application/json" }).end(responseTo(request))
})

describe.each(transports)("a service behind a proxy that compresses, over %s", (_, transport) => {
  it.scopedLive.each([undefined, "gzip", "deflate", "br"] as const)(
    "is read in pages and as a whole: %s",
    (encoding) =>
      Effect.gen(function*() {
        const baseUrl = yield* CompressingProxy.serve(yield* service, encoding)
        const layer = Mailstream.layer({ baseUrl, apiKey: Redacted.make("re_1") }).pipe(Layer.provide(transport))
        for (const walk of [contacts.items(), contacts.items({ prefetch: 2 }), contacts.whole()]) {
          const items = yield* Effect.provide(Stream.runCollect(walk), layer)
          assert.deepStrictEqual([...items], all)
        }
      })
  )

  it.scopedLive("fails if a whole response is damaged, instead of continuing after items that may be damaged, too", () =>
    Effect.gen(function*() {
      const baseUrl = yield* serve((request, response) => {
        const isWhole = !request.url!.includes("limit=")
        // Stored blocks: a byte of the text is a byte of the body.
        const body = gzipSync(responseTo(request), { level: 0 })
        if (isWhole) {
          body[body.indexOf("@", 20_000)] = 0x23
          body[body.indexOf("\"unsubscribed\":", 30_000) + 14] = 0x3B
        }
        response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end(body)
      })
      const layer = Mailstream.layer({ baseUrl, apiKey: Redacted.make("re_1") }).pipe(Layer.provide(transport))
      const error = yield* Effect.flip(Effect.provide(Stream.runDrain(contacts.whole()), layer))
      assert.include(error, { _tag: "UnexpectedResponse", reason: "NotText" })
      assert.deepStrictEqual([...yield* Effect.provide(Stream.runCollect(contacts.items()), layer)], all)
    }))
})

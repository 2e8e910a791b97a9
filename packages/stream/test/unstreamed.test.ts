import { FetchHttpClient } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { type ApiClientOptions, Mailstream } from "@mailstream/http"
import * as FetchTransport from "@mailstream/http/FetchTransport"
import { contacts, RetryPolicy } from "@mailstream/stream"
import { eventually } from "@mailstream/testing/Eventually"
import { serve } from "@mailstream/testing/HttpServer"
import { Effect, Fiber, Layer, Redacted, Stream, TestClock } from "effect"
import { all, responseTo } from "./support/bare.ts"

/** `fetch`, with responses whose `body` is replaced. */
const replacing = (body: unknown): typeof fetch => async (input, init) =>
  new Proxy(await fetch(input, init), {
    get: (target, name) => {
      if (name === "body") return body
      const value: unknown = Reflect.get(target, name)
      return typeof value === "function" ? value.bind(target) : value
    }
  })

/** As on React Native. */
const withoutBody = replacing(undefined)

/** As of libraries for Node: the body is a stream, but not one of the web's. */
const withOtherBody = replacing({ on: () => {} })

const platforms = [["React Native", withoutBody], ["libraries for Node", withOtherBody]] as const

describe.each(platforms)("FetchTransport on a fetch whose bodies cannot be streamed, as of %s", (_, replacement) => {
  const on = (baseUrl: string, options: Partial<ApiClientOptions> = {}) =>
    Mailstream.layer({ baseUrl, apiKey: Redacted.make("re_1"), ...options }).pipe(
      Layer.provide(FetchTransport.layer),
      Layer.provide(Layer.succeed(FetchHttpClient.Fetch, replacement))
    )

  const retry = RetryPolicy.none

  const service = serve((request, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(responseTo(request))
  })

  it.scopedLive("pages and `whole` are read all the same", () =>
    Effect.gen(function*() {
      const layer = on(yield* service)
      for (const walk of [contacts.items({ retry }), contacts.whole({ retry })]) {
        assert.deepStrictEqual([...(yield* Effect.provide(Stream.runCollect(walk), layer))], all)
      }
    }))

  it.scopedLive("the limit of a page's size is in bytes", () =>
    Effect.gen(function*() {
      const baseUrl = yield* service
      // Two bytes less than a page of ten items has, and more than it has characters.
      const page = responseTo({ url: "/contacts?limit=10" })
      const bytes = Buffer.byteLength(page)
      assert.isBelow(page.length, bytes - 2)
      const read = (maxBodySize: number) =>
        Effect.provide(Stream.runHead(contacts.items({ pageSize: 10, retry })), on(baseUrl, { maxBodySize }))
      yield* read(bytes)
      const error = yield* Effect.flip(read(bytes - 2))
      assert.include(error, { _tag: "UnexpectedResponse", reason: "TooLarge" })
    }))

  it.scopedLive("an empty body is reported as such", () =>
    Effect.gen(function*() {
      const baseUrl = yield* serve((_, response) => void response.writeHead(200).end())
      for (const walk of [contacts.items({ retry }), contacts.whole({ retry })]) {
        const error = yield* Effect.flip(Effect.provide(Stream.runDrain(walk), on(baseUrl)))
        assert.include(error.message, "found an empty body")
      }
    }))

  it.scoped("a body that does not end is given up in time", () =>
    Effect.gen(function*() {
      let requests = 0
      const baseUrl = yield* serve((_, response) => {
        requests++
        response.writeHead(200).write("{")
      })
      for (const [index, walk] of [contacts.items({ retry }), contacts.whole({ retry })].entries()) {
        const fiber = yield* Effect.fork(
          Effect.flip(Effect.provide(Stream.runDrain(walk), on(baseUrl, { timeout: "5 seconds" })))
        )
        yield* eventually("a request arrives", () => requests > index)
        yield* TestClock.adjust("4999 millis")
        assert.isNull(fiber.unsafePoll())
        yield* TestClock.adjust("1 millis")
        assert.include(yield* Fiber.join(fiber), { _tag: "TransportError", reason: "Timeout" })
      }
    }))
})

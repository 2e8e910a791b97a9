import { assert, describe, it } from "@effect/vitest"
import type { Faults } from "@mailstream/server"
import { Server } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import { sleepingUntil } from "@mailstream/testing/Clock"
import { Array, Effect, Either, Fiber, Layer, Redacted, TestClock } from "effect"
import { assertError, page, raw, send } from "./support/http.ts"

const server = (faults: Faults.Options) =>
  Layer.provideMerge(SampleData.layer({ contacts: 1000, topics: 30 }), Server.layerTest({ faults })).pipe(Layer.orDie)

/** What happens to each of `count` requests, sent one after the other. */
const outcomes = (faults: Faults.Options, count: number) =>
  Effect.forEach(
    Array.range(1, count),
    () =>
      Effect.flatMap(Server.TestServer, ({ apiKey, baseUrl }) =>
        Effect.tryPromise(async () => {
          const headers = { authorization: `Bearer ${Redacted.value(apiKey)}` }
          const response = await fetch(`${baseUrl}/contacts?limit=3`, { headers })
          const text = await response.text().catch(() => "broken")
          const isJson = Either.isRight(Either.try(() => JSON.parse(text)))
          return `${response.status} ${text === "broken" ? text : isJson ? "json" : text.slice(0, 5)}`
        }).pipe(Effect.orElseSucceed(() => "reset")))
  ).pipe(Effect.provide(server(faults)))

const everything: Faults.Options = {
  seed: 42,
  rateLimit: { rate: 0.1 },
  serverError: { rate: 0.1 },
  html: { rate: 0.1 },
  reset: { rate: 0.1 },
  truncate: { rate: 0.1 },
  malform: { rate: 0.1 }
}

describe("faults", () => {
  it.live("are determined by the seed", () =>
    Effect.gen(function*() {
      const first = yield* outcomes(everything, 150)
      assert.deepStrictEqual(yield* outcomes(everything, 150), first)
      assert.notDeepEqual(yield* outcomes({ ...everything, seed: 43 }, 150), first)
      assert.deepStrictEqual(
        [...new Set(first)].sort(),
        ["200 broken", "200 json", "200 {\"obj", "429 json", "500 json", "502 <!doc", "503 json", "reset"]
      )
      // Changing the rate of one fault does not move the others.
      const resets = (seen: ReadonlyArray<string>) => seen.flatMap((outcome, at) => outcome === "reset" ? [at] : [])
      const without = yield* outcomes({ seed: 42, reset: { rate: 0.1 } }, 150)
      assert.includeMembers(resets(without), resets(first))
    }), 30_000)

  it.live("happen at their rate", () =>
    Effect.gen(function*() {
      const seen = yield* outcomes({ seed: 1, serverError: { rate: 0.5 } }, 400)
      const errors = seen.filter((outcome) => outcome !== "200 json").length
      assert.isAbove(errors, 150)
      assert.isBelow(errors, 250)
      const never = yield* outcomes({ seed: 1, serverError: { rate: 0 }, reset: { rate: 0 } }, 50)
      assert.deepStrictEqual(Array.dedupe(never), ["200 json"])
    }), 30_000)

  it.live("send 429 with the requested retry-after", () =>
    Effect.gen(function*() {
      const response = yield* send("/contacts")
      assertError(response, 429, "rate_limit_exceeded")
      assert.strictEqual(response.headers.get("retry-after"), "7")
    }).pipe(Effect.provide(server({ rateLimit: { rate: 1, retryAfter: "7 seconds" } }))))

  it.live("a reset processes the request and sends no byte of the response", () =>
    Effect.gen(function*() {
      const body = "{\"name\":\"lost\"}"
      const request = `POST /topics HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {key}\r\n` +
        `content-length: ${body.length}\r\n\r\n${body}`
      assert.strictEqual(yield* raw(request), "")
    }).pipe(Effect.provide(server({ reset: { rate: 1 } }))))

  it.live.each(["/contacts?limit=50", "/contacts"])(
    "a truncated response ends in the middle: %s",
    (path) =>
      Effect.gen(function*() {
        const request = `GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {key}\r\n\r\n`
        const received = yield* raw(request)
        assert.match(received, /^HTTP\/1\.1 200 OK\r\n/)
        assert.include(received, "\"object\":\"list\"")
        assert.notInclude(received, "]}")
        assert.notMatch(received, /0\r\n\r\n$/)
      }).pipe(Effect.provide(server({ truncate: { rate: 1 } })))
  )

  it.live.each(["/contacts?limit=50", "/contacts"])(
    "a malformed response is complete but not JSON: %s",
    (path) =>
      Effect.gen(function*() {
        const { status, text } = yield* send(path)
        assert.strictEqual(status, 200)
        assert.match(text, /\]\}$/)
        assert.throws(() => JSON.parse(text))
      }).pipe(Effect.provide(server({ malform: { rate: 1 } })))
  )

  it.effect("latency uses the clock", () =>
    Effect.gen(function*() {
      let time = 0
      // Up to ten hours, as drawn with the seed.
      for (const delay of [34_795_915.647919, 22_163_694.424935]) {
        const response = yield* Effect.fork(page("/contacts?limit=1"))
        time += delay
        yield* sleepingUntil(time)
        assert.isNull(response.unsafePoll())
        yield* TestClock.setTime(time)
        assert.strictEqual((yield* Fiber.join(response)).data.length, 1)
      }
    }).pipe(Effect.provide(server({ seed: 3, latency: { rate: 1, delay: "10 hours" } }))))

  it.live("never affect the documentation or requests without a key", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* send("/docs", { key: "" })).status, 200)
      assertError(yield* send("/contacts", { key: "" }), 401, "missing_api_key")
      assertError(yield* send("/contacts", { method: "PUT" }), 405, "method_not_allowed")
    }).pipe(Effect.provide(server({ serverError: { rate: 1 } }))))
})

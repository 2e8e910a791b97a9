import { HttpClient, HttpClientResponse } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { RateLimit } from "@mailstream/http"
import { Clock, Effect, Fiber, TestClock } from "effect"

interface Script {
  readonly status?: number
  readonly headers?: Record<string, string>
  /** How long the answer takes, in milliseconds. */
  readonly takes?: number
}

/** A client that notes when each request was sent, and answers by a script. */
const scripted = (script: (index: number, now: number) => Script) => {
  const sent: Array<number> = []
  const client = HttpClient.make((request) =>
    Effect.gen(function*() {
      const now = yield* Clock.currentTimeMillis
      const { headers, status, takes } = script(sent.push(now) - 1, now)
      yield* Effect.sleep(takes ?? 0)
      return HttpClientResponse.fromWeb(request, new Response("{}", { status: status ?? 200, headers: headers ?? {} }))
    })
  )
  return { client, sent }
}

/** Sends so many requests at once, lets the time go by, and says when each was sent. */
const run = (options: RateLimit.Options, count: number, script: (index: number, now: number) => Script = () => ({})) =>
  Effect.gen(function*() {
    const { client, sent } = scripted(script)
    const limited = (yield* RateLimit.make(options))(client)
    const fiber = yield* Effect.fork(
      Effect.forEach(Array.from({ length: count }), () => limited.get("http://localhost/"), {
        concurrency: "unbounded"
      })
    )
    yield* TestClock.adjust("1 hour")
    yield* Fiber.join(fiber)
    return sent
  })

describe("RateLimit", () => {
  it.effect("does not space requests unless it is asked to", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* run({}, 5), [0, 0, 0, 0, 0])
    }))

  it.effect("spaces requests evenly", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* run({ requests: 2 }, 5), [0, 500, 1000, 1500, 2000])
    }))

  it.effect("spaces by any period", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* run({ requests: 1, per: "1 minute" }, 3), [0, 60_000, 120_000])
    }))

  it.effect("makes everybody wait after a 429, as long as it says", () =>
    Effect.gen(function*() {
      const sent = yield* run({ requests: 10 }, 4, (index) =>
        index === 1 ? { status: 429, headers: { "retry-after": "7" } } : {})
      assert.deepStrictEqual(sent, [0, 100, 7100, 7200])
    }))

  it.effect("waits a second after a 429 that says nothing", () =>
    Effect.gen(function*() {
      const sent = yield* run({ requests: 10 }, 3, (index) => index === 0 ? { status: 429 } : {})
      assert.deepStrictEqual(sent, [0, 1000, 1100])
    }))

  it.effect("holds back those that were about to go when a 429 came", () =>
    Effect.gen(function*() {
      const sent = yield* run(
        { requests: 1 },
        3,
        (index) => index === 0 ? { status: 429, takes: 900, headers: { "retry-after": "5" } } : {}
      )
      assert.deepStrictEqual(sent, [0, 5900, 6900])
    }))

  it.effect("never holds back longer than it may, whatever an answer says", () =>
    Effect.gen(function*() {
      const quota = { status: 429, headers: { "retry-after": "86400" } }
      const sent = yield* run({ requests: 10, maxPause: "10 seconds" }, 2, (index) => index === 0 ? quota : {})
      assert.deepStrictEqual(sent, [0, 10_000])
      const day = { headers: { "ratelimit-remaining": "0", "ratelimit-reset": "86400" } }
      assert.deepStrictEqual(
        (yield* run({ requests: 10 }, 2, () => day)).map((at) => at - 3_600_000),
        [0, 100]
      )
    }))

  it.effect("learns from the headers how many requests are left, and until when", () =>
    Effect.gen(function*() {
      // A service that takes three requests a second, and counts them from the first one on.
      let start = 0
      let used = 0
      const sent = yield* run({}, 10, (_, now) => {
        if (now >= start + 1000) {
          start = now
          used = 0
        }
        used++
        const headers = {
          "ratelimit-limit": "3",
          "ratelimit-remaining": String(Math.max(0, 3 - used)),
          "ratelimit-reset": String(Math.ceil((start + 1000 - now) / 1000))
        }
        return used > 3 ? { status: 429, headers: { ...headers, "retry-after": "1" } } : { headers, takes: 10 }
      })
      // All start at once, before anything is known; from then on three a second.
      const later = sent.filter((at) => at > 0)
      for (const at of later) assert.isAtMost(later.filter((other) => other >= at && other < at + 1000).length, 3)
    }))

  it.effect("a walk of one request after the other is never refused", () =>
    Effect.gen(function*() {
      let start = 0
      let used = 0
      let refused = 0
      const { client, sent } = scripted((_, now) => {
        if (now >= start + 1000) {
          start = now
          used = 0
        }
        if (++used > 5) refused++
        return {
          takes: 20,
          status: used > 5 ? 429 : 200,
          headers: {
            "ratelimit-limit": "5",
            "ratelimit-remaining": String(Math.max(0, 5 - used)),
            "ratelimit-reset": String(Math.ceil((start + 1000 - now) / 1000)),
            "ratelimit-policy": "5;w=1"
          }
        }
      })
      const limited = (yield* RateLimit.make())(client)
      const fiber = yield* Effect.fork(Effect.repeatN(limited.get("http://localhost/"), 49))
      yield* TestClock.adjust("1 hour")
      yield* Fiber.join(fiber)
      assert.strictEqual(sent.length, 50)
      assert.strictEqual(refused, 0)
    }))

  it.effect("believes an answer about the end of a window more than its own guess", () =>
    Effect.gen(function*() {
      const { client, sent } = scripted((index, now) => ({
        headers: {
          "ratelimit-limit": "2",
          "ratelimit-remaining": index % 2 === 0 ? "1" : "0",
          "ratelimit-reset": String(10 - (now / 1000) % 10)
        }
      }))
      const limited = (yield* RateLimit.make())(client)
      const fiber = yield* Effect.fork(Effect.repeatN(limited.get("http://localhost/"), 4))
      yield* TestClock.adjust("1 hour")
      yield* Fiber.join(fiber)
      assert.deepStrictEqual(sent, [0, 0, 10_000, 10_000, 20_000])
    }))

  it.effect("whoever is interrupted while waiting takes no turn from the others", () =>
    Effect.gen(function*() {
      const { client, sent } = scripted(() => ({}))
      const limited = (yield* RateLimit.make({ requests: 1 }))(client)
      const get = Effect.fork(limited.get("http://localhost/"))
      const [, second, third, fourth] = [yield* get, yield* get, yield* get, yield* get]
      yield* TestClock.adjust("100 millis")
      yield* Fiber.interruptAll([second!, third!])
      yield* TestClock.adjust("1 hour")
      yield* Fiber.join(fourth!)
      assert.deepStrictEqual(sent, [0, 1000])
    }))

  it.effect("two clients behind one decorator share its limit", () =>
    Effect.gen(function*() {
      const one = scripted(() => ({}))
      const two = scripted(() => ({}))
      const limited = yield* RateLimit.make({ requests: 1 })
      const fiber = yield* Effect.fork(Effect.all([
        limited(one.client).get("http://localhost/"),
        limited(two.client).get("http://localhost/")
      ], { concurrency: "unbounded" }))
      yield* TestClock.adjust("1 minute")
      yield* Fiber.join(fiber)
      assert.deepStrictEqual([one.sent, two.sent], [[0], [1000]])
    }))
})

import { assert, describe, it } from "@effect/vitest"
import { isTransient } from "@mailstream/core"
import { ApiClient, Contacts, type RateLimit, RetryPolicy, Topics, Transport } from "@mailstream/http"
import { Clock, Context, Duration, Effect, Either, Fiber, Layer, Schema, TestClock } from "effect"
import { apiKey, json, mailstream, serve } from "./support/wire.ts"

interface Script {
  readonly status?: number
  readonly headers?: Record<string, string>
  /** How long the response takes, in milliseconds. */
  readonly takes?: number
  /** Whether the connection breaks instead of a response. */
  readonly breaks?: boolean
}

/** A client on a transport that records when each request was sent, and responds from a script. */
const scripted = (
  rateLimit: RateLimit.Options | false | undefined,
  script: (index: number, now: number) => Script
) =>
  Effect.gen(function*() {
    const sent: Array<number> = []
    const transport = Layer.succeed(Transport.Transport, {
      send: () =>
        Effect.gen(function*() {
          const now = yield* Clock.currentTimeMillis
          const { breaks = false, headers = {}, status = 200, takes = 0 } = script(sent.push(now) - 1, now)
          yield* Effect.sleep(takes)
          if (breaks) return yield* Effect.fail(Transport.Failure.Lost({ description: "reset" }))
          return { status, headers, body: "{}" }
        }),
      open: () => Effect.die("not in use")
    })
    const layer = Layer.provide(ApiClient.layer({ baseUrl: "http://localhost", apiKey, rateLimit }), transport)
    const client = Context.get(yield* Layer.build(layer), ApiClient)
    const request = client.call({ name: "Test.get", method: "GET", path: "/", schema: Schema.Unknown })
    const retried = Effect.retry(request, { schedule: RetryPolicy.default, while: isTransient })
    return { client, request: Effect.ignore(request), retried: Effect.either(retried), sent }
  })

/** Sends N requests at once, lets time pass, and returns when each was sent. */
const run = (
  options: RateLimit.Options | false,
  count: number,
  script: (index: number, now: number) => Script = () => ({})
) =>
  Effect.gen(function*() {
    const { request, sent } = yield* scripted(options, script)
    const fiber = yield* Effect.fork(
      Effect.forEach(Array.from({ length: count }), () => request, { concurrency: "unbounded" })
    )
    yield* TestClock.adjust("1 hour")
    yield* Fiber.join(fiber)
    return sent
  })

/** The real clock, but faster. */
const fasterClock = (factor: number): Clock.Clock => {
  const clock = Clock.make()
  const now = () => clock.unsafeCurrentTimeNanos() * BigInt(factor)
  return {
    ...clock,
    unsafeCurrentTimeMillis: () => Number(now() / 1_000_000n),
    unsafeCurrentTimeNanos: now,
    currentTimeMillis: Effect.sync(() => Number(now() / 1_000_000n)),
    currentTimeNanos: Effect.sync(now),
    sleep: (duration) => clock.sleep(Duration.times(duration, 1 / factor))
  }
}

describe("RateLimit", () => {
  it.scoped("does not space requests by default", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* run({}, 5), [0, 0, 0, 0, 0])
    }))

  it.scoped("spaces requests evenly", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* run({ requests: 2 }, 5), [0, 500, 1000, 1500, 2000])
    }))

  it.scoped("spaces requests over any period", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* run({ requests: 1, per: "1 minute" }, 3), [0, 60_000, 120_000])
    }))

  it.scoped("pauses all requests after a 429, for as long as it says", () =>
    Effect.gen(function*() {
      const sent = yield* run({ requests: 10 }, 13, (index) =>
        index === 10 ? { status: 429, headers: { "retry-after": "7" } } : {})
      assert.deepStrictEqual(sent.slice(9), [900, 1000, 8000, 8100])
    }))

  it.scoped("pauses for a second after a 429 without headers", () =>
    Effect.gen(function*() {
      const sent = yield* run({ requests: 10 }, 13, (index) => index === 10 ? { status: 429 } : {})
      assert.deepStrictEqual(sent.slice(9), [900, 1000, 2000, 2100])
    }))

  it.scoped("also delays requests that were about to be sent when a 429 arrived", () =>
    Effect.gen(function*() {
      const sent = yield* run(
        { requests: 1 },
        3,
        (index) => index === 0 ? { status: 429, takes: 900, headers: { "retry-after": "5" } } : {}
      )
      assert.deepStrictEqual(sent, [0, 5900, 6900])
    }))

  it.scoped("never pauses longer than its maximum, whatever a response says", () =>
    Effect.gen(function*() {
      const quota = { status: 429, headers: { "retry-after": "86400" } }
      const sent = yield* run({ requests: 10, maxPause: "10 seconds" }, 2, (index) => index === 0 ? quota : {})
      assert.deepStrictEqual(sent, [0, 10_000])
      const day = { headers: { "ratelimit-remaining": "0", "ratelimit-reset": "86400" } }
      assert.deepStrictEqual(
        (yield* run({ requests: 10 }, 2, () => day)).map((at) => at - 3_600_000),
        [0, 100]
      )
      const daily = { headers: { "ratelimit-limit": "1", "ratelimit-policy": "1;w=86400" } }
      assert.deepStrictEqual(
        (yield* run({ requests: 1, maxPause: "10 seconds" }, 4, () => daily)).map((at) => at - 7_200_000),
        [0, 1000, 11_000, 13_000]
      )
    }))

  const nonsense: ReadonlyArray<Script> = [
    { headers: { "ratelimit-limit": "0" } },
    { headers: { "ratelimit-limit": "0", "ratelimit-policy": "0;w=1000000000" } },
    { headers: { "ratelimit-limit": "1", "ratelimit-policy": "1;w=1000000000" } },
    { headers: { "ratelimit-limit": "1", "ratelimit-remaining": "0", "ratelimit-reset": "9" } },
    { status: 429 },
    { status: 429, headers: { "retry-after": "9" } },
    { status: 429, headers: { "retry-after": "86400" } },
    { status: 429, headers: { "retry-after": "Fri, 31 Dec 9999 23:59:59 GMT" } },
    { status: 429, headers: { "ratelimit-reset": "1000000000", "ratelimit-limit": "0" } }
  ]

  it.scoped.each(nonsense)(
    "holds none of many waiting requests back longer than its maximum: %j",
    (script) =>
      Effect.gen(function*() {
        const { request, sent } = yield* scripted({ maxPause: "10 seconds" }, () => ({ ...script, takes: 10 }))
        yield* Effect.fork(request)
        yield* TestClock.adjust("20 millis")
        const fiber = yield* Effect.fork(Effect.replicateEffect(request, 40, { concurrency: "unbounded" }))
        yield* TestClock.adjust("1 hour")
        yield* Fiber.join(fiber)
        assert.strictEqual(sent.length, 41)
        assert.isAtMost(Math.max(...sent), 10_020)
      })
  )

  it.scoped("does not count the time that the spacing takes as a pause", () =>
    Effect.gen(function*() {
      const sent = yield* run({ requests: 1, maxPause: "10 seconds" }, 32, (index) =>
        index === 29 ? { status: 429, headers: { "retry-after": "8" } } : {})
      assert.deepStrictEqual(sent.slice(28), [28_000, 29_000, 37_000, 38_000])
    }))

  /** Services with a limit per second, each as a function that says whether a request is accepted. */
  const services: ReadonlyArray<readonly [string, (limit: number) => (now: number) => boolean]> = [
    ["windows that begin with a request", (limit) => {
      let [start, used] = [-Infinity, 0]
      return (now) => {
        if (now >= start + 1000) [start, used] = [now, 0]
        return ++used <= limit
      }
    }],
    ["windows that begin with the second", (limit) => {
      let [start, used] = [-Infinity, 0]
      return (now) => {
        if (Math.floor(now / 1000) !== start) [start, used] = [Math.floor(now / 1000), 0]
        return ++used <= limit
      }
    }],
    ["a sliding window", (limit) => {
      let log: ReadonlyArray<number> = []
      return (now) => {
        log = log.filter((at) => at > now - 1000)
        if (log.length >= limit) return false
        log = [...log, now]
        return true
      }
    }],
    ["a bucket of tokens", (limit) => {
      let [tokens, at] = [limit, 0]
      return (now) => {
        ;[tokens, at] = [Math.min(limit, tokens + (now - at) / 1000 * limit), now]
        if (tokens < 1) return false
        tokens--
        return true
      }
    }]
  ]
  const limits: ReadonlyArray<readonly [limit: number, headers: Record<string, string>]> = [
    [5, { "retry-after": "1" }],
    [10, {}]
  ]
  const paces = services.flatMap(([name, service]) =>
    limits.map(([limit, headers]) => ({ name, limit, headers, service }))
  )

  it.scoped.each(paces)(
    "sends 60 waiting requests at the pace that the API accepts: $name, $limit per second, $headers",
    ({ headers, limit, service }) =>
      Effect.gen(function*() {
        const accepts = service(limit)
        const { retried, sent } = yield* scripted(
          {},
          (_, now) => accepts(now) ? { takes: 20 } : { status: 429, headers, takes: 5 }
        )
        yield* TestClock.adjust("400 millis")
        const fiber = yield* Effect.fork(Effect.replicateEffect(retried, 60, { concurrency: "unbounded" }))
        yield* TestClock.adjust("1 hour")
        const results = yield* Fiber.join(fiber)
        assert.deepStrictEqual(results.filter(Either.isLeft), [])
        // The first burst, and a few requests that find out whether the limit is still the same.
        assert.isAtMost(sent.length, 60 + (60 - limit) + 15)
        assert.isAtMost(Math.max(...sent), 60 / limit * 2000 + 2000)
      })
  )

  it.live.each(limits)(
    "does so over HTTP, with creates: %i per second, %j",
    ([limit, headers]) =>
      Effect.gen(function*() {
        const clock = fasterClock(5)
        const accepts = services[0]![1](limit)
        let rejected = 0
        const server = yield* serve((response, request) => {
          if (accepts(clock.unsafeCurrentTimeMillis())) {
            return json(201, { object: "topic", id: "b6d24b8e-af0b-4c3c-be0c-359bbd97381e" })(response, request)
          }
          rejected++
          json(429, { statusCode: 429, name: "rate_limit_exceeded", message: "Slow." }, headers)(response, request)
        })
        const create = Effect.flatMap(Topics, (topics) => topics.create({ name: "News" }))
        const results = yield* Effect.replicateEffect(Effect.either(create), 60, { concurrency: "unbounded" }).pipe(
          Effect.provide(mailstream(server.baseUrl)),
          Effect.withClock(clock)
        )
        assert.deepStrictEqual(results.filter(Either.isLeft), [])
        assert.isAbove(rejected, 0)
      }).pipe(Effect.scoped)
  )

  it.scoped("forgets the pace when the API accepts more", () =>
    Effect.gen(function*() {
      const { request, sent } = yield* scripted({}, (index) => index === 0 ? { status: 429 } : { takes: 10 })
      const fiber = yield* Effect.fork(Effect.repeatN(request, 300))
      yield* TestClock.adjust("1 hour")
      yield* Fiber.join(fiber)
      // One per second at first, and full speed a dozen seconds later.
      assert.isAtMost(sent.filter((at) => at < 2000).length, 2)
      assert.isAtMost(Math.max(...sent), 20_000)
    }))

  it.scoped("sends one request per window to an API with a limit of 0", () =>
    Effect.gen(function*() {
      const none = { headers: { "ratelimit-limit": "0" } }
      const sent = yield* run({ requests: 1 }, 3, () => none)
      assert.deepStrictEqual(sent, [0, 1000, 2000])
    }))

  it.scoped("learns from headers how many requests are left, and until when", () =>
    Effect.gen(function*() {
      // A service that allows three requests per second, counted from the first one.
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
      // All are sent at once, before anything is known; from then on three per second.
      const later = sent.filter((at) => at > 0)
      for (const at of later) assert.isAtMost(later.filter((other) => other >= at && other < at + 1000).length, 3)
    }))

  it.scoped("never triggers a 429 with sequential requests", () =>
    Effect.gen(function*() {
      let start = 0
      let used = 0
      let rejected = 0
      const { request, sent } = yield* scripted(undefined, (_, now) => {
        if (now >= start + 1000) {
          start = now
          used = 0
        }
        if (++used > 5) rejected++
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
      const fiber = yield* Effect.fork(Effect.repeatN(request, 49))
      yield* TestClock.adjust("1 hour")
      yield* Fiber.join(fiber)
      assert.strictEqual(sent.length, 50)
      assert.strictEqual(rejected, 0)
    }))

  it.scoped("prefers a response's end of the window over its own estimate", () =>
    Effect.gen(function*() {
      const { request, sent } = yield* scripted(undefined, (index, now) => ({
        headers: {
          "ratelimit-limit": "2",
          "ratelimit-remaining": index % 2 === 0 ? "1" : "0",
          "ratelimit-reset": String(10 - (now / 1000) % 10)
        }
      }))
      const fiber = yield* Effect.fork(Effect.repeatN(request, 4))
      yield* TestClock.adjust("1 hour")
      yield* Fiber.join(fiber)
      assert.deepStrictEqual(sent, [0, 0, 10_000, 10_000, 20_000])
    }))

  it.scoped("gives up the turn of a request that is interrupted while it waits", () =>
    Effect.gen(function*() {
      const { request, sent } = yield* scripted({ requests: 1 }, () => ({}))
      const get = Effect.fork(request)
      const [, second, third, fourth] = [yield* get, yield* get, yield* get, yield* get]
      yield* TestClock.adjust("100 millis")
      yield* Fiber.interruptAll([second!, third!])
      yield* TestClock.adjust("1 hour")
      yield* Fiber.join(fourth!)
      assert.deepStrictEqual(sent, [0, 1000])
    }))

  it.scoped("does not count a request that is interrupted while it waits as one that came back", () =>
    Effect.gen(function*() {
      const { request, sent } = yield* scripted(
        { requests: 1 },
        (index) => index === 0 ? {} : { headers: { "ratelimit-remaining": "0", "ratelimit-reset": "9" } }
      )
      yield* request
      const interrupted = yield* Effect.fork(request)
      yield* TestClock.adjust("100 millis")
      yield* Fiber.interrupt(interrupted)
      const fiber = yield* Effect.fork(Effect.repeatN(request, 1))
      yield* TestClock.adjust("1 hour")
      yield* Fiber.join(fiber)
      assert.deepStrictEqual(sent, [0, 1000, 10_000])
    }))

  it.scoped("counts a request that fails or is interrupted as in flight no longer", () =>
    Effect.gen(function*() {
      const { request, sent } = yield* scripted({}, (index) =>
        index < 3
          ? { breaks: true }
          : index === 3
          ? { takes: 1000 }
          : { headers: { "ratelimit-remaining": "1", "ratelimit-reset": "9" } })
      yield* Effect.repeatN(request, 2)
      const interrupted = yield* Effect.fork(request)
      yield* TestClock.adjust("1 millis")
      yield* Fiber.interrupt(interrupted)
      // The fifth request is alone, so there is one left.
      const fiber = yield* Effect.fork(Effect.repeatN(request, 1))
      yield* TestClock.adjust("1 hour")
      yield* Fiber.join(fiber)
      assert.deepStrictEqual(sent, [0, 0, 0, 0, 1, 1])
    }))

  it.scoped("is shared by all services of a client", () =>
    Effect.gen(function*() {
      const { client, sent } = yield* scripted({ requests: 1 }, () => ({}))
      const services = yield* Layer.build(
        Layer.provide(Layer.merge(Contacts.layer, Topics.layer), Layer.succeed(ApiClient, client))
      )
      const fiber = yield* Effect.fork(Effect.all([
        Effect.ignore(Context.get(services, Contacts).list()),
        Effect.ignore(Context.get(services, Topics).list())
      ], { concurrency: "unbounded" }))
      yield* TestClock.adjust("1 minute")
      yield* Fiber.join(fiber)
      assert.deepStrictEqual(sent, [0, 1000])
    }))

  it.scoped("does nothing when disabled", () =>
    Effect.gen(function*() {
      const spent = { status: 429, headers: { "ratelimit-remaining": "0", "ratelimit-reset": "9", "retry-after": "9" } }
      assert.deepStrictEqual(yield* run(false, 3, () => spent), [0, 0, 0])
    }))
})

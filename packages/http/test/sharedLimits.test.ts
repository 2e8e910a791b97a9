import { assert, describe, it } from "@effect/vitest"
import { ApiClient, Contacts, Mailstream, RateLimit, Topics, Transport } from "@mailstream/http"
import * as Memory from "@mailstream/testing/Memory"
import type { Duration } from "effect"
import { Clock, Context, Effect, Fiber, Layer, Redacted, TestClock } from "effect"

const list = JSON.stringify({ object: "list", has_more: false, data: [] })

/** A transport that records who sent a request to where, and when, and responds with these headers. */
const recording = (respond: (sender: string) => Partial<Transport.Head> = () => ({})) => {
  const sent: Array<readonly [sender: string, host: string, time: number]> = []
  const transport: typeof Transport.Transport.Service = {
    send: (request) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const sender = request.headers["authorization"]!.replace("Bearer ", "")
        sent.push([sender, new URL(request.origin).host, now])
        return { status: 200, headers: {}, body: list, ...respond(sender) }
      }),
    open: () => Effect.die("not in use")
  }
  return { sent, transport }
}

/** Lists the contacts of an account, over a client of its own. */
const listing = (
  transport: typeof Transport.Transport.Service,
  name: string,
  rateLimit?: RateLimit.Options | RateLimit.RateLimit | false,
  host = "one"
) =>
  Mailstream.make({ baseUrl: `https://${host}`, apiKey: Redacted.make(name), rateLimit }).pipe(
    Effect.provideService(Transport.Transport, transport),
    Effect.flatMap((services) => Effect.ignore(Context.get(services, Contacts).list()))
  )

/** Runs all at once, and lets time pass. */
const together = (effects: ReadonlyArray<Effect.Effect<unknown, unknown>>, time: Duration.DurationInput = "1 hour") =>
  Effect.gen(function*() {
    const fiber = yield* Effect.fork(Effect.all(effects, { concurrency: "unbounded" }))
    yield* TestClock.adjust(time)
    yield* Fiber.join(fiber)
  })

describe("RateLimit.make", () => {
  it.effect("makes a limit that clients keep together", () =>
    Effect.gen(function*() {
      const { sent, transport } = recording()
      const limit = yield* RateLimit.make({ requests: 2 })
      yield* together(["a", "b", "a"].map((name) => listing(transport, name, limit)))
      assert.deepStrictEqual(sent, [["a", "one", 0], ["b", "one", 500], ["a", "one", 1000]])
    }))

  it.effect("shares nothing between clients that do not have the same", () =>
    Effect.gen(function*() {
      const { sent, transport } = recording()
      const limits = [yield* RateLimit.make({ requests: 2 }), yield* RateLimit.make({ requests: 2 }), { requests: 2 }]
      yield* together(limits.map((limit, index) => listing(transport, `${index}`, limit)))
      assert.deepStrictEqual(sent.map(([, , time]) => time), [0, 0, 0])
    }))

  it.effect("remembers for the next client what the service has said", () =>
    Effect.gen(function*() {
      const { sent, transport } = recording(() => ({
        headers: { "ratelimit-remaining": "0", "ratelimit-reset": "9" }
      }))
      const limit = yield* RateLimit.make()
      yield* listing(transport, "a", limit)
      yield* together([listing(transport, "a", limit), listing(transport, "a")])
      assert.deepStrictEqual(sent.map(([, , time]) => time), [0, 0, 9000])
    }))

  it.effect("refuses what a client would refuse", () =>
    Effect.gen(function*() {
      assert.include(yield* Effect.flip(RateLimit.make({ requests: 0 })), { option: "rateLimit.requests" })
      assert.include(yield* Effect.flip(RateLimit.make({ per: "0 seconds" })), { option: "rateLimit.per" })
    }))
})

describe("RateLimit.perHost", () => {
  const limitedBy = (options: RateLimit.HostOptions, respond?: (sender: string) => Partial<Transport.Head>) => {
    const { sent, transport } = recording(respond)
    return Effect.map(RateLimit.limited(transport, options), (transport) => ({ sent, transport }))
  }

  it.effect("spaces the requests of all clients to a host, and not those to another", () =>
    Effect.gen(function*() {
      const { sent, transport } = yield* limitedBy({ requests: 1 })
      yield* together([
        listing(transport, "a"),
        listing(transport, "b", false),
        listing(transport, "c", undefined, "two")
      ])
      assert.deepStrictEqual(sent, [["a", "one", 0], ["c", "two", 0], ["b", "one", 1000]])
    }))

  it.effect("leaves clients their own limits, and does not delay others after a 429", () =>
    Effect.gen(function*() {
      const { sent, transport } = yield* limitedBy(
        { requests: 10 },
        (sender) => sender === "a" ? { status: 429, headers: { "retry-after": "7" } } : {}
      )
      const limits = { a: yield* RateLimit.make(), b: yield* RateLimit.make() }
      yield* listing(transport, "a", limits.a)
      yield* together([listing(transport, "a", limits.a), listing(transport, "b", limits.b)])
      assert.deepStrictEqual(sent, [["a", "one", 0], ["b", "one", 100], ["a", "one", 7000]])
    }))

  it.effect("asks for the rate again if it changes", () =>
    Effect.gen(function*() {
      let rate = 1
      const { sent, transport } = yield* limitedBy({ requests: () => rate })
      yield* together([listing(transport, "a"), listing(transport, "a")])
      rate = 10
      yield* together([listing(transport, "a"), listing(transport, "a")])
      assert.deepStrictEqual(sent.map(([, , time]) => time % 3_600_000), [0, 1000, 0, 100])
    }))

  it.effect("sends nothing for a client that was interrupted while it waited, and delays nobody for it", () =>
    Effect.gen(function*() {
      const { sent, transport } = yield* limitedBy({ requests: 1 })
      yield* listing(transport, "a")
      const waiting = yield* Effect.fork(listing(transport, "b"))
      yield* TestClock.adjust("500 millis")
      yield* Fiber.interrupt(waiting)
      yield* together([listing(transport, "c")])
      assert.deepStrictEqual(sent, [["a", "one", 0], ["c", "one", 1000]])
    }))

  it.effect("is a layer on top of any transport", () =>
    Effect.gen(function*() {
      const { sent, transport } = recording()
      const limited = yield* Layer.build(Layer.provide(
        RateLimit.perHost({ requests: 1, per: "1 minute" }),
        Layer.succeed(Transport.Transport, transport)
      ))
      const send = listing(Context.get(limited, Transport.Transport), "a")
      yield* together([send, send])
      assert.deepStrictEqual(sent.map(([, , time]) => time), [0, 60_000])
    }).pipe(Effect.scoped))

  it.effect("refuses a rate that is not positive", () =>
    Effect.gen(function*() {
      const { transport } = recording()
      assert.include(yield* Effect.flip(RateLimit.limited(transport, { requests: 0 })), {
        option: "rateLimit.requests"
      })
    }))
})

describe("Mailstream.make", () => {
  it.effect("makes a client with all services, without a layer", () =>
    Effect.gen(function*() {
      const { sent, transport } = recording()
      const services = yield* Effect.provideService(
        Mailstream.make({ baseUrl: "https://one", apiKey: Redacted.make("a"), rateLimit: { requests: 1 } }),
        Transport.Transport,
        transport
      )
      assert.strictEqual(Context.get(services, ApiClient).baseUrl, "https://one")
      yield* together([Context.get(services, Contacts).list(), Context.get(services, Topics).list()])
      assert.deepStrictEqual(sent.map(([, , time]) => time), [0, 1000])
    }))

  it.effect("makes clients that share what does not depend on their options", () =>
    Effect.gen(function*() {
      const { transport } = recording()
      const clients = (count: number) =>
        Effect.forEach(
          Array.from({ length: count }),
          (_, index) => Mailstream.make({ baseUrl: "https://one", apiKey: Redacted.make(`key-${index}`) })
        ).pipe(Effect.provideService(Transport.Transport, transport))
      yield* clients(10)
      Memory.collect()
      const before = process.memoryUsage().heapUsed
      const kept = yield* clients(300)
      Memory.collect()
      // The schemas of all lists alone would be ten times that.
      assert.isBelow((process.memoryUsage().heapUsed - before) / kept.length, 50_000)
    }))
})

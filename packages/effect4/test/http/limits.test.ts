import { Clock, Context, type Duration, Effect, Fiber, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { assert, describe } from "vitest"
import { ApiClient } from "../../src/http/ApiClient.ts"
import * as Mailstream from "../../src/http/Mailstream.ts"
import * as RateLimit from "../../src/http/RateLimit.ts"
import { Contacts, Topics } from "../../src/http/Services.ts"
import { type Head, Transport } from "../../src/http/Transport.ts"
import { emptyList, timed } from "./support.ts"

type Sent = readonly [sender: string, host: string, time: number]

/** A transport that records who has sent a request where and when, and responds as told. */
const recording = (respond: (sender: string) => Partial<Head> = () => ({})) => {
  const sent: Array<Sent> = []
  const transport: typeof Transport.Service = {
    send: ({ headers, origin }) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const sender = headers["authorization"]!.replace("Bearer ", "")
        sent.push([sender, new URL(origin).hostname, now])
        return { status: 200, headers: {}, body: JSON.stringify(emptyList), ...respond(sender) }
      }),
    open: () => Effect.die("unused")
  }
  return { sent, transport }
}

/** Lists the contacts of an account, over a client of its own. */
const listing = (
  transport: typeof Transport.Service,
  name: string,
  rateLimit?: RateLimit.Options | RateLimit.RateLimit | false,
  host = "one"
) =>
  Mailstream.make({ baseUrl: `https://${host}`, apiKey: Redacted.make(name), rateLimit }).pipe(
    Effect.provideService(Transport, transport),
    Effect.flatMap((services) => Effect.ignore(Context.get(services, Contacts).list()))
  )

/** Runs all at once, and lets time pass. */
const together = (effects: ReadonlyArray<Effect.Effect<unknown, unknown>>, time: Duration.Input = "1 hour") =>
  Effect.gen(function*() {
    const fiber = yield* Effect.forkChild(Effect.all(effects, { concurrency: "unbounded" }))
    yield* TestClock.adjust(time)
    yield* Fiber.join(fiber)
  })

describe("the rate limit of a client", () => {
  timed(
    "spaces requests, and pauses all of them after a 429, from which they continue at the pace that was accepted",
    () =>
      Effect.gen(function*() {
        let count = 0
        const { sent, transport } = recording(() =>
          ++count === 3 ? { status: 429, headers: { "retry-after": "7" } } : {}
        )
        const limit = yield* RateLimit.make({ requests: 10 })
        yield* together(Array.from({ length: 5 }, () => listing(transport, "a", limit)))
        assert.deepStrictEqual(sent.map(([, , time]) => time), [0, 100, 200, 7200, 7700])
      })
  )

  timed("gives up the turn of a request that is interrupted while it waits", () =>
    Effect.gen(function*() {
      const { sent, transport } = recording()
      const limit = yield* RateLimit.make({ requests: 1 })
      yield* listing(transport, "a", limit)
      const waiting = yield* Effect.forkChild(listing(transport, "b", limit))
      yield* TestClock.adjust("500 millis")
      yield* Fiber.interrupt(waiting)
      yield* together([listing(transport, "c", limit)])
      assert.deepStrictEqual(sent, [["a", "one", 0], ["c", "one", 1000]])
    }))
})

describe("RateLimit.make", () => {
  timed("makes a limit that clients keep together", () =>
    Effect.gen(function*() {
      const { sent, transport } = recording()
      const limit = yield* RateLimit.make({ requests: 2 })
      yield* together(["a", "b", "a"].map((name) => listing(transport, name, limit)))
      assert.deepStrictEqual(sent, [["a", "one", 0], ["b", "one", 500], ["a", "one", 1000]])
    }))

  timed("shares nothing between clients that do not have the same", () =>
    Effect.gen(function*() {
      const { sent, transport } = recording()
      const limits = [yield* RateLimit.make({ requests: 2 }), yield* RateLimit.make({ requests: 2 }), { requests: 2 }]
      yield* together(limits.map((limit, index) => listing(transport, `${index}`, limit)))
      assert.deepStrictEqual(sent.map(([, , time]) => time), [0, 0, 0])
    }))

  timed("refuses what a client would refuse", () =>
    Effect.gen(function*() {
      assert.include(yield* Effect.flip(RateLimit.make({ requests: 0 })), { option: "rateLimit.requests" })
      assert.include(yield* Effect.flip(RateLimit.make({ per: "0 seconds" })), { option: "rateLimit.per" })
    }))
})

describe("RateLimit.perHost", () => {
  timed("spaces the requests of all clients to a host, and not those to another", () =>
    Effect.gen(function*() {
      const { sent, transport } = recording()
      const limited = yield* Layer.build(
        RateLimit.perHost({ requests: 1 }).pipe(Layer.provide(Layer.succeed(Transport, transport)))
      )
      const through = Context.get(limited, Transport)
      yield* together([listing(through, "a"), listing(through, "b", false), listing(through, "c", undefined, "two")])
      assert.deepStrictEqual(sent, [["a", "one", 0], ["c", "two", 0], ["b", "one", 1000]])
    }))

  timed("asks for the rate again if it changes", () =>
    Effect.gen(function*() {
      let rate = 1
      const { sent, transport } = recording()
      const limited = yield* RateLimit.limited(transport, { requests: () => rate })
      yield* together([listing(limited, "a"), listing(limited, "a")])
      rate = 10
      yield* together([listing(limited, "a"), listing(limited, "a")])
      assert.deepStrictEqual(sent.map(([, , time]) => time % 3_600_000), [0, 1000, 0, 100])
    }))
})

describe("Mailstream.make", () => {
  timed("makes a client with all services, without a layer", () =>
    Effect.gen(function*() {
      const { sent, transport } = recording()
      const services = yield* Effect.provideService(
        Mailstream.make({ baseUrl: "https://one", apiKey: Redacted.make("a"), rateLimit: { requests: 1 } }),
        Transport,
        transport
      )
      assert.strictEqual(Context.get(services, ApiClient).baseUrl, "https://one")
      yield* together([Context.get(services, Contacts).list(), Context.get(services, Topics).list()])
      assert.deepStrictEqual(sent.map(([, , time]) => time), [0, 1000])
    }))
})

import { Clock, Effect, Fiber, Layer, Schedule, Schema, Stream } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { TestClock } from "effect/testing"
import * as Undici from "undici"
import { assert, describe } from "vitest"
import { ApiClient, type Options } from "../../src/http/ApiClient.ts"
import * as FetchTransport from "../../src/http/FetchTransport.ts"
import * as HttpClientTransport from "../../src/http/HttpClientTransport.ts"
import { Topics } from "../../src/http/Services.ts"
import { Transport } from "../../src/http/Transport.ts"
import * as UndiciTransport from "../../src/http/UndiciTransport.ts"
import { apiKey, timed } from "./support.ts"

const client = (options: Partial<Options>, transport: Layer.Layer<Transport, unknown>) =>
  ApiClient.layer({ baseUrl: "http://localhost", apiKey, ...options }).pipe(Layer.provide(transport))

const call = Effect.flatMap(
  ApiClient,
  (client) => client.call({ name: "Test.get", method: "GET", path: "/", schema: Schema.Unknown })
)

const open = Effect.scoped(Effect.flatMap(
  ApiClient,
  (client) =>
    Effect.flatMap(client.open({ name: "Test.open", method: "GET", path: "/" }), ({ bytes }) => Stream.runDrain(bytes))
))

/** Responds with these headers, and for ever with a body that does not arrive if it is opened. */
const responding = (status: number, headers: Record<string, string> = {}) =>
  Layer.succeed(Transport, {
    send: () => Effect.succeed({ status, headers, body: "{}" }),
    open: () => Effect.succeed({ status, headers, bytes: Stream.never })
  })

const twice = Effect.andThen(Effect.exit(call), Effect.exit(call))

class Silent extends Undici.Dispatcher {
  override dispatch(): boolean {
    return true
  }
  override destroy(): Promise<void> {
    return Promise.resolve()
  }
}

/** The transports, on networks that never respond. */
const silent: ReadonlyArray<readonly [string, Layer.Layer<Transport, unknown>]> = [
  [
    "undici",
    UndiciTransport.layerWithoutDispatcher.pipe(
      Layer.provide(Layer.sync(UndiciTransport.Dispatcher, () => new Silent()))
    )
  ],
  [
    "fetch",
    FetchTransport.layer.pipe(Layer.provide(Layer.succeed(FetchHttpClient.Fetch, () => new Promise(() => {}))))
  ],
  [
    "an HttpClient",
    HttpClientTransport.layer.pipe(
      Layer.provide(Layer.succeed(HttpClient.HttpClient, HttpClient.make(() => Effect.never)))
    )
  ],
  [
    "fetch, with a body that never arrives",
    FetchTransport.layer.pipe(
      Layer.provide(
        Layer.succeed(FetchHttpClient.Fetch, () => Promise.resolve(new Response(new ReadableStream())))
      )
    )
  ]
]

/** Every wait of the client: each takes ten seconds. */
const waits: ReadonlyArray<readonly [name: string, Effect.Effect<unknown, unknown>]> = [
  [
    "the spacing of requests",
    Effect.provide(twice, client({ rateLimit: { requests: 1, per: "10 seconds" } }, responding(200)))
  ],
  ["retry-after in seconds", Effect.provide(twice, client({}, responding(429, { "retry-after": "10" })))],
  ["ratelimit-reset on a 429", Effect.provide(twice, client({}, responding(429, { "ratelimit-reset": "10" })))],
  [
    "the end of a window",
    Effect.provide(twice, client({}, responding(200, { "ratelimit-remaining": "0", "ratelimit-reset": "10" })))
  ],
  [
    "the longest pause",
    Effect.provide(
      twice,
      client({ rateLimit: { maxPause: "10 seconds" } }, responding(429, { "retry-after": "100000" }))
    )
  ],
  ...silent.flatMap(([name, transport]) =>
    ([["a call", call], ["an open response", open]] as const).map(([what, effect]) =>
      [
        `the timeout of ${what} over ${name}`,
        Effect.provide(effect, client({ timeout: "10 seconds" }, transport))
      ] as const
    )
  ),
  ["the timeout of an error's body", Effect.provide(open, client({ timeout: "10 seconds" }, responding(500)))],
  [
    "the retries of a create, as long as their schedule lasts",
    Effect.flatMap(Topics, (topics) =>
      topics.create({ name: "News" }, {
        retry: Schedule.spaced("1 second").pipe(Schedule.upTo({ duration: "10 seconds" }))
      })).pipe(
        Effect.provide(Topics.layer.pipe(Layer.provide(client({ rateLimit: false }, responding(429)))))
      )
  ]
]

/** A clock whose wall clock can be set, on top of another one. */
const settable = (clock: Clock.Clock) => {
  let ahead = 0
  const millis = () => clock.currentTimeMillisUnsafe() + ahead
  const nanos = () => clock.currentTimeNanosUnsafe() + BigInt(ahead) * 1_000_000n
  const settable: Clock.Clock = {
    currentTimeMillisUnsafe: millis,
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: clock.monotonicTimeNanos,
    sleep: (duration) => clock.sleep(duration)
  }
  return {
    clock: settable,
    set: (by: number) => {
      ahead = by
    }
  }
}

const hour = 3_600_000

describe.each<readonly [string, number]>([["left alone", 0], ["set back", -hour], ["set ahead", hour]])(
  "the wall clock, %s,",
  (_, by) => {
    for (const [name, effect] of waits) {
      timed(`does not change how long is waited for ${name}`, () =>
        Effect.gen(function*() {
          yield* TestClock.setTime(Date.UTC(2026, 10, 17))
          const wall = settable(yield* Clock.Clock)
          const waiting = yield* Effect.forkChild(
            Effect.provideService(Effect.exit(effect), Clock.Clock, wall.clock)
          )
          // Promises of transports settle in turns of the event loop.
          const turn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
          const pass = (seconds: number) =>
            Effect.forEach(
              Array.from({ length: seconds }),
              () => Effect.andThen(turn, Effect.andThen(TestClock.adjust("1 second"), turn))
            )
          yield* pass(1)
          wall.set(by)
          yield* pass(8)
          yield* TestClock.adjust("900 millis")
          yield* turn
          assert.isUndefined(waiting.pollUnsafe(), "too early")
          yield* TestClock.adjust("200 millis")
          yield* turn
          yield* pass(1)
          assert.isDefined(waiting.pollUnsafe(), "too late")
          yield* Fiber.interrupt(waiting)
        }))
    }
  }
)

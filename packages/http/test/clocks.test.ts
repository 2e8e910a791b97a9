import { FetchHttpClient, HttpClient } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { ApiClient, type ApiClientOptions, RetryPolicy, Topics, Transport } from "@mailstream/http"
import * as FetchTransport from "@mailstream/http/FetchTransport"
import * as HttpClientTransport from "@mailstream/http/HttpClientTransport"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import * as WallClock from "@mailstream/testing/WallClock"
import { Effect, Layer, Schedule, Schema, Stream, TestClock } from "effect"
import * as Undici from "undici"
import { apiKey } from "./support/wire.ts"

type Client = Layer.Layer<ApiClient, unknown>

const client = (options: Partial<ApiClientOptions>, transport: Layer.Layer<Transport.Transport, unknown>): Client =>
  Layer.provide(ApiClient.layer({ baseUrl: "http://localhost", apiKey, ...options }), transport)

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
  Layer.succeed(Transport.Transport, {
    send: () => Effect.succeed({ status, headers, body: "{}" }),
    open: () => Effect.succeed({ status, headers, bytes: Stream.never })
  })

const twice = Effect.zip(Effect.exit(call), Effect.exit(call))

class Silent extends Undici.Dispatcher {
  override dispatch(): boolean {
    return true
  }
  override destroy(): Promise<void> {
    return Promise.resolve()
  }
}

/** The transports, on networks that never respond. */
const silent: ReadonlyArray<readonly [string, Layer.Layer<Transport.Transport, unknown>]> = [
  [
    "undici",
    Layer.provide(UndiciTransport.layerWithoutDispatcher, Layer.sync(UndiciTransport.Dispatcher, () => new Silent()))
  ],
  [
    "fetch",
    Layer.provide(FetchTransport.layer, Layer.succeed(FetchHttpClient.Fetch, () => new Promise(() => {})))
  ],
  [
    "an HttpClient",
    Layer.provide(HttpClientTransport.layer, Layer.succeed(HttpClient.HttpClient, HttpClient.make(() => Effect.never)))
  ],
  [
    "fetch, with a body that never arrives",
    Layer.provide(
      FetchTransport.layer,
      Layer.succeed(FetchHttpClient.Fetch, () => Promise.resolve(new Response(new ReadableStream())))
    )
  ]
]

const date = (millis: number) => new Date(millis).toUTCString()

const start = Date.UTC(2026, 10, 17, 11, 5)

/** Every wait of this package, and how long it takes in milliseconds. */
const waits: ReadonlyArray<readonly [name: string, millis: number, Effect.Effect<unknown, unknown>]> = [
  [
    "the spacing of requests",
    10_000,
    Effect.provide(twice, client({ rateLimit: { requests: 1, per: "10 seconds" } }, responding(200)))
  ],
  ["retry-after in seconds", 10_000, Effect.provide(twice, client({}, responding(429, { "retry-after": "10" })))],
  [
    "retry-after as a date, beside the date of the response",
    10_000,
    Effect.provide(
      twice,
      client({}, responding(429, { "retry-after": date(start + 3_610_000), date: date(start + 3_600_000) }))
    )
  ],
  ["ratelimit-reset on a 429", 10_000, Effect.provide(twice, client({}, responding(429, { "ratelimit-reset": "10" })))],
  [
    "the end of a window",
    10_000,
    Effect.provide(twice, client({}, responding(200, { "ratelimit-remaining": "0", "ratelimit-reset": "10" })))
  ],
  [
    "the longest pause",
    10_000,
    Effect.provide(
      twice,
      client({ rateLimit: { maxPause: "10 seconds" } }, responding(429, { "retry-after": "100000" }))
    )
  ],
  ...silent.flatMap(([name, transport]) =>
    ([["a call", call], ["an open response", open]] as const).map(([what, effect]) =>
      [
        `the timeout of ${what} over ${name}`,
        10_000,
        Effect.provide(effect, client({ timeout: "10 seconds" }, transport))
      ] as const
    )
  ),
  [
    "the timeout of an error's body",
    10_000,
    Effect.provide(open, client({ timeout: "10 seconds" }, responding(500)))
  ],
  [
    "the retries of a create, as long as their schedule lasts",
    10_000,
    Effect.flatMap(
      Topics,
      (topics) =>
        topics.create({ name: "News" }, {
          retry: Schedule.spaced("2 seconds").pipe(Schedule.upTo("9 seconds"))
        })
    ).pipe(
      Effect.provide(Layer.provide(Topics.layer, client({ rateLimit: false }, responding(429))))
    )
  ],
  [
    "a retry after as long as the API asks",
    10_000,
    Effect.flatMap(
      Topics,
      (topics) => topics.create({ name: "News" }, { retry: RetryPolicy.make({ times: 1, base: 1, cap: "1 minute" }) })
    ).pipe(
      Effect.provide(
        Layer.provide(Topics.layer, client({ rateLimit: false }, responding(429, { "retry-after": "10" })))
      )
    )
  ]
]

describe("the wall clock, set while something waits", () => {
  describe.each(waits)("%s", (_, millis, wait) => {
    it.scoped.each(WallClock.steps)(
      "by %s, %s, changes nothing",
      (step) =>
        Effect.gen(function*() {
          yield* TestClock.setTime(start)
          assert.strictEqual(yield* WallClock.elapsed(wait, "5 seconds", step), millis)
        })
    )
  })
})

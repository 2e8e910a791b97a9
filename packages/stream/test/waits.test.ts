import { HttpClient, HttpClientResponse } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Page } from "@mailstream/core"
import { Contacts, Mailstream, Transport } from "@mailstream/http"
import * as HttpClientTransport from "@mailstream/http/HttpClientTransport"
import { contacts } from "@mailstream/stream"
import { jumping } from "@mailstream/testing/Clock"
import { Clock, Duration, Effect, Layer, Redacted, Stream, TestClock } from "effect"

/** An API that responds with one 429 with these headers, then with an empty list. */
const rateLimited = (headers: Record<string, string>) => {
  let requests = 0
  const client = HttpClient.make((request) =>
    Effect.sync(() =>
      HttpClientResponse.fromWeb(
        request,
        requests++ === 0
          ? new Response(
            JSON.stringify({ name: "rate_limit_exceeded", statusCode: 429, message: "Too many requests." }),
            {
              status: 429,
              headers
            }
          )
          : new Response(JSON.stringify(Page.make([], false)))
      )
    )
  )
  return Mailstream.layer({ baseUrl: "http://localhost", apiKey: Redacted.make("re_1") }).pipe(
    Layer.provide(Layer.succeed(Transport.Transport, HttpClientTransport.make(client))),
    Layer.orDie
  )
}

const walk = (headers: Record<string, string>) =>
  Effect.gen(function*() {
    // Dates have a precision of one second.
    yield* TestClock.setTime(Date.UTC(2026, 0, 1))
    const error = yield* Stream.runDrain(contacts.items()).pipe(Effect.flip, Effect.option, jumping)
    const end = yield* Clock.currentTimeMillis
    return { error, took: Duration.millis(end - Date.UTC(2026, 0, 1)) }
  }).pipe(Effect.provide(rateLimited(headers)))

describe("retry-after", () => {
  it.effect("is respected in seconds", () =>
    Effect.gen(function*() {
      const { error, took } = yield* walk({ "retry-after": "12" })
      assert.strictEqual(error._tag, "None")
      assert.deepStrictEqual(took, Duration.seconds(12))
    }))

  it.effect("is respected as a date", () =>
    Effect.gen(function*() {
      const { error, took } = yield* walk({ "retry-after": "Thu, 01 Jan 2026 00:00:17 GMT" })
      assert.strictEqual(error._tag, "None")
      assert.deepStrictEqual(took, Duration.seconds(17))
    }))

  it.effect("beyond the cap fails immediately with an error that carries it", () =>
    Effect.gen(function*() {
      const { error, took } = yield* walk({ "retry-after": "3600" })
      assert(error._tag === "Some" && error.value._tag === "rate_limit_exceeded")
      assert.deepStrictEqual(error.value.retryAfter, Duration.hours(1))
      assert.deepStrictEqual(took, Duration.zero)
    }))
})

describe("a custom service", () => {
  it.effect("is all a walk needs", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* Stream.runCount(contacts.items()), 0)
      const error = yield* Effect.flip(Stream.runDrain(contacts.items({ pageSize: 1000 })))
      assert.strictEqual(error._tag, "InvalidOption")
    }).pipe(Effect.provide(Contacts.layerTest([]))))
})

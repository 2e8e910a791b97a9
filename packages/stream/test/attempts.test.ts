import { KeyValueStore } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Mailstream } from "@mailstream/http"
import * as FetchTransport from "@mailstream/http/FetchTransport"
import { contacts } from "@mailstream/stream"
import { sendJson, serve } from "@mailstream/testing/HttpServer"
import { Effect, Layer, Redacted, Schedule, Stream } from "effect"

const retry = Schedule.recurs(2)

const walks = {
  items: Stream.runDrain(contacts.items({ retry })),
  "items with prefetch": Stream.runDrain(contacts.items({ retry, prefetch: 2 })),
  pages: Stream.runDrain(contacts.pages({ retry })),
  whole: Stream.runDrain(contacts.whole({ retry })),
  follow: Stream.runDrain(contacts.follow({ retry })),
  process: contacts.process("key", () => Effect.void, { retry }).pipe(Effect.provide(KeyValueStore.layerMemory))
}

/** What is wrong with the service, and what the message says of it. */
const faults = {
  "an error of the API": [503, { name: "service_unavailable", statusCode: 503, message: "Later." }, "Later."],
  "an error of something else": [502, "Bad gateway", "Bad gateway"],
  "a response that is not JSON": [200, "{", "truncated or malformed text"]
} as const

describe.each(Object.entries(walks))("after retries, %s", (_, walk) => {
  it.scopedLive.each(Object.entries(faults))(
    "says how often it was tried: %s",
    ([, [status, body, said]]) =>
      Effect.gen(function*() {
        let requests = 0
        const baseUrl = yield* serve((_, response) => {
          requests++
          sendJson(response, status, body)
        })
        const layer = Mailstream.layer({ baseUrl, apiKey: Redacted.make("re_1"), rateLimit: false }).pipe(
          Layer.provide(FetchTransport.layer)
        )
        const error = yield* Effect.flip(Effect.provide(walk, layer))
        assert.include(error.message, said)
        assert.match(error.message, / \(after 3 attempts in [\w ]+\)$/)
        assert.strictEqual(requests, 3)
      })
  )

  it.scopedLive("says nothing of a single attempt", () =>
    Effect.gen(function*() {
      const baseUrl = yield* serve((_, response) =>
        sendJson(response, 401, { name: "missing_api_key", statusCode: 401, message: "No key." })
      )
      const layer = Mailstream.layer({ baseUrl, apiKey: Redacted.make("re_1") }).pipe(
        Layer.provide(FetchTransport.layer)
      )
      const error = yield* Effect.flip(Effect.provide(walk, layer))
      assert.match(error.message, /: No key\.$/)
    }))
})

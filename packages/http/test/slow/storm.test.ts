import { assert, describe, it } from "@effect/vitest"
import { Segments } from "@mailstream/http"
import { Effect } from "effect"
import { mailstream, serve } from "../support/wire.ts"

describe("a service that responds with 429 for ever", () => {
  it.scopedLive.each<{ readonly [name: string]: string }>([
    {},
    { "retry-after": "0" },
    { "retry-after": "Thu, 01 Jan 1970 00:00:00 GMT" },
    { "retry-after": "0", "ratelimit-remaining": "0", "ratelimit-reset": "0" }
  ])(
    "gets six requests for each call, with growing pauses in between, if it says %j",
    (headers) =>
      Effect.gen(function*() {
        const times: Array<number> = []
        const server = yield* serve((response) => {
          times.push(performance.now())
          response.writeHead(429, { "content-type": "application/json", ...headers })
            .end(JSON.stringify({ name: "rate_limit_exceeded", statusCode: 429, message: "Slow down." }))
        })
        const call = Effect.flip(Effect.flatMap(Segments, (segments) => segments.create({ name: "Beta" })))
        const error = yield* Effect.provide(call, mailstream(server.baseUrl))
        assert.strictEqual(error._tag, "rate_limit_exceeded")
        assert.strictEqual(times.length, 6)
        for (const [index, time] of times.slice(1).entries()) {
          // Jitter takes a fifth at most; a response takes its time to arrive, too, and timers are rounded.
          assert.isAtLeast(time - times[index]!, 200 * 2 ** index * 0.8 - 2)
        }
      }),
    60_000
  )
})

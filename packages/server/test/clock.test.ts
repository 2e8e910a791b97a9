import { assert, describe, it } from "@effect/vitest"
import { Server } from "@mailstream/server"
import { jumpingUntil } from "@mailstream/testing/Clock"
import { found } from "@mailstream/testing/Eventually"
import * as WallClock from "@mailstream/testing/WallClock"
import { Chunk, Context, Effect, Fiber, Layer, TestClock } from "effect"
import { page, send } from "./support/http.ts"

/** A server on a clock that can be set. Everything else runs on the test's own clock. */
const serverOn = (options: Server.TestOptions) =>
  Effect.gen(function*() {
    const { clock, shift } = yield* WallClock.make
    const context = yield* Effect.withClock(Layer.build(Server.layerTest(options)), clock)
    return { server: Context.get(context, Server.TestServer), shift }
  })

describe.each(["back", "forward"] as const)("a wall clock that is set %s by 24 hours", (direction) => {
  it.scoped("does not change how long a rate limit lasts", () =>
    Effect.gen(function*() {
      const { server, shift } = yield* serverOn({ rateLimit: { requests: 1, per: "10 seconds" } })
      yield* TestClock.adjust("1 hour")
      yield* Effect.gen(function*() {
        assert.strictEqual((yield* send("/topics")).status, 200)
        yield* TestClock.adjust("4 seconds")
        shift("24 hours", direction)
        const refused = yield* send("/topics")
        assert.strictEqual(refused.status, 429)
        assert.strictEqual(refused.headers.get("retry-after"), "6")
        assert.strictEqual(refused.headers.get("ratelimit-reset"), "6")
        yield* TestClock.adjust("6 seconds")
        assert.strictEqual((yield* send("/topics")).status, 200)
      }).pipe(Effect.provideService(Server.TestServer, server))
    }))

  it.scoped("does not change how often the use of a key is recorded", () =>
    Effect.gen(function*() {
      const { server, shift } = yield* serverOn({})
      yield* TestClock.setTime(Date.UTC(2026, 0, 10))
      yield* Effect.gen(function*() {
        const lastUsed = Effect.map(page("/api-keys"), ({ data }) =>
          (data[0] as unknown as Record<string, unknown>)["last_used_at"])
        assert.strictEqual(yield* lastUsed, "2026-01-10 00:00:00+00")
        shift("24 hours", direction)
        yield* TestClock.adjust("900 millis")
        assert.strictEqual(yield* lastUsed, "2026-01-10 00:00:00+00")
        yield* TestClock.adjust("100 millis")
        assert.strictEqual(yield* lastUsed, `2026-01-${direction === "back" ? "09" : "11"} 00:00:01+00`)
      }).pipe(Effect.provideService(Server.TestServer, server))
    }))

  it.scoped("does not change how long a request took", () =>
    Effect.gen(function*() {
      const durations: Array<number> = []
      const { server, shift } = yield* serverOn({
        faults: { latency: { rate: 1, delay: "10 seconds" } },
        onRequest: ({ endedAt, startedAt }) => Effect.sync(() => durations.push(endedAt - startedAt))
      })
      const sending = yield* Effect.fork(send("/topics").pipe(Effect.provideService(Server.TestServer, server)))
      yield* found("the response is delayed", TestClock.sleeps(), Chunk.isNonEmpty)
      shift("24 hours", direction)
      yield* jumpingUntil(() => durations.length > 0)
      yield* Fiber.join(sending)
      assert.isAbove(durations[0]!, 0)
      assert.isAtMost(durations[0]!, 10_000)
    }))
})

import { assert, describe, it } from "@effect/vitest"
import { ErrorResponse, InternalServerError, RateLimitExceeded, type RequestError } from "@mailstream/core"
import { RetryPolicy } from "@mailstream/http"
import { Clock, Duration, Effect, FastCheck as fc, Fiber, Schedule, TestClock } from "effect"

const broken = new InternalServerError({ statusCode: 500, message: "Oh." })
const busy = (wait: Duration.DurationInput) =>
  new RateLimitExceeded({ statusCode: 429, message: "Slow.", retryAfter: Duration.decode(wait) })

/** The waits between the attempts of an effect that always fails with this error. */
const waits = (policy: RetryPolicy.RetryPolicy, error: RequestError) =>
  Effect.gen(function*() {
    const attempts: Array<number> = []
    const attempt = Effect.flatMap(Clock.currentTimeMillis, (now) => {
      attempts.push(now)
      return Effect.fail(error)
    })
    const fiber = yield* attempt.pipe(Effect.retry(policy), Effect.flip, Effect.fork)
    yield* TestClock.adjust("1 day")
    assert.strictEqual(yield* Fiber.join(fiber), error)
    return attempts.slice(1).map((at, index) => at - attempts[index]!)
  })

describe("RetryPolicy", () => {
  it.effect("`none` gives up immediately", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* waits(RetryPolicy.none, broken), [])
    }))

  it.effect("doubles the wait each time, give or take a fifth, up to the cap", () =>
    Effect.gen(function*() {
      const actual = yield* waits(RetryPolicy.make({ times: 6, base: "1 second", cap: "10 seconds" }), broken)
      const expected = [1000, 2000, 4000, 8000, 10_000, 10_000]
      assert.strictEqual(actual.length, expected.length)
      for (const [index, wait] of actual.entries()) {
        assert.isTrue(Number.isInteger(wait))
        assert.isAtLeast(wait, expected[index]! * 0.8)
        assert.isAtMost(wait, Math.min(expected[index]! * 1.2 + 1, 10_000))
      }
    }))

  it.effect.prop(
    "has as many retries as fit into `times`, and no negative delay, whatever its options",
    {
      times: fc.oneof(fc.double({ max: 20 }), fc.constantFrom(NaN, -Infinity, -1, -0.5, 0.5, 2.5)),
      base: fc.oneof(fc.double({ max: 1000 }), fc.constantFrom(NaN, -1)),
      cap: fc.oneof(fc.double({ max: 1000 }), fc.constantFrom(NaN, -1))
    },
    ({ base, cap, times }) =>
      Effect.gen(function*() {
        const actual = yield* waits(RetryPolicy.make({ times, base, cap }), broken)
        assert.strictEqual(actual.length, times >= 1 ? Math.floor(times) : 0)
        for (const wait of actual) {
          assert.isAtLeast(wait, 0)
          assert.isAtMost(wait, Math.ceil(Duration.toMillis(Duration.decode(cap))))
        }
      })
  )

  it.effect("waits as long as the API requests", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* waits(RetryPolicy.default, busy("20 seconds")), Array(5).fill(20_000))
    }))

  it.effect.each<{ readonly [name: string]: string }>([
    {},
    { "retry-after": "0" },
    { "retry-after": "0.0001" },
    { "retry-after": "-1" },
    { "retry-after": "soon" },
    { "retry-after": "Thu, 01 Jan 1970 00:00:00 GMT" },
    { "retry-after": "Thu, 01 Jan 2026 00:00:00 GMT", date: "Fri, 02 Jan 2026 00:00:00 GMT" },
    { "ratelimit-reset": "0" }
  ])(
    "ends a storm of 429, and never retries at once, whatever the API requests: %j",
    (headers) =>
      Effect.gen(function*() {
        const error = ErrorResponse.toError({ status: 429, headers, now: 0 }, "")
        for (const [policy, times, base] of [[RetryPolicy.default, 5, 200], [RetryPolicy.patient, 20, 500]] as const) {
          const actual = yield* waits(policy, error)
          assert.strictEqual(actual.length, times)
          for (const [index, wait] of actual.entries()) {
            assert.isAtLeast(wait, Math.min(base * 2 ** index, 60_000) * 0.8)
            assert.isAtMost(wait, 120_000)
          }
        }
      })
  )

  it.effect("lets any schedule wait as long as the API requests, data-first or data-last", () =>
    Effect.gen(function*() {
      const steady = Schedule.intersect(Schedule.spaced("1 second"), Schedule.recurs(2))
      for (
        const policy of [
          RetryPolicy.withRetryAfter(steady, "5 seconds"),
          steady.pipe(RetryPolicy.withRetryAfter("5 seconds"))
        ]
      ) {
        assert.deepStrictEqual(yield* waits(policy, broken), [1000, 1000])
        assert.deepStrictEqual(yield* waits(policy, busy("3 seconds")), [3000, 3000])
        assert.deepStrictEqual(yield* waits(policy, busy("6 seconds")), [])
      }
    }))

  it.effect("gives up immediately if the API requests more than the cap", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* waits(RetryPolicy.default, busy("31 seconds")), [])
      const patient = yield* waits(RetryPolicy.patient, busy("31 seconds"))
      assert.strictEqual(patient.length, 20)
      assert.deepStrictEqual(patient.slice(0, 5), Array(5).fill(31_000))
    }))
})

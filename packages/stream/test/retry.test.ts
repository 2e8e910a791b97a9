import { assert, describe, it } from "@effect/vitest"
import {
  DailyQuotaExceeded,
  InternalServerError,
  InvalidApiKey,
  OtherApiError,
  RateLimitExceeded,
  type RequestError,
  TransportError,
  UnexpectedResponse
} from "@mailstream/core"
import { type ListError, RetryPolicy, Walk } from "@mailstream/stream"
import { jumping } from "@mailstream/testing/Clock"
import { Clock, Duration, Effect, Either, Logger, LogLevel, Schedule, Stream } from "effect"
import { down, FakeList, ids } from "./support/list.ts"

const unavailable = new InternalServerError({ statusCode: 500, message: "Something went wrong." })
const from = { method: "GET", url: "http://localhost/items" }

/** Runs a walk on a clock that jumps from one timer to the next; also returns how long it took. */
const walk = (list: FakeList, options: Walk.Options = {}) =>
  Effect.gen(function*() {
    const start = yield* Clock.currentTimeMillis
    const result = yield* Walk.items(list, { pageSize: 10, ...options }).pipe(
      Stream.runCollect,
      Effect.map(ids),
      Effect.either,
      jumping
    )
    const end = yield* Clock.currentTimeMillis
    return { result, took: Duration.millis(end - start) }
  })

/** Errors that have passed through a span are different objects with the same contents. */
const assertFailed = (result: Either.Either<unknown, ListError>, failure: RequestError): void => {
  assert(Either.isLeft(result))
  assert.deepStrictEqual({ ...result.left }, { ...failure })
  assert.strictEqual(result.left._tag, failure._tag)
}

describe("retry", () => {
  it.effect("says at debug level what it retries after, and when", () =>
    Effect.gen(function*() {
      const lines: Array<string> = []
      const logger = Logger.make(({ logLevel, message }) => void lines.push(`${logLevel.label} ${String(message)}`))
      const list = new FakeList(5)
      list.failures.push(unavailable, unavailable)
      yield* walk(list).pipe(
        Effect.provide(Logger.replace(Logger.defaultLogger, logger)),
        Logger.withMinimumLogLevel(LogLevel.Debug)
      )
      assert.strictEqual(lines.length, 2)
      for (const line of lines) assert.match(line, /^DEBUG items: retrying in \d+ ms: Something went wrong\.$/)
    }))

  const transient: ReadonlyArray<RequestError> = [
    unavailable,
    new RateLimitExceeded({ statusCode: 429, message: "Too many requests." }),
    new TransportError({ ...from, reason: "Lost", description: "reset" }),
    new OtherApiError({ statusCode: 502, name: "api_error", message: "Bad gateway" }),
    UnexpectedResponse.notJson({ ...from, statusCode: 200 }, "{\"da", "application/json")
  ]

  for (const failure of transient) {
    it.effect(`retries a page after ${failure._tag}, and emits nothing twice`, () =>
      Effect.gen(function*() {
        const list = new FakeList(35)
        list.before = Effect.sync(() => {
          if (list.requests.length === 3) list.failures.push(failure, failure)
        })
        const { result } = yield* walk(list)
        assert.deepStrictEqual(result, Either.right(ids(down(35, 1))))
        assert.strictEqual(list.requests.length, 6)
      }))
  }

  const final: ReadonlyArray<RequestError> = [
    new InvalidApiKey({ statusCode: 403, message: "" }),
    new DailyQuotaExceeded({ statusCode: 429, message: "", retryAfter: Duration.seconds(1) }),
    new OtherApiError({ statusCode: 418, name: "teapot", message: "" })
  ]

  for (const failure of final) {
    it.effect(`gives up immediately after ${failure._tag}`, () =>
      Effect.gen(function*() {
        const list = new FakeList(35)
        list.failures.push(failure)
        const { result } = yield* walk(list, { retry: RetryPolicy.patient })
        assertFailed(result, failure)
        assert.strictEqual(list.requests.length, 1)
      }))
  }

  it.effect("has a budget per page: a long walk does not exhaust it", () =>
    Effect.gen(function*() {
      const list = new FakeList(200)
      // Every page fails four times; the default policy allows five retries.
      list.before = Effect.sync(() => {
        if (list.requests.length % 5 !== 0) list.failures.push(unavailable)
      })
      const { result } = yield* walk(list)
      assert.deepStrictEqual(result, Either.right(ids(down(200, 1))))
      assert.strictEqual(list.requests.length, 100)
    }))

  it.effect("has a bounded budget per page", () =>
    Effect.gen(function*() {
      const list = new FakeList(200)
      list.before = Effect.sync(() => list.failures.push(unavailable))
      const { result } = yield* walk(list, {
        retry: Schedule.intersect(Schedule.spaced("2 seconds"), Schedule.recurs(5))
      })
      assert(Either.isLeft(result) && result.left._tag === "internal_server_error")
      assert.strictEqual(result.left.message, "Something went wrong. (after 6 attempts in 10s)")
      assert.strictEqual(list.requests.length, 6)
      list.requests.length = 0
      yield* walk(list)
      assert.strictEqual(list.requests.length, 6)
    }))

  it.effect("counts the time of every attempt, and those of the page alone", () =>
    Effect.gen(function*() {
      const list = new FakeList(30)
      list.before = Effect.suspend(() => {
        if (list.requests.length > 1) list.failures.push(unavailable)
        return Effect.sleep("20 seconds")
      })
      const { result } = yield* walk(list, {
        retry: Schedule.intersect(Schedule.spaced("5 seconds"), Schedule.recurs(2))
      })
      assert(Either.isLeft(result))
      assert.strictEqual(result.left.message, "Something went wrong. (after 3 attempts in 1m 10s)")
    }))

  it.effect("never retries with `none`", () =>
    Effect.gen(function*() {
      const list = new FakeList(200)
      list.failures.push(unavailable)
      const { result } = yield* walk(list, { retry: RetryPolicy.none })
      assertFailed(result, unavailable)
      assert.strictEqual(list.requests.length, 1)
    }))

  it.effect("accepts any schedule, and waits on the clock", () =>
    Effect.gen(function*() {
      const list = new FakeList(5)
      list.failures.push(unavailable, unavailable, unavailable)
      const { result, took } = yield* walk(list, { retry: Schedule.spaced("1 minute") })
      assert.deepStrictEqual(result, Either.right(ids(down(5, 1))))
      assert.deepStrictEqual(took, Duration.minutes(3))
    }))

  it.effect("waits as long as the API requests", () =>
    Effect.gen(function*() {
      const list = new FakeList(5)
      list.failures.push(
        new RateLimitExceeded({ statusCode: 429, message: "", retryAfter: Duration.seconds(20) })
      )
      const { result, took } = yield* walk(list)
      assert.deepStrictEqual(result, Either.right(ids(down(5, 1))))
      assert.deepStrictEqual(took, Duration.seconds(20))
    }))

  it.effect("does not wait longer than the cap: the error says how long to wait", () =>
    Effect.gen(function*() {
      const list = new FakeList(5)
      const failure = new RateLimitExceeded({ statusCode: 429, message: "", retryAfter: Duration.seconds(31) })
      list.failures.push(failure)
      const { result, took } = yield* walk(list)
      assertFailed(result, failure)
      assert.deepStrictEqual(took, Duration.zero)
    }))

  it.effect("has a separate budget for finding another cursor", () =>
    Effect.gen(function*() {
      const list = new FakeList(30, "404")
      list.before = Effect.sync(() => {
        if (list.requests.length === 2) list.delete("item-21")
        if (list.requests.length === 3) list.failures.push(unavailable)
      })
      const { result } = yield* walk(list)
      assert.deepStrictEqual(result, Either.right(ids(down(30, 1))))
      assert.deepStrictEqual(
        list.requests.map(({ after }) => after),
        [undefined, "item-21", "item-22", "item-22", "item-11"]
      )
    }))
})

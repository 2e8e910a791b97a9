import * as Walk3 from "@mailstream/stream/Walk"
import * as Whole3 from "@mailstream/stream/Whole"
import { Duration, Effect, Exit, Fiber, Metric, Option, Schedule, Stream, SubscriptionRef, Tracer } from "effect"
import { TestClock } from "effect/testing"
import { Effect as Effect3, Exit as Exit3, Option as Option3, Stream as Stream3, Tracer as Tracer3 } from "effect3"
import { assert, describe, it } from "vitest"
import * as RetryPolicy from "../../src/http/RetryPolicy.ts"
import * as Follow from "../../src/stream/Follow.ts"
import * as Progress from "../../src/stream/Progress.ts"
import * as Telemetry from "../../src/stream/Telemetry.ts"
import * as Walk from "../../src/stream/Walk.ts"
import * as Whole from "../../src/stream/Whole.ts"
import { complete3, complete4, run3, run4, Service, source4, type Turn } from "./support.ts"

/** A span as it is exported, and whether it kept a value. */
interface Shown {
  readonly name: string
  readonly parent: string | undefined
  readonly attributes: unknown
  readonly ended: string
}

const spans4 = async (effect: Effect.Effect<unknown, unknown>): Promise<ReadonlyArray<Shown>> => {
  const spans: Array<Tracer.NativeSpan> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  await run4(effect.pipe(Effect.withSpan("mine"), Effect.withTracer(tracer)))
  return spans.filter(({ name }) => name !== "mine").map((span) => ({
    name: span.name,
    parent: Option.getOrUndefined(Option.map(span.parent, (parent) => parent._tag === "Span" ? parent.name : "")),
    attributes: Object.fromEntries(span.attributes),
    ended: span.status._tag !== "Ended"
      ? "never"
      : Exit.isFailure(span.status.exit)
      ? "failure"
      : span.status.exit.value === undefined
      ? "success"
      : "with a value"
  }))
}

const spans3 = async (effect: Effect3.Effect<unknown, unknown>): Promise<ReadonlyArray<Shown>> => {
  const spans: Array<Shown & { ended: string }> = []
  const tracer = Tracer3.make({
    span: (name, parent, context, links, _start, kind) => {
      const attributes = new Map<string, unknown>()
      const shown = {
        name,
        parent: Option3.getOrUndefined(Option3.map(parent, (parent) => parent._tag === "Span" ? parent.name : "")),
        attributes: {},
        ended: "never"
      }
      spans.push(shown)
      return {
        _tag: "Span",
        name,
        spanId: `${spans.length}`,
        traceId: "1",
        parent,
        context,
        status: { _tag: "Started", startTime: 0n },
        attributes,
        links,
        sampled: true,
        kind,
        end: (_, exit) => {
          shown.attributes = Object.fromEntries(attributes)
          shown.ended = Exit3.isFailure(exit) ? "failure" : exit.value === undefined ? "success" : "with a value"
        },
        attribute: (key, value) => void attributes.set(key, value),
        event: () => {},
        addLinks: () => {}
      }
    },
    context: (f) => f()
  })
  await run3(effect.pipe(Effect3.withSpan("mine"), Effect3.withTracer(tracer)))
  return spans.filter(({ name }) => name !== "mine")
}

const lost: Turn = { _tag: "Lost", reason: "Lost" }
const refused: Turn = { _tag: "Api", name: "validation_error", statusCode: 422 }
const fine: Turn = { _tag: "Page", insert: 0, deletes: [] }

describe("the spans of a walk", () => {
  it.each<readonly [string, ReadonlyArray<Turn>]>([
    ["that succeeds", []],
    ["that is retried", [fine, lost]],
    ["that fails", [fine, refused]]
  ])("%s are those of the line for Effect 3, below the caller's, and keep no page", async (_, turns) => {
    const options = { pageSize: 2, take: 5 }
    const expected = await spans3(Stream3.runDrain(Walk3.items(complete3(new Service(9, turns), []), options)))
    const spans = await spans4(Stream.runDrain(Walk.items(complete4(new Service(9, turns), []), options)))
    assert.isAbove(spans.length, 1)
    assert.deepStrictEqual(spans, expected)
    assert.deepStrictEqual(spans.map(({ parent }) => parent), ["mine", ...spans.slice(1).map(() => "Items.items")])
    assert.notInclude(spans.map(({ ended }) => ended), "with a value")
  })

  it("in one response are those of the line for Effect 3", async () => {
    const bodies = [{
      text: `{"object":"list","has_more":true,"data":[{"id":"item-9"}]}`,
      cuts: [20],
      end: "ended"
    }] as const
    const expected = await spans3(Stream3.runDrain(Whole3.items(complete3(new Service(9, []), bodies))))
    assert.deepStrictEqual(await spans4(Stream.runDrain(Whole.items(complete4(new Service(9, []), bodies)))), expected)
  })
})

const timed = (name: string, test: () => Effect.Effect<unknown, unknown>): void =>
  it(name, () => Effect.runPromise(Effect.provide(Effect.asVoid(test()), TestClock.layer())))

describe("time", () => {
  timed("is the test's: waits between attempts end when it has passed, and are counted", () =>
    Effect.gen(function*() {
      const service = new Service(3, [lost, lost, lost])
      const progress = yield* Progress.make
      const before = yield* Metric.value(Metric.withAttributes(Telemetry.waitSeconds, { list: "items" }))
      const walk = yield* Effect.forkChild(Stream.runCollect(
        Walk.items(source4(service), { retry: Schedule.spaced("20 seconds"), progress })
      ))
      for (let attempt = 1; attempt <= 3; attempt++) {
        yield* TestClock.adjust("19 seconds")
        assert.strictEqual(service.requests.length, attempt)
        assert.deepStrictEqual((yield* SubscriptionRef.get(progress)).waiting, Duration.seconds(20))
        yield* TestClock.adjust("1 second")
      }
      assert.strictEqual((yield* Fiber.join(walk)).length, 3)
      const { waited, ...counts } = yield* SubscriptionRef.get(progress)
      assert.deepStrictEqual(counts, { requests: 4, retries: 3, pages: 1, items: 3, waiting: undefined })
      assert.strictEqual(Duration.toSeconds(waited), 60)
      const after = yield* Metric.value(Metric.withAttributes(Telemetry.waitSeconds, { list: "items" }))
      // Others have counted fractions before.
      assert.approximately(Number(after.count) - Number(before.count), 60, 1e-6)
    }))

  timed("is the test's: what the service asks to wait is waited", () =>
    Effect.gen(function*() {
      const service = new Service(3, [{ _tag: "Api", name: "rate_limit_exceeded", statusCode: 429 }])
      const walk = yield* Effect.forkChild(
        Stream.runCount(Walk.items(source4(service), { retry: RetryPolicy.default }))
      )
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* Fiber.join(walk), 3)
    }))

  timed("is the test's: a list is polled when its time has come", () =>
    Effect.gen(function*() {
      const service = new Service(3, [])
      const seen: Array<string> = []
      const follower = yield* Effect.forkChild(
        Stream.runForEach(
          Follow.items(source4(service), { poll: "20 seconds" }),
          ({ id }) => Effect.sync(() => seen.push(id))
        )
      )
      yield* TestClock.adjust("1 second")
      const begun = service.requests.length
      service.items.unshift({ id: "item-4" })
      yield* TestClock.adjust("18 seconds")
      assert.deepStrictEqual([seen, service.requests.length], [[], begun])
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(seen, ["item-4"])
      const polled = service.requests.length
      assert.isAbove(polled, begun)
      yield* TestClock.adjust("19 seconds")
      assert.strictEqual(service.requests.length, polled)
      yield* TestClock.adjust("1 second")
      assert.isAbove(service.requests.length, polled)
      yield* Fiber.interrupt(follower)
    }))
})

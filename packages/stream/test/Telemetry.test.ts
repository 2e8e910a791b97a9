import { KeyValueStore } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { InternalServerError } from "@mailstream/core"
import { Commit, Follow, Progress, type RetryPolicy, Telemetry, Walk } from "@mailstream/stream"
import { jumping, settle } from "@mailstream/testing/Clock"
import { Duration, Effect, Fiber, Metric, Schedule, Stream, TestClock, type Tracer } from "effect"
import * as EffectTracer from "effect/Tracer"
import { FakeList } from "./support/list.ts"

const failed = new InternalServerError({ statusCode: 500, message: "" })
const everySecond: RetryPolicy.RetryPolicy = Schedule.spaced("1 second")

const listOf = (name: string, size: number) => Object.assign(new FakeList(size), { name })

describe("metrics", () => {
  it.effect("count pages, items, retries and waits, by list", () =>
    Effect.gen(function*() {
      const list = listOf("counted", 25)
      list.failures.push(failed, failed)
      yield* jumping(Stream.runDrain(Walk.items(list, { pageSize: 10, retry: everySecond })))
      const count = (metric: Metric.Metric.Counter<number>) =>
        Effect.map(Metric.value(Metric.tagged(metric, "list", "counted")), ({ count }) => count)
      assert.deepStrictEqual(
        yield* Effect.all([Telemetry.pages, Telemetry.items, Telemetry.retries, Telemetry.waitSeconds].map(count)),
        [3, 25, 2, 2]
      )
    }))
})

describe("progress", () => {
  it.effect("reports what the walk does, even while it waits", () =>
    Effect.gen(function*() {
      const list = new FakeList(25)
      const progress = yield* Progress.make
      const history = yield* Effect.fork(Stream.runCollect(Stream.take(progress.changes, 8)))
      yield* settle
      list.before = Effect.sync(() => {
        if (list.requests.length === 2) list.failures.push(failed)
      })
      const walk = yield* Effect.fork(
        Stream.runDrain(Walk.items(list, { pageSize: 10, retry: everySecond, progress }))
      )
      yield* settle
      assert.deepStrictEqual(yield* progress.get, {
        requests: 2,
        retries: 1,
        pages: 1,
        items: 10,
        waited: Duration.seconds(1),
        waiting: Duration.seconds(1)
      })
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(walk)
      assert.deepStrictEqual(yield* progress.get, {
        requests: 4,
        retries: 1,
        pages: 3,
        items: 25,
        waited: Duration.seconds(1),
        waiting: undefined
      })
      assert.deepStrictEqual(
        Array.from(yield* Fiber.join(history), ({ items, waiting }) => [items, waiting !== undefined]),
        [[0, false], [0, false], [10, false], [10, false], [10, true], [10, false], [20, false], [20, false]]
      )
    }))

  it.effect("can be shared by several walks", () =>
    Effect.gen(function*() {
      const progress = yield* Progress.make
      yield* Effect.all([
        Stream.runDrain(Walk.items(new FakeList(250), { progress })),
        Stream.runDrain(Walk.items(new FakeList(40), { progress }))
      ], { concurrency: 2 })
      const { items, pages, requests } = yield* progress.get
      assert.deepStrictEqual([items, pages, requests], [290, 4, 4])
    }))
})

describe("spans", () => {
  const record = (into: Array<EffectTracer.Span>): Tracer.Tracer => {
    let id = 0
    return EffectTracer.make({
      context: (f) => f(),
      span: (name, parent, context, links, startTime, kind) => {
        const attributes = new Map<string, unknown>()
        let status: EffectTracer.SpanStatus = { _tag: "Started", startTime }
        const span: EffectTracer.Span = {
          _tag: "Span",
          name,
          spanId: String(id++),
          traceId: "trace",
          parent,
          context,
          links,
          kind,
          sampled: true,
          attributes,
          get status() {
            return status
          },
          attribute: (key, value) => attributes.set(key, value),
          event: () => {},
          addLinks: () => {},
          end: (endTime, exit) => {
            status = { _tag: "Ended", startTime, endTime, exit }
          }
        }
        into.push(span)
        return span
      }
    })
  }

  const traced = <A, E, R>(effect: Effect.Effect<A, E, R>) => {
    const spans: Array<EffectTracer.Span> = []
    return Effect.as(
      Effect.withTracer(effect, record(spans)),
      spans
    )
  }

  it.effect("are created for each walk, with a child for each page", () =>
    Effect.gen(function*() {
      const spans = yield* traced(Stream.runDrain(Walk.items(new FakeList(25), { pageSize: 10 })))
      const [walk, ...pages] = spans
      assert(walk !== undefined)
      assert.strictEqual(walk.name, "Items.items")
      assert.deepStrictEqual(
        pages.map(({ attributes, name, parent }) => [name, Object.fromEntries(attributes), parent._tag]),
        [
          ["Items.page", { "mailstream.list": "items", "mailstream.limit": 10 }, "Some"],
          ["Items.page", { "mailstream.list": "items", "mailstream.limit": 10, "mailstream.after": "item-16" }, "Some"],
          ["Items.page", { "mailstream.list": "items", "mailstream.limit": 10, "mailstream.after": "item-6" }, "Some"]
        ]
      )
      for (const { parent } of pages) assert.strictEqual(parent._tag === "Some" && parent.value.spanId, walk.spanId)
      for (const { status } of spans) assert.strictEqual(status._tag, "Ended")
    }))

  it.effect("are named after the module of a list", () =>
    Effect.gen(function*() {
      const list = listOf("received-email-attachments", 3)
      const [whole, page] = yield* traced(Stream.runDrain(Walk.pages(list)))
      assert.deepStrictEqual(
        [whole?.name, page?.name],
        ["ReceivedEmailAttachments.pages", "ReceivedEmailAttachments.page"]
      )
      assert.deepStrictEqual(Object.fromEntries(whole!.attributes), { "mailstream.list": "received-email-attachments" })
    }))

  it.effect("end when the consumer stops early, and with prefetch", () =>
    Effect.gen(function*() {
      const spans = yield* traced(
        Stream.runDrain(Stream.take(Walk.items(new FakeList(250), { pageSize: 10, prefetch: 2 }), 15))
      )
      assert.isAtLeast(spans.length, 3)
      for (const { status } of spans) assert.strictEqual(status._tag, "Ended")
    }))

  it.effect("are created for `follow` as well", () =>
    Effect.gen(function*() {
      const list = new FakeList(3)
      const spans = yield* traced(
        Stream.runDrain(Follow.items(list, { since: "item-1", poll: Schedule.stop, pageSize: 10 }))
      )
      assert.strictEqual(spans[0]?.name, "Items.follow")
    }))

  it.effect("are created for `process`, around its walk", () =>
    Effect.gen(function*() {
      const [process, walk] = yield* traced(Commit.process(new FakeList(3), "export", () => Effect.void))
      assert(process !== undefined && walk !== undefined)
      assert.strictEqual(process.name, "Items.process")
      assert.deepStrictEqual(Object.fromEntries(process.attributes), {
        "mailstream.list": "items",
        "mailstream.key": "export"
      })
      assert.strictEqual(walk.name, "Items.pages")
      assert.strictEqual(walk.parent._tag === "Some" && walk.parent.value.spanId, process.spanId)
    }).pipe(Effect.provide(KeyValueStore.layerMemory)))
})

import { assert, describe, it } from "@effect/vitest"
import * as Fibers from "@mailstream/kernel/Fibers"
import { spansOf } from "@mailstream/testing/Spans"
import {
  Cause,
  Context,
  Deferred,
  Duration,
  Effect,
  Exit,
  Fiber,
  FiberId,
  Metric,
  MetricLabel,
  Option,
  TestClock,
  Tracer
} from "effect"

describe("masked is uninterruptibleMask around withFiberRuntime", () => {
  const state = Effect.checkInterruptible((interruptible) => Effect.succeed(interruptible))

  it.effect.each([true, false])("where interruption is %s outside", (outside) =>
    Effect.gen(function*() {
      const setting = outside ? Effect.interruptible : Effect.uninterruptible
      const self = yield* Effect.fiberId
      yield* setting(Fibers.masked((fiber, restore) => {
        assert.deepStrictEqual<FiberId.FiberId>(fiber.id(), self)
        return Effect.gen(function*() {
          assert.isFalse(yield* state)
          assert.strictEqual(yield* restore(state), outside)
        })
      }))
      assert.isTrue(yield* state)
    }))
})

describe("withSpan is Effect.withSpan", () => {
  const name = "made"
  const attributes = { a: 1, b: "two" }
  const setting = (change: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>) =>
    Effect.gen(function*() {
      const seen = (put: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>) =>
        Effect.gen(function*() {
          const inside: Array<string> = []
          const inner = Effect.currentParentSpan.pipe(
            Effect.map((span) => void inside.push(span._tag === "Span" ? span.name : span.spanId)),
            Effect.ignore
          )
          const spans = yield* spansOf(change(put(inner)))
          const one = spans.find((span) => span.name === name)
          return one === undefined ? { inside } : {
            inside,
            attributes: Object.fromEntries(one.attributes),
            links: one.links.map(({ attributes, span }) => [span.spanId, attributes]),
            parent: Option.map(one.parent, (parent) => parent._tag === "Span" ? parent.name : parent.spanId),
            kind: one.kind,
            status: one.status._tag,
            timed: one.status.startTime > 0n
          }
        })
      assert.deepStrictEqual(
        yield* seen(Fibers.withSpan(name, { attributes })),
        yield* seen((effect) =>
          // The requirements of the effect are unknown here, and stay as they are.
          Effect.withSpan(effect, name, { attributes, captureStackTrace: false }) as typeof effect
        )
      )
    })

  const elsewhere = Tracer.externalSpan({ spanId: "0123456789abcdef", traceId: "0123456789abcdef0123456789abcdef" })

  it.live("by itself", () => setting((effect) => effect))
  it.live("as a child of another span", () => setting((effect) => Effect.withSpan(effect, "outer") as typeof effect))
  it.live("as a child of a span of another process", () =>
    setting((effect) => Effect.withParentSpan(effect, elsewhere) as typeof effect))
  it.live("as a child of a span that does not propagate", () =>
    setting((effect) =>
      Effect.withSpan(
        Effect.withSpan(effect, "hidden", { context: Context.make(Tracer.DisablePropagation, true) }),
        "outer"
      ) as typeof effect
    ))
  it.live("with annotations and links", () =>
    setting((effect) => Effect.annotateSpans(Effect.linkSpans(effect, elsewhere, { c: 3 }), { b: "other", d: 4 })))
  it.live("without timing", () => setting(Effect.withTracerTiming(false)))
  it.live("with tracing disabled", () => setting(Effect.withTracerEnabled(false)))
})

describe("endSpan ends a span as withSpan does", () => {
  it.effect.each([Exit.succeed({ large: "page" }), Exit.fail("no"), Exit.interrupt(FiberId.none)])(
    "with %j, but for the value",
    (exit) =>
      Effect.gen(function*() {
        yield* TestClock.adjust("5 millis")
        const ends: Array<unknown> = []
        const span = Object.assign(yield* Effect.makeSpan("ended"), {
          end: (...args: ReadonlyArray<unknown>) => void ends.push(args)
        })
        yield* Fibers.endSpan(span, exit)
        yield* Effect.withTracerTiming(Fibers.endSpan(span, exit), false)
        assert.deepStrictEqual(ends, [[5_000_000n, Exit.asVoid(exit)], [0n, Exit.asVoid(exit)]])
      })
  )
})

/** The comparable part of an exit: everything except which fiber interrupted. */
const comparable = <A, E>(exit: Exit.Exit<A, E>) =>
  Exit.match(exit, {
    onSuccess: (value) => ({ value }),
    onFailure: (cause) => ({
      failure: Option.getOrUndefined(Cause.failureOption(cause)),
      defect: Option.getOrUndefined(Cause.dieOption(cause)),
      interrupted: Cause.isInterrupted(cause)
    })
  })

describe("asyncWithin is Effect.async with a canceler in timeoutFail", () => {
  it.live("leaves no timer behind a function that throws", () =>
    Effect.gen(function*() {
      const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length
      const before = timers()
      const exit = yield* Effect.exit(
        Fibers.asyncWithin({ duration: Duration.hours(1), onTimeout: () => "late" }, () => {
          throw "oh"
        })
      )
      assert.isTrue(Exit.isFailure(exit))
      assert.strictEqual(timers(), before)
    }))

  const limit = { duration: Duration.millis(40), onTimeout: () => "late" }
  type Begin = (resume: (result: Effect.Effect<number, string>) => void) => () => void
  const ways: ReadonlyArray<readonly [name: string, begin: Begin]> = [
    ["a success at once", (resume) => {
      resume(Effect.succeed(1))
      return () => {}
    }],
    ["a failure later", (resume) => {
      const timer = setTimeout(() => resume(Effect.fail("no")), 5)
      return () => clearTimeout(timer)
    }],
    ["a throw", () => {
      throw "oh"
    }],
    ["two results", (resume) => {
      resume(Effect.succeed(1))
      resume(Effect.succeed(2))
      return () => {}
    }],
    ["no result", () => () => {}]
  ]

  it.live.each(ways)("on the system clock: %s", ([_, begin]) =>
    Effect.gen(function*() {
      const canceled = { ours: 0, theirs: 0 }
      const counting = (key: keyof typeof canceled): Begin => (resume) => {
        const cancel = begin(resume)
        return () => {
          canceled[key]++
          cancel()
        }
      }
      const ours = Fibers.asyncWithin(limit, counting("ours"))
      const theirs = Effect.async<number, string>((resume) => Effect.sync(counting("theirs")(resume))).pipe(
        Effect.timeoutFail(limit)
      )
      // Each run starts over.
      for (let times = 1; times <= 2; times++) {
        assert.deepStrictEqual(comparable(yield* Effect.exit(ours)), comparable(yield* Effect.exit(theirs)))
        assert.strictEqual(canceled.ours, canceled.theirs)
      }
    }))

  it.live("a time limit that is longer than timers can be does not end at once", () =>
    Effect.gen(function*() {
      const result = yield* Fibers.asyncWithin({ duration: Duration.days(30), onTimeout: () => "late" }, (resume) => {
        // A timer that is too long would be due before this one.
        const timer = setTimeout(() => resume(Effect.succeed("done")), 5)
        return () => clearTimeout(timer)
      })
      assert.strictEqual(result, "done")
    }))

  it.effect("times out and cancels once on another clock", () =>
    Effect.gen(function*() {
      let canceled = 0
      const fiber = yield* Effect.fork(Effect.flip(Fibers.asyncWithin(limit, () => () => void canceled++)))
      yield* TestClock.adjust("39 millis")
      assert.strictEqual(canceled, 0)
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(yield* Fiber.join(fiber), "late")
      assert.strictEqual(canceled, 1)
    }))

  it.live("cancels once when interrupted, and continues if it is uninterruptible", () =>
    Effect.gen(function*() {
      let canceled = 0
      const started = yield* Deferred.make<(result: Effect.Effect<number>) => void>()
      const waiting = Fibers.asyncWithin<number, never, never>(
        { duration: Duration.infinity, onTimeout: () => assert.fail() },
        (resume) => {
          Deferred.unsafeDone(started, Effect.succeed(resume))
          return () => void canceled++
        }
      )
      const results: Array<number> = []
      const stubborn = yield* waiting.pipe(
        Effect.map((result) => results.push(result)),
        Effect.uninterruptible,
        Effect.fork
      )
      const resume = yield* Deferred.await(started)
      const interruption = yield* Effect.fork(Fiber.interrupt(stubborn))
      yield* Effect.yieldNow()
      assert.strictEqual(canceled, 0)
      resume(Effect.succeed(1))
      yield* Fiber.join(interruption)
      assert.deepStrictEqual(results, [1])

      const willing = yield* Effect.fork(waiting)
      yield* Effect.yieldNow()
      assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(willing)))
      assert.strictEqual(canceled, 1)
    }))
})

describe("updateMetrics is Metric.update", () => {
  it.effect("with the labels in effect, and returns its value", () =>
    Effect.gen(function*() {
      const [ours, theirs] = [Metric.counter("fiber_test_ours"), Metric.counter("fiber_test_theirs")]
      const value = yield* Fibers.updateMetrics((labels) => ours.unsafeUpdate(3, labels), "value").pipe(
        Effect.zipLeft(Metric.update(theirs, 3)),
        Effect.labelMetrics([MetricLabel.make("app", "test")])
      )
      assert.strictEqual(value, "value")
      for (const metric of [ours, theirs]) {
        assert.strictEqual((yield* Metric.value(Metric.tagged(metric, "app", "test"))).count, 3)
        assert.strictEqual((yield* Metric.value(metric)).count, 0)
      }
    }))
})

it("memoized builds each value once", () => {
  let made = 0
  const of = Fibers.memoized((name) => ({ name, number: ++made }))
  assert.deepStrictEqual([of("a"), of("b"), of("a")], [{ name: "a", number: 1 }, { name: "b", number: 2 }, of("a")])
  assert.strictEqual(made, 2)
})

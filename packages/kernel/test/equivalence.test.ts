import { assert, describe, it } from "@effect/vitest"
import * as Fibers from "@mailstream/kernel/Fibers"
import {
  Cause,
  Clock,
  Deferred,
  Duration,
  Effect,
  Exit,
  Fiber,
  FiberRef,
  identity,
  Logger,
  Metric,
  Option,
  Scope,
  Tracer
} from "effect"

/** Puts something around an effect, and leaves its result as it is. */
type Around = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

const counter = Metric.counter("fiber_test_around")
const limit = { duration: Duration.hours(1), onTimeout: () => Cause.empty as never }

/** Waits for a callback that passes the effect. */
const awaited: Around = (effect) =>
  Effect.flatMap(
    Effect.context<Effect.Effect.Context<typeof effect>>(),
    (context) =>
      Effect.async((resume) => {
        resume(Effect.provide(effect, context))
        return Effect.void
      })
  )

/** The same, within a time limit. */
const within: Around = (effect) =>
  Effect.flatMap(
    Effect.context<Effect.Effect.Context<typeof effect>>(),
    (context) =>
      Fibers.asyncWithin(limit, (resume) => {
        resume(Effect.provide(effect, context))
        return () => {}
      })
  )

/** What is here, around any effect, and the combinators of Effect that it must be equivalent to. */
const rows: ReadonlyArray<readonly [name: string, ours: Around, theirs: Around]> = [
  [
    "masked",
    (effect) => Fibers.masked((_, restore) => restore(effect)),
    (effect) => Effect.uninterruptibleMask((restore) => Effect.withFiberRuntime(() => restore(effect)))
  ],
  [
    "beginSpan and endSpan",
    (effect) =>
      Fibers.beginSpan(
        "span",
        {},
        (span, _, restore) => Effect.onExit(restore(effect), (exit) => Fibers.endSpan(span, exit))
      ),
    (effect) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(
          Effect.makeSpan("span"),
          (span) =>
            Effect.onExit(restore(effect), (exit) => Effect.map(Clock.currentTimeNanos, (now) => span.end(now, exit)))
        )
      )
  ],
  [
    "withSpan",
    Fibers.withSpan("span", {}),
    // The requirements of the effect are unknown here, and stay as they are.
    (effect) => Effect.withSpan(effect, "span", { captureStackTrace: false }) as typeof effect
  ],
  ["asyncWithin", within, (effect) => Effect.timeoutFail(awaited(effect), limit)],
  // What it waits for runs in the fiber itself, as if there were no limit.
  ["asyncWithin, as if there were no limit,", within, awaited],
  [
    "updateMetrics",
    (effect) => Effect.flatMap(Fibers.updateMetrics((labels) => counter.unsafeUpdate(1, labels), effect), identity),
    (effect) => Effect.zipRight(Metric.update(counter, 1), effect)
  ]
]

/** The comparable part of an exit: everything except which fiber interrupted. */
const comparable = (exit: Exit.Exit<unknown, unknown>) =>
  Exit.match(exit, {
    onSuccess: (value) => ({ value }),
    onFailure: (cause) => ({
      failures: [...Cause.failures(cause)],
      defects: [...Cause.defects(cause)],
      interrupted: Cause.isInterrupted(cause)
    })
  })

/** A race with a time limit forgets the refs of what fails; without one, they are kept, as everywhere in a fiber. */
const keptRefs = "a fiber ref set before a failure is seen afterwards"

const ref = FiberRef.unsafeMake("initial")
const isInterruptible = Effect.checkInterruptible((interruptible) => Effect.succeed(interruptible))

/** What can be seen of an effect with something around it. */
type Behaviour = (around: Around, note: (text: string) => Effect.Effect<void>) => Effect.Effect<unknown, unknown>

/** Interrupts an effect once it has begun, and returns how it ended. */
const interrupted = (effect: (begun: Effect.Effect<unknown>) => Effect.Effect<unknown, unknown>) =>
  Effect.gen(function*() {
    const begun = yield* Deferred.make<void>()
    const fiber = yield* Effect.fork(effect(Deferred.succeed(begun, undefined)))
    yield* Deferred.await(begun)
    return comparable(yield* Fiber.interrupt(fiber))
  })

const behaviours: ReadonlyArray<readonly [name: string, Behaviour]> = [
  ["a fiber ref set around it is seen inside", (around) => Effect.locally(around(FiberRef.get(ref)), ref, "around")],
  [
    "a fiber ref set inside is seen afterwards",
    (around) => Effect.zipRight(around(FiberRef.set(ref, "inside")), FiberRef.get(ref))
  ],
  [
    "a fiber ref set before a failure is seen afterwards",
    (around) =>
      Effect.zipRight(
        Effect.either(around(Effect.zipRight(FiberRef.set(ref, "failed"), Effect.fail("no")))),
        FiberRef.get(ref)
      )
  ],
  [
    "a fiber ref set locally inside is restored",
    (around) => Effect.zip(around(Effect.locally(FiberRef.get(ref), ref, "local")), FiberRef.get(ref))
  ],
  ["the parent span is that of before, afterwards", (around) =>
    Effect.map(
      Effect.zipRight(around(Effect.void), Effect.either(Effect.currentParentSpan)),
      (span) => span._tag
    )],
  ["loggers and annotations of logs reach inside", (around, note) =>
    around(Effect.log("line")).pipe(
      Effect.annotateLogs("key", "value"),
      Effect.provide(Logger.replace(
        Logger.defaultLogger,
        Logger.make(({ annotations, message }) => Effect.runSync(note(JSON.stringify([message, [...annotations]]))))
      ))
    )],
  ["it is interruptible inside if it is outside", (around) => around(isInterruptible)],
  ["it is uninterruptible inside if it is outside", (around) => Effect.uninterruptible(around(isInterruptible))],
  ["interruption is as before, afterwards", (around) => Effect.zipRight(around(Effect.void), isInterruptible)],
  [
    "interruption from outside runs finalizers once",
    (around, note) =>
      interrupted((begun) => around(Effect.zipRight(begun, Effect.onInterrupt(Effect.never, () => note("finalizer")))))
  ],
  [
    "interruption from outside waits for what is uninterruptible",
    (around, note) =>
      interrupted((begun) =>
        around(Effect.uninterruptible(begun.pipe(
          Effect.zipRight(Effect.yieldNow()),
          Effect.zipRight(note("done"))
        )))
      )
  ],
  ["interruption of itself", (around, note) => around(Effect.onInterrupt(Effect.interrupt, () => note("finalizer")))],
  ["a failure", (around) => around(Effect.fail("no"))],
  ["a defect", (around) => around(Effect.die("oh"))],
  ["a throw", (around) =>
    around(Effect.suspend((): Effect.Effect<void> => {
      throw "thrown"
    }))],
  ["two failures at once", (around) => around(Effect.failCause(Cause.parallel(Cause.fail("a"), Cause.die("b"))))],
  [
    "a failure, and another in a finalizer",
    (around, note) => around(Effect.ensuring(Effect.fail("a"), Effect.zipRight(note("finalizer"), Effect.die("b"))))
  ],
  ["a scope outside is closed outside, with its exit", (around, note) =>
    Effect.scoped(
      Effect.zipRight(
        around(Effect.addFinalizer((exit) => note(`closed with ${exit._tag}`))),
        Effect.zipRight(note("afterwards"), Effect.fail("later"))
      )
    )],
  ["a scope inside is closed inside", (around, note) =>
    Effect.zipRight(
      around(Effect.scoped(Effect.zipRight(Effect.addFinalizer(() => note("closed")), note("inside")))),
      note("afterwards")
    )],
  ["a fiber forked in a scope outside lives until it is closed", (around, note) =>
    Effect.gen(function*() {
      const scope = yield* Scope.make()
      const begun = yield* Deferred.make<void>()
      const fiber = yield* around(Effect.forkIn(
        Effect.zipRight(Deferred.succeed(begun, undefined), Effect.onInterrupt(Effect.never, () => note("ended"))),
        scope
      ))
      yield* Deferred.await(begun)
      const alive = Option.isNone(yield* Fiber.poll(fiber))
      yield* note("closing")
      yield* Scope.close(scope, Exit.void)
      return alive
    })]
]

const observe = (around: Around, behaviour: Behaviour) =>
  Effect.gen(function*() {
    const notes: Array<string> = []
    const ends: Array<string> = []
    const tracer = yield* Effect.tracer
    const recording = Tracer.make({
      context: (f, fiber) => tracer.context(f, fiber),
      span(...args) {
        const span = tracer.span(...args)
        const end = span.end.bind(span)
        return Object.assign(span, {
          end: (time: bigint, exit: Exit.Exit<unknown, unknown>) => {
            ends.push(`${span.name} ${Exit.isSuccess(exit) ? "ok" : JSON.stringify(comparable(exit))}`)
            end(time, exit)
          }
        })
      }
    })
    // In a fiber of its own, whose refs are its own.
    const fiber = yield* Effect.fork(
      Effect.withTracer(behaviour(around, (text) => Effect.sync(() => void notes.push(text))), recording)
    )
    return { exit: comparable(yield* Fiber.await(fiber)), notes, ends }
  })

describe.each(rows)("%s is as Effect's own", (row, ours, theirs) => {
  it.live.each(behaviours)("where %s", ([name, behaviour]) =>
    Effect.gen(function*() {
      const [actual, expected] = [yield* observe(ours, behaviour), yield* observe(theirs, behaviour)]
      if (row === "asyncWithin" && name === keptRefs) assert.notDeepEqual(actual, expected)
      else assert.deepStrictEqual(actual, expected)
    }))
})

describe("memoized is calling the function again", () => {
  it.effect("for tagged metrics", () =>
    Effect.gen(function*() {
      const tagged = (name: string) => Metric.tagged(counter, "name", name)
      const of = Fibers.memoized(tagged)
      for (const name of ["a", "b", "a"]) {
        yield* Metric.update(of(name), 1)
        yield* Metric.update(tagged(name), 1)
      }
      assert.deepStrictEqual(
        [(yield* Metric.value(of("a"))).count, (yield* Metric.value(tagged("b"))).count],
        [4, 2]
      )
    }))

  it.effect("but for a function that throws, which is called again", () =>
    Effect.sync(() => {
      let calls = 0
      const of = Fibers.memoized((name): object => {
        if (++calls === 1) throw new Error(name)
        return { calls }
      })
      assert.throws(() => of("a"), "a")
      assert.deepStrictEqual([of("a"), of("a")], [{ calls: 2 }, { calls: 2 }])
    }))
})

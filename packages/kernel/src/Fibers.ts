/**
 * Effect's own combinators, rewritten for the path that every page takes. This is the only place that works on fibers
 * directly.
 *
 * Why it exists: a page takes a fiber about 50 steps (`packages/stream/test/cost.test.ts` counts them), about 46 µs of
 * the 230 µs that a page costs over undici. Built from the combinators on the right, it took 94 steps and two more
 * fibers; see `benchmarks/RESULTS.md`, "anatomy".
 *
 * | here            | must be equivalent to                                       | what it saves                               |
 * | --------------- | ----------------------------------------------------------- | ------------------------------------------- |
 * | `masked`        | `Effect.uninterruptibleMask` around `Effect.withFiberRuntime` | one step                                  |
 * | `beginSpan`     | `Effect.makeSpan` in a mask                                 | three steps, and a copy of all fiber refs   |
 * | `endSpan`       | the end of `Effect.withSpan`                                | the exit's value is not kept by the tracer  |
 * | `withSpan`      | `Effect.withSpan`                                           | about 20 steps, and the same                |
 * | `asyncWithin`   | `Effect.async` with a canceler, in `Effect.timeoutFail`     | two fibers and a mask                       |
 * | `updateMetrics` | `Metric.update` of each, then `Effect.succeed`              | two steps a metric                          |
 * | `memoized`      | calling the function again, as `Metric.tagged` does         | a registry lookup at every update           |
 *
 * `packages/kernel/test` compares each of them with the combinator it replaces: fiber refs, interruption, defects, scopes. One
 * difference is known: fiber refs that were set before a failure within `asyncWithin` are kept, as without a time limit.
 */
import * as Cause from "effect/Cause"
import * as Chunk from "effect/Chunk"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as FiberRef from "effect/FiberRef"
import { constVoid } from "effect/Function"
import type * as MetricLabel from "effect/MetricLabel"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"

/** The fiber that runs an effect. */
export type Running = Fiber.RuntimeFiber<unknown, unknown>

/** Restores the caller's interruptibility. */
export interface Restore {
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R>
}

/** Masks interruption, and passes the fiber in the same step. */
export const masked = <A, E, R>(
  body: (fiber: Running, restore: Restore) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.uninterruptibleMask((restore) => body(Option.getOrThrow(Fiber.getCurrentFiber()), restore))

export const clockOf = (fiber: Running): Clock.Clock => Context.get(fiber.currentDefaultServices, Clock.Clock)

/**
 * The time for measuring waits. The clock's nanoseconds are monotonic; its milliseconds are the wall clock, which jumps
 * when it is set.
 */
export const monotonicMillis = (clock: Clock.Clock): number => Math.round(Number(clock.unsafeCurrentTimeNanos()) / 1e6)

// Spans

export type SpanOptions = Pick<Tracer.SpanOptions, "attributes" | "kind" | "parent">

/** Begins a span within a mask. Only restored effects can be interrupted, so `use` can guarantee that the span ends. */
export const beginSpan = <A, E, R>(
  name: string,
  options: SpanOptions,
  use: (span: Tracer.Span, fiber: Running, restore: Restore) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  masked((fiber, restore) => {
    const all = { ...options, captureStackTrace: false }
    return fiber.getFiberRef(FiberRef.currentTracerEnabled)
      ? use(makeSpan(fiber, name, all), fiber, restore)
      : Effect.flatMap(Effect.makeSpan(name, all), (span) => use(span, fiber, restore))
  })

/** What `Effect.makeSpan` does if tracing is enabled. */
const makeSpan = (fiber: Running, name: string, options: Tracer.SpanOptions): Tracer.Span => {
  const { attributes, kind = "internal", parent } = options
  const span = fiber.currentTracer.span(
    name,
    parent === undefined ? propagated(Option.fromNullable(fiber.currentSpan)) : Option.some(parent),
    Context.empty(),
    Chunk.toReadonlyArray(fiber.getFiberRef(FiberRef.currentTracerSpanLinks)),
    isTimed(fiber) ? clockOf(fiber).unsafeCurrentTimeNanos() : 0n,
    kind,
    options
  )
  for (const [key, value] of fiber.getFiberRef(FiberRef.currentTracerSpanAnnotations)) span.attribute(key, value)
  for (const key in attributes) span.attribute(key, attributes[key])
  return span
}

const isTimed = (fiber: Running): boolean => fiber.getFiberRef(FiberRef.currentTracerTimingEnabled)

/** The nearest span that is visible to children. */
const propagated = (span: Option.Option<Tracer.AnySpan>): Option.Option<Tracer.AnySpan> =>
  Option.flatMap(span, (span) =>
    !Context.get(span.context, Tracer.DisablePropagation)
      ? Option.some(span)
      : span._tag === "Span"
      ? propagated(span.parent)
      : Option.none())

/**
 * Ends a span synchronously, and returns the time. The exit carries no value: tracers would retain it, and a page is
 * large and holds personal data.
 */
export const unsafeEndSpan = (span: Tracer.Span, fiber: Running, exit: Exit.Exit<void, unknown>): bigint => {
  const now = clockOf(fiber).unsafeCurrentTimeNanos()
  span.end(isTimed(fiber) ? now : 0n, exit)
  return now
}

export const endSpan = (span: Tracer.Span, exit: Exit.Exit<unknown, unknown>): Effect.Effect<void> =>
  Effect.withFiberRuntime((fiber) => {
    unsafeEndSpan(span, fiber, Exit.asVoid(exit))
    return Effect.void
  })

export const withSpan =
  (name: string, options: SpanOptions) => <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    beginSpan(name, options, (span, fiber, restore) => {
      // `Effect.withParentSpan` masks once more to restore the context, which takes three times as many steps.
      const context = fiber.currentContext
      const set = FiberRef.set(FiberRef.currentContext, Context.add(context, Tracer.ParentSpan, span))
      /** Ends the span, restores the context and returns a value. */
      const finish = <B>(exit: Exit.Exit<void, E>, value: B): Effect.Effect<B> => {
        unsafeEndSpan(span, fiber, exit)
        return FiberRef.modify(FiberRef.currentContext, () => [value, context])
      }
      return Effect.matchCauseEffect(Effect.zipRight(set, restore(effect)), {
        onFailure: (cause) => Effect.flatMap(finish(Exit.failCause(cause), cause), Effect.failCause),
        onSuccess: (value) => finish(Exit.void, value)
      })
    })

// Time limits

export interface Limit<out E> {
  readonly duration: Duration.Duration
  readonly onTimeout: () => E
}

const liveClock = Context.get(DefaultServices.liveServices, Clock.Clock)

/** Whether a clock is the system clock, whose timers need no sleeping fiber. */
const isLive = (clock: Clock.Clock): boolean => clock === liveClock

/** The longest delay that system timers accept, in milliseconds. */
const longestDelay = 2 ** 31 - 1

/** Calls back after a delay, unless canceled. A delay beyond the limit of timers is forever: nothing is called. */
const after = (duration: Duration.Duration, call: () => void): () => void => {
  const millis = Duration.toMillis(duration)
  if (millis > longestDelay) return constVoid
  const timer = setTimeout(call, millis)
  return () => clearTimeout(timer)
}

/**
 * Waits for a callback, within a time limit. `begin` returns a function that cancels the work, which is called on
 * interruption and on timeout.
 */
export const asyncWithin = <A, E, E2>(
  { duration, onTimeout }: Limit<E2>,
  begin: (resume: (result: Effect.Effect<A, E>) => void, fiber: Running) => () => void
): Effect.Effect<A, E | E2> =>
  masked((fiber, restore) => {
    let hasEnded = false
    let stopTimer = constVoid
    let cancel = constVoid
    const abandon = (): void => {
      stopTimer()
      cancel()
    }
    const expire = (): E2 => {
      hasEnded = true
      abandon()
      return onTimeout()
    }
    const timed = isLive(clockOf(fiber))
    const waiting = Effect.async<A, E | E2>((resume) => {
      if (timed) stopTimer = after(duration, () => resume(Effect.fail(expire())))
      cancel = begin((result) => {
        hasEnded = true
        stopTimer()
        resume(result)
      }, fiber)
    })
    return Effect.catchAllCause(
      restore(timed ? waiting : Effect.timeoutFail(waiting, { duration, onTimeout: expire })),
      (cause) => {
        // `begin` may have thrown.
        if (!hasEnded || Cause.isInterrupted(cause)) abandon()
        return Effect.failCause(cause)
      }
    )
  })

// Metrics

/** The metric labels that are in effect for a fiber, for `unsafeUpdate`. */
export const labelsOf = (fiber: Running): ReadonlyArray<MetricLabel.MetricLabel> =>
  fiber.getFiberRef(FiberRef.currentMetricLabels)

/** Updates metrics and returns a value, in one step. */
export const updateMetrics = <A>(
  update: (labels: ReadonlyArray<MetricLabel.MetricLabel>) => void,
  value: A
): Effect.Effect<A> =>
  Effect.withFiberRuntime((fiber) => {
    update(labelsOf(fiber))
    return Effect.succeed(value)
  })

/** Builds one value per name: tagged metrics, which `Metric.tagged` would look up at every update. */
export const memoized = <A extends object>(make: (name: string) => A): (name: string) => A => {
  const known = new Map<string, A>()
  return (name) => {
    const found = known.get(name)
    if (found !== undefined) return found
    const made = make(name)
    known.set(name, made)
    return made
  }
}

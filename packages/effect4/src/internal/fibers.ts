/**
 * Effect's own combinators, composed for the path that every page takes, so that tracers keep no page and a time limit takes no
 * fiber on the system clock.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import { constVoid } from "effect/Function"
import * as References from "effect/References"
import * as Result from "effect/Result"
import * as Tracer from "effect/Tracer"

/** The fiber that runs an effect. */
export type Running = Fiber.Fiber<unknown, unknown>

/** Restores the caller's interruptibility. */
export interface Restore {
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R>
}

export const clockOf = (fiber: Running): Clock.Clock => fiber.getRef(Clock.Clock)

/** The time for measuring waits. The clock's milliseconds are the wall clock, which jumps when it is set. */
export const monotonicMillis = (clock: Clock.Clock): number =>
  Math.round(Number(clock.monotonicTimeNanosUnsafe()) / 1e6)

// Spans

export type SpanOptions = Pick<Tracer.SpanOptionsNoTrace, "attributes" | "kind" | "parent">

/** Ends a span. The exit carries no value: tracers would retain it, and a page is large and holds personal data. */
export const endSpan = (span: Tracer.Span, fiber: Running, exit: Exit.Exit<void, unknown>): void => {
  const isTimed = fiber.getRef(References.TracerTimingEnabled)
  span.end(isTimed ? clockOf(fiber).currentTimeNanosUnsafe() : 0n, exit)
}

/** `Effect.withSpan`, except that the exit's value is not kept by the tracer. */
export const withSpan =
  (name: string, options: SpanOptions) => <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.useSpan(name, options, (span) => usingSpan(effect, span))

/** Runs an effect in a span, which ends with it, but without its value. Whoever made the span ends it if the effect fails. */
export const usingSpan = <A, E, R>(effect: Effect.Effect<A, E, R>, span: Tracer.Span): Effect.Effect<A, E, R> =>
  Effect.withFiber((fiber) =>
    Effect.map(inSpan(effect, span), (value) => {
      endSpan(span, fiber, Exit.void)
      return value
    })
  )

/**
 * Makes a span the parent of those within. It removes `ParentSpan` from the requirements, which cannot be expressed for an unknown
 * `R`. It only ever removes requirements, so the cast is safe.
 */
export const inSpan = <A, E, R>(effect: Effect.Effect<A, E, R>, span: Tracer.AnySpan): Effect.Effect<A, E, R> =>
  Effect.provideService(effect, Tracer.ParentSpan, span) as Effect.Effect<A, E, R>

// Time limits

export interface Limit<out E> {
  readonly duration: Duration.Duration
  readonly onTimeout: () => E
}

const liveClock: Clock.Clock = /* #__PURE__ */ Context.get(/* #__PURE__ */ Context.empty(), Clock.Clock)

/** The longest delay that system timers accept, in milliseconds. */
const longestDelay = 2 ** 31 - 1

/** Calls back after a delay, unless canceled. A delay beyond the limit of timers is forever: nothing is called. */
const after = (fiber: Running, duration: Duration.Duration, call: () => void): () => void => {
  const millis = Duration.toMillis(duration)
  if (millis > longestDelay) return constVoid
  const clock = clockOf(fiber)
  if (clock === liveClock) {
    // The timers of the system clock need no sleeping fiber.
    const timer = setTimeout(call, millis)
    return () => clearTimeout(timer)
  }
  const sleeping = Effect.runForkWith(fiber.context)(Effect.andThen(clock.sleep(duration), Effect.sync(call)))
  return () => sleeping.interruptUnsafe()
}

/**
 * Waits for a callback, within a time limit. `begin` returns a function that cancels the work, which is called on
 * interruption and on timeout.
 */
export const callbackWithin = <A, E, E2>(
  { duration, onTimeout }: Limit<E2>,
  begin: (resume: (result: Effect.Effect<A, E>) => void, fiber: Running) => () => void
): Effect.Effect<A, E | E2> =>
  Effect.withFiber((fiber) =>
    Effect.callback<A, E | E2>((resume) => {
      let cancel = constVoid
      const stopTimer = after(fiber, duration, () => {
        cancel()
        resume(Effect.failSync(onTimeout))
      })
      // What resumes at once does so before `begin` returns.
      const begun = Result.try({
        try: () =>
          begin((result) => {
            stopTimer()
            resume(result)
          }, fiber),
        catch: (defect) => defect
      })
      if (Result.isFailure(begun)) {
        stopTimer()
        resume(Effect.die(begun.failure))
        return
      }
      cancel = begun.success
      return Effect.sync(() => {
        stopTimer()
        cancel()
      })
    })
  )

/** Builds one value per name: metrics, which would otherwise be made at every update. */
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

import * as Chunk from "effect/Chunk"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as FiberRef from "effect/FiberRef"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"

export type Options = Pick<Tracer.SpanOptions, "attributes" | "kind" | "parent">

/**
 * Begins a span and hands it over, in one step. `Effect.makeSpan` takes three, and copies all the refs of the fiber each
 * time. Whoever begins a span must not be interrupted before it is certain that the span is ended.
 */
export const begin = <A, E, R>(
  name: string,
  options: Options,
  use: (span: Tracer.Span, fiber: Fiber.RuntimeFiber<unknown, unknown>) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.withFiberRuntime((fiber) => {
    const all = { ...options, captureStackTrace: false }
    return fiber.getFiberRef(FiberRef.currentTracerEnabled)
      ? use(make(fiber, name, all), fiber)
      : Effect.flatMap(Effect.makeSpan(name, all), (span) => use(span, fiber))
  })

/** Ends a span, and says when that was. */
export const end = (
  span: Tracer.Span,
  fiber: Fiber.RuntimeFiber<unknown, unknown>,
  exit: Exit.Exit<unknown, unknown>
): bigint => {
  const now = nanosOf(fiber)
  span.end(isTimed(fiber) ? now : 0n, exit)
  return now
}

/** What `Effect.makeSpan` does where tracing is enabled. */
const make = (fiber: Fiber.RuntimeFiber<unknown, unknown>, name: string, options: Tracer.SpanOptions): Tracer.Span => {
  const { attributes, kind = "internal", parent } = options
  const span = fiber.currentTracer.span(
    name,
    parent === undefined ? propagated(Option.fromNullable(fiber.currentSpan)) : Option.some(parent),
    Context.empty(),
    Chunk.toReadonlyArray(fiber.getFiberRef(FiberRef.currentTracerSpanLinks)),
    isTimed(fiber) ? nanosOf(fiber) : 0n,
    kind,
    options
  )
  for (const [key, value] of fiber.getFiberRef(FiberRef.currentTracerSpanAnnotations)) span.attribute(key, value)
  for (const key in attributes) span.attribute(key, attributes[key])
  return span
}

const nanosOf = (fiber: Fiber.RuntimeFiber<unknown, unknown>): bigint =>
  Context.get(fiber.currentDefaultServices, Clock.Clock).unsafeCurrentTimeNanos()

const isTimed = (fiber: Fiber.RuntimeFiber<unknown, unknown>): boolean =>
  fiber.getFiberRef(FiberRef.currentTracerTimingEnabled)

/** The nearest span that is to be seen. */
const propagated = (span: Option.Option<Tracer.AnySpan>): Option.Option<Tracer.AnySpan> =>
  Option.flatMap(span, (span) =>
    !Context.get(span.context, Tracer.DisablePropagation)
      ? Option.some(span)
      : span._tag === "Span"
      ? propagated(span.parent)
      : Option.none())

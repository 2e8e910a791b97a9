import * as Channel from "effect/Channel"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as Stream from "effect/Stream"
import type * as Tracer from "effect/Tracer"

/** Puts a span around a stream, from the first pull to the end, whatever that is. */
export const withStreamSpan = <A, E, R>(
  stream: Stream.Stream<A, E, R>,
  name: string,
  options?: Tracer.SpanOptions
): Stream.Stream<A, E, R> =>
  // `withSpan` takes `ParentSpan` away from the requirements, which cannot be written down for an `R` that is not known.
  // It only ever takes away, so nothing is promised here that is not kept.
  Stream.withSpan(stream, name, { ...options, captureStackTrace: false }) as Stream.Stream<A, E, R>

/**
 * The same, for a stream that hands the span on by itself. `Stream.withSpan` provides it anew to every effect of the
 * stream, which is a good part of what a page costs.
 */
export const usingStreamSpan = <A, E, R>(
  name: string,
  use: (span: Tracer.Span) => Stream.Stream<A, E, R>
): Stream.Stream<A, E, R> =>
  Stream.fromChannel(Channel.acquireUseRelease(
    Effect.makeSpan(name, { captureStackTrace: false }),
    (span) => Stream.toChannel(use(span)),
    (span, exit) =>
      Effect.map(
        Effect.zip(Clock.currentTimeNanos, FiberRef.get(FiberRef.currentTracerTimingEnabled)),
        ([now, timed]) => span.end(timed ? now : 0n, exit)
      )
  ))

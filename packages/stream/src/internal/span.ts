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

import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type * as Tracer from "effect/Tracer"

// `withSpan` takes `ParentSpan` away from the requirements, which cannot be written down for an `R` that is not known.
// It only ever takes away, so nothing is promised here that is not kept.

/** Puts a span around an effect. */
export const withEffectSpan = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  name: string,
  attributes: Record<string, unknown>
): Effect.Effect<A, E, R> =>
  Effect.withSpan(effect, name, { attributes, captureStackTrace: false }) as Effect.Effect<A, E, R>

/** Puts a span around a stream, from the first pull to the end, whatever that is. */
export const withStreamSpan = <A, E, R>(
  stream: Stream.Stream<A, E, R>,
  name: string,
  options?: Tracer.SpanOptions
): Stream.Stream<A, E, R> =>
  Stream.withSpan(stream, name, { ...options, captureStackTrace: false }) as Stream.Stream<A, E, R>

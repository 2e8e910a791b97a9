import { endSpan } from "@mailstream/kernel/Fibers"
import * as Channel from "effect/Channel"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type * as Tracer from "effect/Tracer"

/** Puts a span around a stream, from the first pull to its end, however it ends. */
export const withStreamSpan = <A, E, R>(
  stream: Stream.Stream<A, E, R>,
  name: string,
  options?: Tracer.SpanOptions
): Stream.Stream<A, E, R> =>
  // `withSpan` removes `ParentSpan` from the requirements, which cannot be expressed for an unknown `R`. It only ever
  // removes requirements, so the cast is safe.
  Stream.withSpan(stream, name, { ...options, captureStackTrace: false }) as Stream.Stream<A, E, R>

/**
 * The same for a stream that passes on its span itself. `Stream.withSpan` provides the span again to every effect of
 * the stream, which is a large part of the cost of a page.
 */
export const usingStreamSpan = <A, E, R>(
  name: string,
  use: (span: Tracer.Span) => Stream.Stream<A, E, R>
): Stream.Stream<A, E, R> =>
  Stream.fromChannel(Channel.acquireUseRelease(
    Effect.makeSpan(name, { captureStackTrace: false }),
    // A `use` that throws would end the stream as if it were empty: here it is a defect.
    (span) => Channel.unwrap(Effect.sync(() => Stream.toChannel(use(span)))),
    endSpan
  ))

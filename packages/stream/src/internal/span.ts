import { endSpan } from "@mailstream/kernel/Fibers"
import * as Channel from "effect/Channel"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type * as Tracer from "effect/Tracer"

/** The name of a span: `ApiKeys.items` for the items of `api-keys`. */
export const spanName = (list: string, method: string): string =>
  `${list.replace(/(^|-)./g, (first) => first.slice(-1).toUpperCase())}.${method}`

const options = (list: string): Tracer.SpanOptions => ({
  attributes: { "mailstream.list": list },
  captureStackTrace: false
})

/** Puts a span around a stream, from the first pull to its end, however it ends. */
export const withStreamSpan = <A, E, R>(
  stream: Stream.Stream<A, E, R>,
  list: string,
  method: string
): Stream.Stream<A, E, R> =>
  // `withSpan` removes `ParentSpan` from the requirements, which cannot be expressed for an unknown `R`. It only ever
  // removes requirements, so the cast is safe.
  Stream.withSpan(stream, spanName(list, method), options(list)) as Stream.Stream<A, E, R>

/**
 * The same for a stream that passes on its span itself. `Stream.withSpan` provides the span again to every effect of
 * the stream, which is a large part of the cost of a page.
 */
export const usingStreamSpan = <A, E, R>(
  list: string,
  method: string,
  use: (span: Tracer.Span) => Stream.Stream<A, E, R>
): Stream.Stream<A, E, R> =>
  Stream.fromChannel(Channel.acquireUseRelease(
    Effect.makeSpan(spanName(list, method), options(list)),
    // A `use` that throws would end the stream as if it were empty: here it is a defect.
    (span) => Channel.unwrap(Effect.sync(() => Stream.toChannel(use(span)))),
    endSpan
  ))

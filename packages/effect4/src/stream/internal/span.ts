import * as Channel from "effect/Channel"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Stream from "effect/Stream"
import type * as Tracer from "effect/Tracer"
import { endSpan } from "../../internal/fibers.ts"

/** The name of a span: `ApiKeys.items` for the items of `api-keys`. */
export const spanName = (list: string, method: string): string =>
  `${list.replace(/(^|-)./g, (first) => first.slice(-1).toUpperCase())}.${method}`

const attributes = (list: string) => ({ attributes: { "mailstream.list": list } })

/** Puts a span around a stream, from the first pull to its end, however it ends. */
export const withStreamSpan = <A, E, R>(
  stream: Stream.Stream<A, E, R>,
  list: string,
  method: string
): Stream.Stream<A, E, R> =>
  // `withSpan` removes `ParentSpan` from the requirements, which cannot be expressed for an unknown `R`. It only ever
  // removes requirements, so the cast is safe.
  Stream.withSpan(stream, spanName(list, method), {
    ...attributes(list),
    captureStackTrace: false
  }) as Stream.Stream<A, E, R>

/** The same for a stream that passes on its span itself, so that it is not provided again to every effect of the stream. */
export const usingStreamSpan = <A, E, R>(
  list: string,
  method: string,
  use: (span: Tracer.Span) => Stream.Stream<A, E, R>
): Stream.Stream<A, E, R> =>
  Stream.fromChannel(Channel.acquireUseRelease(
    Effect.makeSpan(spanName(list, method), attributes(list)),
    // A `use` that throws is a defect of the stream.
    (span) => Channel.unwrap(Effect.sync(() => Stream.toChannel(use(span)))),
    (span, exit) => Effect.withFiber((fiber) => Effect.sync(() => endSpan(span, fiber, Exit.asVoid(exit))))
  ))

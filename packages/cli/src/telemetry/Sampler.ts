/** A tracer that exports some of the spans. The tracers of Effect export all of them. */
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"
import type { Sampling } from "./Settings.ts"

/** The last 56 bits of an id are random, as W3C has it, so that every process decides the same about a trace. A number holds 52 of them. */
const isWithin = (traceId: string, ratio: number): boolean =>
  Number.parseInt(traceId.slice(-14, -1), 16) / 2 ** 52 >= 1 - ratio

/** Statements outside of all work would be a trace each: a worker that has nothing to do looks at the database all the time. */
const isStatement = (name: string): boolean => name.startsWith("sql.")

/** What is not exported is made by the `other` tracer. */
export const make = (
  exporting: Tracer.Tracer,
  other: Tracer.Tracer,
  { isParentBased, ratio }: Sampling
): Tracer.Tracer => {
  const [polls, unsampled] = [new WeakSet<object>(), new WeakSet<object>()]
  /** A span below a poll begins anew. */
  const isSampled = (parent: Tracer.AnySpan | undefined, traceId: string): boolean =>
    parent === undefined || polls.has(parent)
      ? isWithin(traceId, ratio)
      : unsampled.has(parent)
      ? false
      : isParentBased
      ? parent.sampled
      : isWithin(traceId, ratio)
  return Tracer.make({
    context: (use, fiber) => exporting.context(use, fiber),
    span: (name, parent, ...rest) => {
      const isPoll = isStatement(name) &&
        Option.match(parent, { onNone: () => true, onSome: (span) => polls.has(span) })
      const span = exporting.span(name, parent, ...rest)
      if (!isPoll && isSampled(Option.getOrUndefined(parent), span.traceId)) return span
      const dropped = other.span(name, parent, ...rest)
      const kind = isPoll ? polls : unsampled
      kind.add(dropped)
      return dropped
    }
  })
}

import { Effect, Tracer } from "effect"

/** The spans that an effect begins, in that order. */
export const spansOf = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const spans: Array<Tracer.Span> = []
    const tracer = yield* Effect.tracer
    yield* Effect.withTracer(
      Effect.exit(effect),
      Tracer.make({
        context: (f, fiber) => tracer.context(f, fiber),
        span(...args) {
          const span = tracer.span(...args)
          spans.push(span)
          return span
        }
      })
    )
    return spans
  })

/** Everything that can be seen of a program, written to its standard error: logs of all levels, and every span. */
import { Cause, Exit, Layer, Logger, LogLevel, Tracer } from "effect"
import { inspect } from "node:util"

const write = (what: string, value: unknown): void =>
  void process.stderr.write(`${what} ${inspect(value, { depth: 8, breakLength: Infinity, maxStringLength: 10_000 })}\n`)

/** Every way in which an end is commonly made visible. */
const renderings = (exit: Exit.Exit<unknown, unknown>): ReadonlyArray<unknown> =>
  Exit.isSuccess(exit)
    ? [exit]
    : [exit, String(exit), JSON.stringify(exit), Cause.pretty(exit.cause, { renderErrorCause: true })]

let spans = 0

const tracer = Tracer.make({
  span(name, parent, context, links, startTime, kind, options) {
    const attributes = new Map<string, unknown>(Object.entries(options?.attributes ?? {}))
    return {
      _tag: "Span",
      name,
      spanId: String(++spans),
      traceId: "torture",
      parent,
      context,
      links,
      sampled: true,
      kind,
      attributes,
      status: { _tag: "Started", startTime },
      attribute: (key, value) => void attributes.set(key, value),
      event: (...event) => write("event", event),
      addLinks: (links) => write("links", links),
      end: (_, exit) => write("span", [name, attributes, ...renderings(exit)])
    }
  },
  context: (f) => f()
})

export const layer: Layer.Layer<never> = Layer.mergeAll(
  Logger.minimumLogLevel(LogLevel.All),
  Logger.replace(Logger.defaultLogger, Logger.make((entry) => write("log", [entry, Cause.pretty(entry.cause)]))),
  Layer.setTracer(tracer)
)

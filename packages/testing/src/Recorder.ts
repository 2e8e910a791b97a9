/** Records everything observable about a program: logs of all levels, and spans. Used to search them for secrets. */
import { Cause, Exit, Layer, Logger, LogLevel, Tracer } from "effect"
import { inspect, type InspectOptions } from "node:util"

/** Every common way to render a value. */
export const renderings = (
  value: unknown,
  options: InspectOptions = { depth: 8, breakLength: Infinity, maxStringLength: 10_000 }
): ReadonlyArray<string> => [
  String(value),
  inspect(value, { ...options, getters: true }),
  stringify(() => JSON.stringify(value)),
  stringify(() => JSON.stringify(value, Object.getOwnPropertyNames(Object(value)))),
  ...(value instanceof Error ? [value.message, value.stack ?? "", inspect(value.cause)] : []),
  ...(Exit.isExit(value) && Exit.isFailure(value) ? renderings(value.cause, options) : []),
  ...(Cause.isCause(value)
    ? [Cause.pretty(value), Cause.pretty(value, { renderErrorCause: true }), inspect(Cause.squash(value))]
    : [])
]

/** Empty for cyclic values, which cannot be serialized. */
const stringify = (render: () => string | undefined): string => {
  try {
    return render() ?? ""
  } catch {
    return ""
  }
}

/** Reports each log entry and the end of each span. */
export const layer = (record: (kind: string, ...values: ReadonlyArray<unknown>) => void): Layer.Layer<never> => {
  let spans = 0
  const tracer = Tracer.make({
    span(name, parent, context, links, startTime, kind, options) {
      const attributes = new Map<string, unknown>(Object.entries(options?.attributes ?? {}))
      return {
        _tag: "Span",
        name,
        spanId: String(++spans),
        traceId: "recorded",
        parent,
        context,
        links,
        sampled: true,
        kind,
        attributes,
        status: { _tag: "Started", startTime },
        attribute: (key, value) => void attributes.set(key, value),
        event: (...event) => record("event", event),
        addLinks: (links) => record("links", links),
        end: (_, exit) => record("span", name, attributes, exit)
      }
    },
    context: (f) => f()
  })
  const logger = Logger.make(({ annotations, cause, message }) => record("log", message, cause, [...annotations]))
  return Layer.mergeAll(
    Logger.minimumLogLevel(LogLevel.All),
    Logger.replace(Logger.defaultLogger, logger),
    Layer.setTracer(tracer)
  )
}

/** The same as text, one line for each record, without the success values of spans: no exporter sends those. */
export const layerText = (write: (line: string) => void): Layer.Layer<never> =>
  layer((kind, ...values) => {
    const visible = values.filter((value) => !Exit.isExit(value) || Exit.isFailure(value))
    write(`${kind} ${visible.flatMap((value) => renderings(value)).join(" ")}\n`)
  })

/** The same on standard error. */
export const layerStderr: Layer.Layer<never> = layerText((line) => void process.stderr.write(line))

/** Everything that can be seen of a program: logs of all levels, and every span. */
import { Cause, Exit, Layer, Logger, LogLevel, Tracer } from "effect"
import { inspect } from "node:util"

/** Every way in which a value is commonly made visible. */
export const renderings = (value: unknown): ReadonlyArray<string> => [
  String(value),
  inspect(value, { depth: 8, breakLength: Infinity, maxStringLength: 10_000, getters: true }),
  attempt(() => JSON.stringify(value)),
  ...(value instanceof Error ? [value.message, value.stack ?? "", inspect(value.cause)] : []),
  ...(Cause.isCause(value) ? [Cause.pretty(value, { renderErrorCause: true })] : [])
]

/** What has no JSON has none. */
const attempt = (render: () => string | undefined): string => {
  try {
    return render() ?? ""
  } catch {
    return ""
  }
}

let spans = 0

/** Tells all of it, as text. What an effect succeeds with is no part of its span: nobody sends it anywhere. */
export const layerTo = (write: (text: string) => void): Layer.Layer<never> => {
  const tell = (what: string, ...values: ReadonlyArray<unknown>): void =>
    write(`${what} ${values.flatMap(renderings).join(" ")}\n`)
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
        event: (...event) => tell("event", event),
        addLinks: (links) => tell("links", links),
        end: (_, exit) => tell("span", name, attributes, ...(Exit.isSuccess(exit) ? [] : [exit, exit.cause]))
      }
    },
    context: (f) => f()
  })
  const logger = Logger.make(({ annotations, cause, message }) => tell("log", message, cause, [...annotations]))
  return Layer.mergeAll(
    Logger.minimumLogLevel(LogLevel.All),
    Logger.replace(Logger.defaultLogger, logger),
    Layer.setTracer(tracer)
  )
}

/** On standard error. */
export const layer: Layer.Layer<never> = layerTo((text) => void process.stderr.write(text))

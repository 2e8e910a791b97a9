/**
 * The spans of a walk on the console, as they end: no collector, and nothing to install for it.
 *
 * MAILSTREAM_BASE_URL=… MAILSTREAM_API_KEY=… node examples/console-spans.ts
 */
import { NodeRuntime } from "@effect/platform-node"
import { Mailstream } from "@mailstream/http"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import { contacts } from "@mailstream/stream"
import { Effect, Layer, Stream, Tracer } from "effect"

/** Effect's own tracer, which also prints every span that ends: its name, its milliseconds and its attributes. */
const ConsoleSpans = Layer.unwrapEffect(Effect.map(Effect.tracer, (tracer) =>
  Layer.setTracer(Tracer.make({
    ...tracer,
    span: (name, parent, context, links, startTime, ...rest) => {
      const span = tracer.span(name, parent, context, links, startTime, ...rest)
      const end = span.end.bind(span)
      span.end = (endTime, exit) => {
        end(endTime, exit)
        console.log(
          `${name}: ${exit._tag}, ${(endTime - startTime) / 1_000_000n} ms`,
          Object.fromEntries(span.attributes)
        )
      }
      return span
    }
  }))))

const program = Stream.runDrain(contacts.items()).pipe(Effect.withSpan("export"))

const MailstreamLive = Mailstream.layerConfig().pipe(Layer.provide(UndiciTransport.layer))

program.pipe(Effect.provide([MailstreamLive, ConsoleSpans]), NodeRuntime.runMain)

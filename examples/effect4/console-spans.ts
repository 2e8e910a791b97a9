/**
 * The spans of a walk on the console, as they end: no collector, and nothing to install for it.
 *
 * MAILSTREAM_BASE_URL=… MAILSTREAM_API_KEY=… node examples/effect4/console-spans.ts
 */
import { contacts, Mailstream } from "@mailstream/effect4"
import * as FetchTransport from "@mailstream/effect4/FetchTransport"
import { Effect, Layer, Stream, Tracer } from "effect"

/** Effect's own tracer, which also prints every span that ends: its name, its milliseconds and its attributes. */
const ConsoleSpans = Layer.succeed(
  Tracer.Tracer,
  Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      const end = span.end.bind(span)
      span.end = (endTime, exit) => {
        end(endTime, exit)
        console.log(
          `${span.name}: ${exit._tag}, ${(endTime - options.startTime) / 1_000_000n} ms`,
          Object.fromEntries(span.attributes)
        )
      }
      return span
    }
  })
)

const program = Stream.runDrain(contacts.items()).pipe(Effect.withSpan("export"))

const MailstreamLive = Mailstream.layerConfig().pipe(Layer.provide(FetchTransport.layer))

Effect.runPromise(Effect.provide(program, [MailstreamLive, ConsoleSpans]))

/**
 * All contacts, with spans, metrics and logs sent to an OpenTelemetry collector.
 *
 * MAILSTREAM_BASE_URL=… MAILSTREAM_API_KEY=… OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318 node examples/effect4/telemetry.ts
 */
import { contacts, Mailstream } from "@mailstream/effect4"
import * as FetchTransport from "@mailstream/effect4/FetchTransport"
import { Config, Effect, Layer, Stream } from "effect"
import { FetchHttpClient } from "effect/http"
import { Otlp } from "effect/observability"

const program = contacts.items().pipe(
  Stream.runCount,
  Effect.tap((count) => Effect.log(`exported ${count} contacts`)),
  Effect.withSpan("export")
)

const MailstreamLive = Mailstream.layerConfig().pipe(Layer.provide(FetchTransport.layer))

const TelemetryLive = Config.String("OTEL_EXPORTER_OTLP_ENDPOINT").pipe(
  Config.withDefault("http://127.0.0.1:4318"),
  Effect.map((baseUrl) => Otlp.layerJson({ baseUrl, resource: { serviceName: "contacts-export" } })),
  Layer.unwrap,
  Layer.provide(FetchHttpClient.layer)
)

// What is still unsent when the program ends is sent before it exits.
Effect.runPromise(program.pipe(Effect.provide(Layer.provideMerge(MailstreamLive, TelemetryLive))))

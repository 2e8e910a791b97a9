/**
 * All contacts, with spans, metrics and logs sent to an OpenTelemetry collector.
 *
 * MAILSTREAM_BASE_URL=… MAILSTREAM_API_KEY=… OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318 node examples/telemetry.ts
 */
import * as Otlp from "@effect/opentelemetry/Otlp"
import { FetchHttpClient } from "@effect/platform"
import { NodeRuntime } from "@effect/platform-node"
import { Mailstream } from "@mailstream/http"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import { contacts } from "@mailstream/stream"
import { Config, Effect, Layer, Stream } from "effect"

const program = contacts.items().pipe(
  Stream.runCount,
  Effect.tap((count) => Effect.log(`exported ${count} contacts`)),
  Effect.withSpan("export")
)

const MailstreamLive = Mailstream.layerConfig().pipe(Layer.provide(UndiciTransport.layer))

const TelemetryLive = Config.string("OTEL_EXPORTER_OTLP_ENDPOINT").pipe(
  Config.withDefault("http://127.0.0.1:4318"),
  Effect.map((baseUrl) => Otlp.layerJson({ baseUrl, resource: { serviceName: "contacts-export" } })),
  Layer.unwrapEffect,
  Layer.provide(FetchHttpClient.layer)
)

// What is still unsent when the program ends is sent before it exits.
NodeRuntime.runMain(program.pipe(Effect.provide(Layer.provideMerge(MailstreamLive, TelemetryLive))))

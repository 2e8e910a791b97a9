/**
 * Exports telemetry to an OpenTelemetry collector, over HTTP. It loads the exporters: import it only when it is needed.
 *
 * Nothing waits for a collector: what it does not take is dropped, and at the end it has seconds.
 */
import * as OtlpLogger from "@effect/opentelemetry/OtlpLogger"
import * as OtlpMetrics from "@effect/opentelemetry/OtlpMetrics"
import * as OtlpSerialization from "@effect/opentelemetry/OtlpSerialization"
import * as OtlpTracer from "@effect/opentelemetry/OtlpTracer"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientError from "@effect/platform/HttpClientError"
import * as Cause from "effect/Cause"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as MutableRef from "effect/MutableRef"
import * as Entry from "../terminal/Entry.ts"
import * as Text from "../terminal/Text.ts"
import type { UsageError } from "../usage/UsageError.ts"
import * as Sampler from "./Sampler.ts"
import * as Settings from "./Settings.ts"
import type { Signal } from "./Variables.ts"

/** For the last export of each kind. A worker must have ended ten seconds after a signal. */
const shutdownTimeout = Duration.seconds(1)

const nouns: { readonly [signal in Signal]: string } = { TRACES: "Traces", METRICS: "Metrics", LOGS: "Logs" }

/** Says once that the collector is not reached, and once that it is again: the exporters only say so at level `debug`. */
const watching =
  (signal: Signal, { timeout, url }: Settings.Settings) => (client: HttpClient.HttpClient): HttpClient.HttpClient => {
    const { host } = new URL(url)
    const isDown = MutableRef.make(false)
    const down = (reason: string) =>
      MutableRef.getAndSet(isDown, true)
        ? Effect.void
        : Effect.logWarning(`${nouns[signal]} cannot be sent to ${host}: ${reason}. They are dropped until they can.`)
    const up = Effect.suspend(() =>
      MutableRef.getAndSet(isDown, false) ? Effect.logInfo(`${nouns[signal]} are sent to ${host} again.`) : Effect.void
    )
    return HttpClient.transform(client, (sending, request) =>
      sending.pipe(
        // Its connection can be used again once the response has been read.
        Effect.tap((response) => response.arrayBuffer),
        Effect.timeoutFail({
          duration: timeout,
          onTimeout: () =>
            new HttpClientError.RequestError({ request, reason: "Transport", description: "no response in time" })
        }),
        Effect.tapBoth({
          onFailure: (error) => down(error.description ?? Text.reasonOf(error)),
          onSuccess: ({ status }) => status < 400 ? up : down(`it responds with status ${status}`)
        })
      ))
  }

type Options = Parameters<typeof OtlpTracer.make>[0] & { readonly sampling: Settings.Sampling }

/** What is logged has the same words as on standard error. */
const added = (logger: Logger.Logger<unknown, void>) =>
  Logger.add(Logger.mapInputOptions(logger, (entry) => {
    const { reason, text } = Entry.said(entry)
    return { ...entry, message: Text.withoutPasswords(`${text} ${reason}`.trimEnd()), cause: Cause.empty }
  }))

const exporters = {
  TRACES: ({ exportInterval: _, sampling, ...options }: Options) =>
    Effect.zipWith(
      OtlpTracer.make(options),
      Effect.tracer,
      (exporting, other) => Layer.setTracer(Sampler.make(exporting, other, sampling))
    ),
  METRICS: ({ sampling: _, ...options }: Options) => Effect.as(OtlpMetrics.make(options), Layer.empty),
  LOGS: ({ exportInterval: _, sampling: __, ...options }: Options) => Effect.map(OtlpLogger.make(options), added)
}

/** Exports these signals. */
export const layer = (signals: ReadonlyArray<Signal>): Layer.Layer<never, UsageError> =>
  Layer.unwrapEffect(Effect.gen(function*() {
    const resource = yield* Settings.resource
    const exportInterval = yield* Settings.metricInterval
    const sampling = yield* Settings.sampling
    const layers = yield* Effect.forEach(signals, (signal) =>
      Effect.map(Settings.of(signal), (settings) => {
        const { headers, isJson, url } = settings
        const exporter = exporters[signal]({ url, headers, resource, shutdownTimeout, exportInterval, sampling })
        // It would read some variables once more, in its own way.
        const isolated = Effect.withConfigProvider(exporter, ConfigProvider.fromMap(new Map()))
        return Layer.unwrapScoped(isolated).pipe(
          Layer.provide(isJson ? OtlpSerialization.layerJson : OtlpSerialization.layerProtobuf),
          Layer.provide(
            Layer.effect(HttpClient.HttpClient, Effect.map(HttpClient.HttpClient, watching(signal, settings)))
          ),
          Layer.provide(FetchHttpClient.layer)
        )
      }))
    return layers.reduce((all, one) => Layer.merge(all, one), Layer.empty)
  }))

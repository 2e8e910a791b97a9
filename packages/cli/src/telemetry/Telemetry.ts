/**
 * Spans, metrics and logs for an OpenTelemetry collector, if the environment names one. The exporters are loaded only then.
 */
import * as Effect from "effect/Effect"
import type * as UsageError from "../usage/UsageError.ts"
import { type Signal, signals, variable, variableOf } from "./Variables.ts"

/** What is exported: all that has an endpoint, unless it is turned off, as by `OTEL_LOGS_EXPORTER=none`. */
const wanted: Effect.Effect<ReadonlyArray<Signal>> = Effect.gen(function*() {
  if (/^true$/i.test(yield* variable("OTEL_SDK_DISABLED"))) return []
  return yield* Effect.filter(signals, (signal) =>
    Effect.gen(function*() {
      const exporters = yield* variable(`OTEL_${signal}_EXPORTER`)
      const endpoint = yield* variableOf(signal, "ENDPOINT")
      return endpoint.value !== "" && (exporters === "" || exporters.split(",").includes("otlp"))
    }))
})

/** Exports what happens meanwhile. */
export const exporting = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | UsageError.UsageError, R> =>
  Effect.flatMap(wanted, (signals) =>
    signals.length === 0
      ? effect
      : Effect.flatMap(
        Effect.promise(() => import("./Exporters.ts")),
        ({ layer }) => Effect.provide(effect, layer(signals))
      ))

/**
 * Spans, metrics and logs for an OpenTelemetry collector, if the environment names one. The exporters are loaded only then.
 */
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import type * as UsageError from "../usage/UsageError.ts"

export type Signal = "TRACES" | "METRICS" | "LOGS"

const signals: ReadonlyArray<Signal> = ["TRACES", "METRICS", "LOGS"]

/** An environment variable; empty if it is not set. */
export const variable = (name: string): Effect.Effect<string> =>
  Effect.orDie(Config.withDefault(Config.string(name), ""))

/** A variable of the exporters: for one kind of signal, or for all. Says which one it is. */
export const variableOf = (
  signal: Signal,
  name: string
): Effect.Effect<{ readonly name: string; readonly value: string; readonly isOwn: boolean }> =>
  Effect.gen(function*() {
    const own = `OTEL_EXPORTER_OTLP_${signal}_${name}`
    const value = yield* variable(own)
    return value === ""
      ? { name: `OTEL_EXPORTER_OTLP_${name}`, value: yield* variable(`OTEL_EXPORTER_OTLP_${name}`), isOwn: false }
      : { name: own, value, isOwn: true }
  })

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

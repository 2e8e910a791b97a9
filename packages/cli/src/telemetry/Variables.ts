/** The environment variables of OpenTelemetry. */
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"

export type Signal = "TRACES" | "METRICS" | "LOGS"

export const signals: ReadonlyArray<Signal> = ["TRACES", "METRICS", "LOGS"]

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

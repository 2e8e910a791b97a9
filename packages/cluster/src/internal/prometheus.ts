/** Metrics as Prometheus reads them: its text format, version 0.0.4. */
import type * as MetricKey from "effect/MetricKey"
import * as MetricKeyType from "effect/MetricKeyType"
import type * as MetricPair from "effect/MetricPair"
import * as MetricState from "effect/MetricState"
import * as Option from "effect/Option"

export const contentType = "text/plain; version=0.0.4; charset=utf-8"

type Labels = ReadonlyArray<readonly [name: string, value: string]>

/** A value of a family; `suffix` comes after the name of the family. */
export interface Sample {
  readonly suffix?: string
  readonly labels?: Labels
  readonly value: number | bigint
}

/** What has one name. */
export interface Family {
  readonly name: string
  readonly type: "counter" | "gauge" | "histogram" | "summary"
  readonly help: string
  readonly samples: ReadonlyArray<Sample>
}

const nameOf = (text: string): string => text.replaceAll(/[^a-zA-Z0-9_:]/g, "_").replace(/^(?=\d)/, "_")

const labelOf = (text: string): string => text.replaceAll(/[^a-zA-Z0-9_]/g, "_").replace(/^(?=\d)/, "_")

const escaped = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")

const written = (value: number | bigint): string =>
  value === Infinity ? "+Inf" : value === -Infinity ? "-Inf" : String(value)

const lineOf = (name: string, { labels = [], suffix = "", value }: Sample): string => {
  const pairs = labels.map(([name, value]) => `${labelOf(name)}="${escaped(value).replaceAll("\"", "\\\"")}"`)
  return `${name}${suffix}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${written(value)}\n`
}

/** The text of families, each of which has a name of its own. */
export const text = (families: ReadonlyArray<Family>): string =>
  families.map(({ help, name, samples, type }) =>
    [
      help === "" ? "" : `# HELP ${name} ${escaped(help)}\n`,
      `# TYPE ${name} ${type}\n`,
      ...samples.map((sample) => lineOf(name, sample))
    ].join("")
  ).join("")

/** The type of a metric, and its samples. */
const measured = (
  { keyType }: MetricKey.MetricKey.Untyped,
  state: MetricState.MetricState.Untyped,
  labels: Labels
): Pick<Family, "type" | "samples"> | undefined => {
  if (MetricState.isCounterState(state)) {
    // Others can go down.
    const isCounter = MetricKeyType.isCounterKey(keyType) && keyType.incremental
    return { type: isCounter ? "counter" : "gauge", samples: [{ labels, value: state.count }] }
  }
  if (MetricState.isGaugeState(state)) return { type: "gauge", samples: [{ labels, value: state.value }] }
  if (MetricState.isFrequencyState(state)) {
    const samples = [...state.occurrences].map(([key, value]) => ({
      labels: [...labels, ["key", key] as const],
      value
    }))
    return { type: "counter", samples }
  }
  const totals = (sum: number, count: number): ReadonlyArray<Sample> => [
    { suffix: "_sum", labels, value: sum },
    { suffix: "_count", labels, value: count }
  ]
  if (MetricState.isHistogramState(state)) {
    const buckets = [...state.buckets].filter(([boundary]) => boundary !== Infinity)
    const samples = [...buckets, [Infinity, state.count] as const].map(([boundary, value]) => ({
      suffix: "_bucket",
      labels: [...labels, ["le", written(boundary)] as const],
      value
    }))
    return { type: "histogram", samples: [...samples, ...totals(state.sum, state.count)] }
  }
  if (MetricState.isSummaryState(state)) {
    const samples = [...state.quantiles].flatMap(([quantile, value]) =>
      Option.toArray(Option.map(value, (value) => ({
        labels: [...labels, ["quantile", String(quantile)] as const],
        value
      })))
    )
    return { type: "summary", samples: [...samples, ...totals(state.sum, state.count)] }
  }
  return undefined
}

/** The metrics of Effect. Names of counters end with `_total`. Of two kinds of metric with one name, the first one counts. */
export const familiesOf = (pairs: ReadonlyArray<MetricPair.MetricPair.Untyped>): ReadonlyArray<Family> => {
  const families = new Map<string, Family>()
  for (const { metricKey, metricState } of pairs) {
    const labels = metricKey.tags.map(({ key, value }) => [key, value] as const)
    const found = measured(metricKey, metricState, labels)
    if (found === undefined) continue
    const { samples, type } = found
    const given = nameOf(metricKey.name)
    const name = type === "counter" && !given.endsWith("_total") ? `${given}_total` : given
    const family = families.get(name) ?? {
      name,
      type,
      help: Option.getOrElse(metricKey.description, () => ""),
      samples: []
    }
    if (family.type === type) families.set(name, { ...family, samples: [...family.samples, ...samples] })
  }
  return [...families.values()].sort((one, other) => one.name < other.name ? -1 : 1)
}

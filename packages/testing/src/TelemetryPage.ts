/** The page that lists spans, attributes and metrics, for tests that compare it with what is reported. */
import { Effect, Metric, MetricKeyType, type Tracer } from "effect"
import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { spansOf } from "./Spans.ts"

/** Names with what belongs to them: spans with their attributes, metrics with their kind and tags. */
export type Named = Readonly<Record<string, ReadonlyArray<string>>>

const page = readFileSync(new URL("../../../site/pages/telemetry.md", import.meta.url), "utf8")

const codeIn = (cell: string): ReadonlyArray<string> => Array.from(cell.matchAll(/`([^`]+)`/g), ([, code = ""]) => code)

/** The rows of the tables of a section whose first column has this title, each as its cells by column. */
const rowsOf = (section: string, title: string): ReadonlyArray<Readonly<Record<string, string>>> => {
  const [text = ""] = page.split(/^## /m).filter((part) => part.startsWith(`${section}\n`))
  return text.split("\n\n").filter((part) => part.startsWith(`| ${title} |`)).flatMap((table) => {
    const [head = [], , ...rows] = table.trim().split("\n").map((row) => row.split("|").map((cell) => cell.trim()))
    return rows.map((row) => Object.fromEntries(head.map((column, index) => [column, row[index] ?? ""])))
  })
}

const named = (
  section: string,
  title: string,
  of: (row: Readonly<Record<string, string>>) => Iterable<string>
): Named => merged(rowsOf(section, title).flatMap((row) => codeIn(row[title]!).map((name) => [name, of(row)])))

/** All that is known of each name. */
const merged = (found: ReadonlyArray<readonly [name: string, keys: Iterable<string>]>): Named => {
  const all = new Map<string, Set<string>>()
  for (const [name, keys] of found) all.set(name, new Set([...all.get(name) ?? [], ...keys]))
  return Object.fromEntries(Array.from(all, ([name, keys]) => [name, [...keys].sort()]))
}

/** The spans of a section, with their attributes. */
export const spansIn = (section: string): Named => named(section, "span", (row) => codeIn(row["attributes"]!))

/** The metrics of a section, with their kind and their tags. */
export const metricsIn = (section: string): Named =>
  named(section, "metric", (row) => [row["kind"]!, ...codeIn(row["tags"]!)])

/** The values that the page names in what it says about a metric. */
export const valuesOf = (section: string, metric: string): ReadonlyArray<string> =>
  rowsOf(section, "metric").filter((row) => codeIn(row["metric"]!).includes(metric)).flatMap((row) =>
    codeIn(row["of"]!)
  )

/** The attributes that a section explains. */
export const attributesIn = (section: string): ReadonlyArray<string> =>
  Object.keys(named(section, "attribute", () => []))

/** Spans in the form of the page. */
export const reportedSpans = (spans: ReadonlyArray<Tracer.Span>): Named =>
  merged(spans.map(({ attributes, name }) => [
    name,
    Array.from(attributes.keys()).filter((key) => key !== "code.stacktrace")
  ]))

const mark = "reported_by"

/** What an effect reports: its spans, and its metrics that are ours in the form of the page. Other tests share the process. */
export const reportedBy = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const id = randomUUID()
    const spans = yield* spansOf(Effect.tagMetrics(effect, mark, id))
    const keys = (yield* Metric.snapshot).map(({ metricKey }) => metricKey).filter(({ name, tags }) =>
      name.startsWith("mailstream_") && tags.some(({ key, value }) => key === mark && value === id)
    )
    const metrics = merged(keys.map(({ keyType, name, tags }) => [
      name,
      [
        MetricKeyType.isCounterKey(keyType)
          ? "counter"
          : MetricKeyType.isHistogramKey(keyType)
          ? "histogram"
          : "gauge",
        ...tags.map(({ key }) => key).filter((key) => key !== mark)
      ]
    ]))
    return { spans, metrics }
  })

/** Draws a part as an SVG: a bar for each median, a whisker for its spread, an axis for each unit, and a key. */
import type { Row } from "./harness.ts"
import { type Measured, type Spread, spreads } from "./record.ts"

const width = 760
const margin = 16
/** Where the axis ends; the numbers of the longest bars stand behind it. */
const plotWidth = 610

/** Light and dark, as the reader's system is. A page that has the drawing in itself has colors of its own. */
const style = `
  svg { font: 12px system-ui, sans-serif; fill: #1f2328 }
  text { paint-order: stroke; stroke: #fff; stroke-width: 3px; stroke-linejoin: round }
  .back { fill: #fff } .muted { fill: #59636e } .title { font-weight: 600 }
  .peer { fill: #afb8c1 } .own { fill: #0969da } .cpu { opacity: 0.55 }
  .whisker { stroke: #1f2328; stroke-width: 1.2 } .grid { stroke: #d1d9e0; stroke-width: 1 }
  @media (prefers-color-scheme: dark) {
    svg { fill: #f0f6fc } text { stroke: #0d1117 } .back { fill: #0d1117 } .muted { fill: #9198a1 }
    .peer { fill: #6e7681 } .own { fill: #4493f8 } .whisker { stroke: #f0f6fc } .grid { stroke: #3d444d }
  }`

const escape = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

/** Mailstream without a target: what its other lines are compared with. */
const own =
  /^(items|pages|whole)\(|^take\(5\),|^Contacts\.list|\bmailstream\b|^contacts list$|first page$|lane$|^the walk alone$/

/** A contender: what a row says before it compares. */
export interface Contender {
  readonly name: string
  /** Whether it is Mailstream: the others are peers. */
  readonly isOwn: boolean
  readonly spreads: ReadonlyArray<Spread>
}

/** Wall and CPU time have one unit, which is written once: `wall 5.2 (…) µs, CPU 3.8 (…) µs per item`. */
const withUnits = (all: ReadonlyArray<Spread>): ReadonlyArray<Spread> => {
  const unit = all.find(({ of }) => of === "CPU")?.unit
  return all.map((spread) => spread.of === "wall" && unit !== undefined ? { ...spread, unit } : spread)
}

/** The contenders of a part, each once. */
export const contenders = (rows: ReadonlyArray<Row>): ReadonlyArray<Contender> => {
  const all = new Map<string, Contender>()
  for (const row of rows) {
    const name = row.what.split(/, (?:over|as fast as|bytes over) /)[0]!
    const isOwn = row.target !== undefined || own.test(name) || all.get(name)?.isOwn === true
    const found = withUnits(spreads(row))
    if (found.length > 0) all.set(name, { name, isOwn, spreads: found })
  }
  return [...all.values()]
}

const digits = (value: number): string => value.toLocaleString("en")

/** From 0 to the first tick that is not below a value, four to eight of them. */
export const ticks = (most: number): ReadonlyArray<number> => {
  if (most <= 0) return [0, 1]
  const power = 10 ** Math.floor(Math.log10(most / 4))
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).filter((step) => most / step > 3.5).at(-1) ?? power
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) => Number((index * step).toPrecision(12)))
}

const names: Readonly<Record<string, string>> = {
  ms: "milliseconds",
  "ms to start": "milliseconds to start",
  "µs per item": "microseconds per item",
  "%": "percent"
}

/** What the axis of a unit says. */
const axisOf = (unit: string): string =>
  `${names[unit] ?? unit} (${unit.endsWith("per second") ? "more" : "less"} is better)`

/** What was measured in one unit on one kind of machine. */
interface Panel {
  readonly arch: string
  readonly unit: string
  readonly contenders: ReadonlyArray<Contender>
}

const panelsOf = (all: ReadonlyArray<Measured>): ReadonlyArray<Panel> =>
  all.flatMap(({ arch, rows }) => {
    const found = contenders(rows)
    const units = new Set(found.flatMap(({ spreads }) => spreads.map(({ unit }) => unit)))
    return [...units].map((unit) => ({
      arch,
      unit,
      contenders: found.flatMap((contender) => {
        const spreads = contender.spreads.filter((spread) => spread.unit === unit)
        return spreads.length === 0 ? [] : [{ ...contender, spreads }]
      })
    }))
  })

/** Whether there is something to draw. */
export const isDrawn = (all: ReadonlyArray<Measured>): boolean => panelsOf(all).length > 0

const text = (x: number, y: number, of: string, words: string, rest = ""): string =>
  `<text x="${x.toFixed(1)}" y="${y}" class="${of}"${rest}>${escape(words)}</text>`

/** The meaning of the colors and shapes that occur. */
const keyOf = (panels: ReadonlyArray<Panel>, y: number): ReadonlyArray<string> => {
  const drawn = panels.flatMap(({ contenders }) => contenders)
  const has = (what: string): boolean => drawn.some(({ spreads }) => spreads.some(({ of }) => of === what))
  const box = (of: string, height: number) => (x: number): string =>
    `<rect x="${x}" y="${y - 4 - height / 2}" width="18" height="${height}" class="${of}"/>`
  const entries: ReadonlyArray<
    readonly [words: string, length: number, shape: (x: number) => string, isThere: boolean]
  > = [
    ["Mailstream", 100, box("key own", 9), drawn.some(({ isOwn }) => isOwn)],
    ["peer", 62, box("key peer", 9), drawn.some(({ isOwn }) => !isOwn)],
    ["wall time", 90, box("key muted", 9), has("wall")],
    ["CPU time", 90, box("key muted cpu", 5), has("CPU")],
    [
      "fastest to slowest round; the bar is the median",
      0,
      (x) => `<path d="M${x} ${y - 4}h18" class="key whisker"/>`,
      true
    ]
  ]
  let x = margin
  return entries.filter(([, , , isThere]) => isThere).flatMap(([words, length, shape]) => {
    const shapes = [shape(x), text(x + 24, y, "muted", words)]
    x += length
    return shapes
  })
}

/** Draws what was measured on all kinds of machines, one below the other, on one scale for each unit. */
export const draw = (part: string, all: ReadonlyArray<Measured>): string => {
  const panels = panelsOf(all)
  const scales = new Map(
    panels.map(({ unit }) => {
      const same = panels.filter((panel) => panel.unit === unit).flatMap(({ contenders }) => contenders)
      return [unit, ticks(Math.max(...same.flatMap(({ spreads }) => spreads.map(({ most }) => most))))]
    })
  )

  const shapes: Array<string> = [...keyOf(panels, margin + 12)]
  let y = margin + 24
  for (const { arch, contenders, unit } of panels) {
    const scale = scales.get(unit)!
    const x = (value: number): number => margin + value / scale.at(-1)! * plotWidth
    y += 22
    shapes.push(text(margin, y, "title", `${part}, ${arch}`))
    const top = y + 8
    const bars: Array<string> = []
    for (const { isOwn, name, spreads } of contenders) {
      y += 20
      bars.push(text(margin, y, "", name))
      for (const { least, median, most, of } of spreads) {
        const height = of === "CPU" ? 5 : 9
        const middle = (y + 5 + height / 2).toFixed(1)
        const color = `${isOwn ? "own" : "peer"}${of === "CPU" ? " cpu" : ""}`
        bars.push(
          `<rect x="${margin}" y="${y + 5}" width="${
            (x(median) - margin).toFixed(1)
          }" height="${height}" class="${color}"/>`,
          `<path d="M${x(least).toFixed(1)} ${middle}H${x(most).toFixed(1)}" class="whisker"/>`,
          text(x(most) + 8, y + 6 + height, "muted", `${of} ${digits(median)} ${unit}`.trim())
        )
        y += height + 7
      }
    }
    y += 10
    for (const tick of scale) {
      shapes.push(
        `<path d="M${x(tick).toFixed(1)} ${top}V${y}" class="grid"/>`,
        text(x(tick), y + 15, "muted", tick.toLocaleString("en"), tick === 0 ? "" : " text-anchor=\"middle\"")
      )
    }
    shapes.push(...bars, text(margin, y + 33, "muted", axisOf(unit)))
    y += 44
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${y}" viewBox="0 0 ${width} ${y}" role="img" class="chart">`,
    `<title>${escape(part)}: medians and spreads</title>`,
    `<style>${style}\n</style>`,
    `<rect width="${width}" height="${y}" class="back"/>`,
    ...shapes,
    "</svg>\n"
  ].join("\n")
}

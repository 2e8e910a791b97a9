/** Draws a part as an SVG: a bar for each median, a whisker for its spread, the peers in gray. */
import type { Row } from "./harness.ts"
import { type Measured, type Spread, spreads } from "./record.ts"

const width = 760
const margin = 16
/** Where bars end; their numbers stand behind it. */
const barWidth = 500

/** Light and dark, as the reader's system is. */
const style = `
  svg { font: 12px system-ui, sans-serif; fill: #1f2328 }
  .back { fill: #fff } .muted { fill: #59636e } .title { font-weight: 600 }
  .peer { fill: #afb8c1 } .own { fill: #0969da } .whisker { stroke: #1f2328; stroke-width: 1.2 }
  @media (prefers-color-scheme: dark) {
    svg { fill: #f0f6fc } .back { fill: #0d1117 } .muted { fill: #9198a1 }
    .peer { fill: #57606a } .own { fill: #4493f8 } .whisker { stroke: #f0f6fc }
  }`

const escape = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

/** A contender: what a row says before it compares. */
export interface Contender {
  readonly name: string
  /** Whether there is a target for it: the others are there to compare with. */
  readonly isOwn: boolean
  readonly spreads: ReadonlyArray<Spread>
}

/** The contenders of a part, each once. */
export const contenders = (rows: ReadonlyArray<Row>): ReadonlyArray<Contender> => {
  const all = new Map<string, Contender>()
  for (const row of rows) {
    const name = row.what.split(/, (?:over|as fast as|bytes over) /)[0]!
    const isOwn = row.target !== undefined || all.get(name)?.isOwn === true
    const found = spreads(row)
    if (found.length > 0) all.set(name, { name, isOwn, spreads: found })
  }
  return [...all.values()]
}

const digits = (value: number): string => value >= 100 ? value.toFixed(0) : String(value)

/** Draws what was measured on all kinds of machines, one below the other, on one scale for each unit. */
export const draw = (part: string, all: ReadonlyArray<Measured>): string => {
  const panels = all.map(({ arch, rows }) => ({ arch, contenders: contenders(rows) }))
  const drawn = panels.flatMap(({ contenders }) => contenders.flatMap(({ spreads }) => spreads))
  const most = new Map<string, number>()
  for (const { most: value, unit } of drawn) most.set(unit, Math.max(most.get(unit) ?? 0, value))
  const x = (value: number, unit: string): number => margin + value / (most.get(unit) || 1) * barWidth

  const shapes: Array<string> = []
  let y = margin
  const text = (words: string, of: string): void => {
    y += 16
    shapes.push(`<text x="${margin}" y="${y}" class="${of}">${escape(words)}</text>`)
  }
  const bar = ({ least, median, most, of, unit }: Spread, isOwn: boolean): void => {
    const height = of === "CPU" ? 5 : 9
    const middle = (y + 4 + height / 2).toFixed(1)
    const [from, to, end] = [x(least, unit), x(most, unit), x(median, unit)].map((at) => at.toFixed(1))
    shapes.push(
      `<rect x="${margin}" y="${y + 4}" width="${(Number(end) - margin).toFixed(1)}" height="${height}" ` +
        `class="${isOwn ? "own" : "peer"}"/>`,
      `<path d="M${from} ${middle}H${to}" class="whisker"/>`,
      `<text x="${(Number(to) + 8).toFixed(1)}" y="${y + 5 + height}" class="muted">` +
        `${escape(`${of} ${digits(median)} ${unit}`.trim())}</text>`
    )
    y += height + 7
  }
  for (const { arch, contenders } of panels) {
    text(`${part}, ${arch}`, "title")
    for (const { isOwn, name, spreads } of contenders) {
      text(name, "")
      for (const spread of spreads) bar(spread, isOwn)
    }
    y += margin
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${y}" viewBox="0 0 ${width} ${y}" role="img">`,
    `<title>${escape(part)}: medians and spreads</title>`,
    `<style>${style}\n</style>`,
    `<rect width="${width}" height="${y}" class="back"/>`,
    ...shapes,
    "</svg>\n"
  ].join("\n")
}

/** The tables of `RESULTS.md`: what was measured on each kind of machine stands side by side. */
import * as Results from "@mailstream/testing/Results"
import type { Row } from "./harness.ts"

/** The rows of one part on one kind of machine. */
export interface Measured {
  /** `x64`, `arm64`. */
  readonly arch: string
  /** What they were measured on. */
  readonly machine: string
  readonly rows: ReadonlyArray<Row>
}

/** Rows by their names. Several may have the same one: those after the first have primes. */
const byName = ({ rows }: Measured): ReadonlyMap<string, Row> => {
  const named = new Map<string, Row>()
  for (const row of rows) {
    let key = row.what
    while (named.has(key)) key += "'"
    named.set(key, row)
  }
  return named
}

const verdict = ({ reached }: Row): string => reached === undefined ? "" : reached ? "reached" : "missed"

/** Writes a part: one table, and the machines below it. */
export const write = (all: ReadonlyArray<Measured>): string => {
  const header = ["what", "target", ...all.flatMap(({ arch }) => [`${arch}: median (spread)`, "ratio", ""])]
  const named = all.map(byName)
  const table = [...new Set(named.flatMap((rows) => [...rows.keys()]))].map((name) => {
    const found = named.map((rows) => rows.get(name))
    const first = found.find((row) => row !== undefined)
    return [
      first?.what ?? "",
      first?.target ?? "",
      ...found.flatMap((row) => row === undefined ? ["", "", ""] : [row.measured, row.ratio ?? "", verdict(row)])
    ]
  })
  return `${Results.table(header, table)}\n\n${all.map(({ arch, machine }) => `${arch}: ${machine}`).join("\n\n")}`
}

const cellsOf = (line: string): ReadonlyArray<string> =>
  line.slice(2, -2).split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"))

const optional = (text: string | undefined): string | undefined => text === "" ? undefined : text

/** Reads what `write` has written. */
export const read = (text: string): ReadonlyArray<Measured> => {
  const lines = text.split("\n")
  const [header, , ...rows] = lines.filter((line) => line.startsWith("|")).map(cellsOf)
  const archs = (header ?? []).flatMap((cell) => /^(\S+): median/.exec(cell)?.[1] ?? [])
  return archs.map((arch, index) => ({
    arch,
    machine: lines.find((line) => line.startsWith(`${arch}: `))?.slice(arch.length + 2) ?? "",
    rows: rows.flatMap((cells): ReadonlyArray<Row> => {
      const [measured = "", ratio, reached = ""] = cells.slice(2 + 3 * index)
      return measured === "" ? [] : [{
        what: cells[0] ?? "",
        measured,
        ratio: optional(ratio),
        target: optional(cells[1]),
        reached: reached === "" ? undefined : reached === "reached"
      }]
    })
  }))
}

/** Replaces what was measured on this kind of machine. What was measured on others is kept. */
export const replace = (recorded: ReadonlyArray<Measured>, measured: Measured): ReadonlyArray<Measured> => {
  const current = byName(measured)
  // A target may have changed: then the verdict was about another one.
  const judged = (row: Row, target: string | undefined): Row =>
    row.target === target ? row : { ...row, target, reached: undefined }
  const others = recorded.filter(({ arch }) => arch !== measured.arch).map((other) => ({
    ...other,
    rows: Array.from(byName(other), ([name, row]) => judged(row, (current.get(name) ?? row).target))
  }))
  return [measured, ...others].sort((a, b) => a.arch < b.arch ? 1 : -1)
}

/** A median with its spread, such as `wall 520 (505 to 610) ms`. */
export interface Spread {
  /** `wall`, `CPU` or nothing. */
  readonly of: string
  readonly median: number
  readonly least: number
  readonly most: number
  readonly unit: string
}

/** The spreads in a measurement, as `Harness.spread` writes them. */
export const spreads = ({ measured }: Row): ReadonlyArray<Spread> =>
  Array.from(
    measured.matchAll(/(?:(wall|CPU) )?([\d.]+) \(([\d.]+) to ([\d.]+)\) ([^\d,;]+)/g),
    ([, of = "", median, least, most, unit = ""]) => ({
      of,
      median: Number(median),
      least: Number(least),
      most: Number(most),
      unit: unit.trim()
    })
  )

/** What is reported, and what the page about it says. */
import { readFileSync } from "node:fs"

/** Names with what belongs to them: spans with their attributes, metrics with their tags. */
export type Named = Readonly<Record<string, ReadonlyArray<string>>>

const page = readFileSync(new URL("../../../site/pages/telemetry.md", import.meta.url), "utf8")

const codeIn = (cell: string): ReadonlyArray<string> => Array.from(cell.matchAll(/`([^`]+)`/g), ([, code = ""]) => code)

/** The rows of the tables of a section whose first column has this title: names, with the codes in another column. */
export const tableOf = (section: string, title: string, column: string): Named => {
  const [text = ""] = page.split(/^## /m).filter((part) => part.startsWith(`${section}\n`))
  const rows = text.split("\n\n").filter((part) => part.startsWith(`| ${title} |`)).flatMap((table) => {
    const [head = [], , ...rows] = table.trim().split("\n").map((row) => row.split("|").map((cell) => cell.trim()))
    return rows.flatMap((row) =>
      codeIn(row[1]!).map((name) => [name, [...codeIn(row[head.indexOf(column)]!)].sort()] as const)
    )
  })
  if (rows.length === 0) throw new Error(`${section} has no table of ${title}`)
  return Object.fromEntries(rows)
}

/** All that is known of each name. */
export const merged = (found: ReadonlyArray<readonly [name: string, keys: Iterable<string>]>): Named => {
  const all = new Map<string, Set<string>>()
  for (const [name, keys] of found) all.set(name, new Set([...all.get(name) ?? [], ...keys]))
  return Object.fromEntries(Array.from(all, ([name, keys]) => [name, [...keys].sort()]))
}

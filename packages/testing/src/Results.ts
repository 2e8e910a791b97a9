/** Tables of measurements in a Markdown file, each between the marks of its part. */
import { Data, Effect } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { arch, cpus, platform, totalmem } from "node:os"

export class NoPlace extends Data.TaggedError("NoPlace")<{ readonly message: string }> {}

/** What the measurements were made on. */
export const machine =
  `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, ${platform()} ${arch()}, ` +
  `Node ${process.versions.node}`

/** A Markdown table. */
export const table = (header: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [header, header.map(() => "---"), ...rows].map((cells) =>
    `| ${cells.map((cell) => cell.replace(/\s+/g, " ").replaceAll("|", "\\|")).join(" | ")} |`
  ).join("\n")

const marksOf = (part: string): readonly [begin: string, end: string] => [`<!-- ${part} -->`, `<!-- end of ${part} -->`]

/** Fails if parts have no marks: better before hours of measurements than after them. */
export const expectPlaces = (file: string, parts: ReadonlyArray<string>): Effect.Effect<void, NoPlace> =>
  Effect.suspend(() => {
    const text = readFileSync(file, "utf8")
    const missing = parts.filter((part) => !marksOf(part).every((mark) => text.includes(mark)))
    return missing.length === 0
      ? Effect.void
      : new NoPlace({ message: `${file} has no marks for ${missing.join(", ")}` })
  })

/** Replaces the text between the marks of a part. */
export const keep = (file: string, part: string, text: string): Effect.Effect<void, NoPlace> =>
  Effect.map(expectPlaces(file, [part]), () => {
    const before = readFileSync(file, "utf8")
    const [begin, end] = marksOf(part)
    writeFileSync(
      file,
      `${before.slice(0, before.indexOf(begin))}${begin}\n${text}\n${before.slice(before.indexOf(end))}`
    )
  })

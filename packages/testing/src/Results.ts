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

/** Replaces the text between the marks of a part. */
export const keep = (file: string, part: string, text: string): Effect.Effect<void, NoPlace> =>
  Effect.suspend(() => {
    const before = readFileSync(file, "utf8")
    const [begin, end] = [`<!-- ${part} -->`, `<!-- end of ${part} -->`]
    const [from, to] = [before.indexOf(begin), before.indexOf(end)]
    if (from === -1 || to === -1) return new NoPlace({ message: `${file} has no marks for ${part}` })
    return Effect.sync(() => writeFileSync(file, `${before.slice(0, from)}${begin}\n${text}\n${before.slice(to)}`))
  })

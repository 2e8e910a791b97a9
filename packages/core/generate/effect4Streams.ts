/** Generates what the native streams of effect4 have for each list, from the same for Effect 3. */
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { formatted } from "./format.ts"
import { lists, streams } from "./streams.ts"
import { entries, root } from "./table.ts"

const to = "packages/effect4/src/stream"

const nativeOf = (path: string, text: string): string =>
  formatted(
    path,
    text
      .replace(/"@mailstream\/core"/g, "\"../core/index.ts\"")
      .replace(/"@mailstream\/(core|http)\/(\w+)"/g, "\"../$1/$2.ts\"")
  )

/** The modules, by their paths below the repository's root. */
export const effect4Streams: ReadonlyMap<string, string> = new Map(
  [["Lists", lists] as const, ...entries.map((entry) => [entry.name, streams(entry)] as const)].map(([name, text]) => {
    const path = `${to}/${name}.ts`
    return [path, nativeOf(path, text)]
  })
)

/** Modules of lists that no longer have an entry in the table. */
export const staleStreams: ReadonlyArray<string> = readdirSync(join(root, to))
  .filter((name) => /^[a-z].*\.ts$/.test(name) && name !== "index.ts")
  .map((name) => `${to}/${name}`)
  .filter((path) => !effect4Streams.has(path))

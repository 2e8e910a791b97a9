/** Searches for secrets in chunks of bytes, and in files. */
import { Effect } from "effect"
import { createReadStream, readdirSync } from "node:fs"
import { join } from "node:path"

export interface Scanner {
  readonly push: (bytes: Buffer) => void
  /** How many bytes were searched. */
  readonly size: () => number
  /** The marks that were found, each with its context. */
  readonly found: () => ReadonlyArray<string>
}

export const make = (marks: ReadonlyArray<string>): Scanner => {
  const longest = Math.max(...marks.map((mark) => mark.length))
  const found: Array<string> = []
  let size = 0
  let rest = Buffer.alloc(0)
  return {
    push: (bytes) => {
      size += bytes.length
      const all = Buffer.concat([rest, bytes])
      for (const mark of marks) {
        // A mark entirely within the rest was found before.
        const at = all.indexOf(mark, Math.max(0, rest.length - mark.length + 1))
        if (at !== -1) found.push(all.subarray(Math.max(0, at - 60), at + mark.length + 20).toString())
      }
      rest = all.subarray(Math.max(0, all.length - longest + 1))
    },
    size: () => size,
    found: () => found
  }
}

/** Searches every file below a directory. */
export const directory = (path: string, marks: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<string>> =>
  Effect.promise(async () => {
    const found: Array<string> = []
    for (const entry of readdirSync(path, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const file = join(entry.parentPath, entry.name)
      const scanner = make(marks)
      for await (const bytes of createReadStream(file)) scanner.push(bytes)
      found.push(...scanner.found().map((text) => `${file}: ${text}`))
    }
    return found
  })

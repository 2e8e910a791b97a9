/**
 * Which runtimes have a reliable `node:sqlite`. Imports nothing, so that older runtimes report a sentence instead of a stack
 * trace.
 */

/** The type of `process.versions`. */
export type Versions = Readonly<Record<string, string | undefined>>

type Version = ReadonlyArray<number>

interface Runtime {
  readonly key: string
  readonly name: string
  /** The first version of each line that is supported, in ascending order; the last one and everything after it is. */
  readonly floors: readonly [Version, ...Array<Version>]
}

/** Bun and Deno also name the version of Node that they stand in for. */
const runtimes: ReadonlyArray<Runtime> = [
  { key: "deno", name: "Deno", floors: [[2, 9]] },
  { key: "bun", name: "Bun", floors: [[1, 4]] },
  // The first with SQLite 3.51.3: earlier ones can damage a file in WAL mode.
  { key: "node", name: "Node", floors: [[22, 22, 3], [24, 15]] }
]

const isBefore = (version: Version, other: Version): boolean => {
  for (const [index, number] of other.entries()) {
    const difference = (version[index] ?? 0) - number
    if (difference !== 0) return difference < 0
  }
  return false
}

const isSupported = (version: Version, floors: Runtime["floors"]): boolean => {
  const floor = floors.find(([major]) => major === version[0]) ?? floors[floors.length - 1]!
  return !isBefore(version, floor)
}

/** Why something that needs SQLite cannot be used on a runtime, and what to do; undefined if it can. */
export const obstacle = (what: string, versions: Versions): string | undefined => {
  const runtime = runtimes.find(({ key }) => versions[key] !== undefined)
  const version = runtime === undefined ? undefined : versions[runtime.key]
  if (runtime !== undefined && isSupported((version ?? "").split(".").map(Number.parseFloat), runtime.floors)) {
    return undefined
  }
  const found = runtime === undefined ? "another runtime" : `${runtime.name} ${version}`
  return `${what} needs Node 22.22.3, Node 24.15 or later, Bun 1.4 or Deno 2.9. This is ${found}: install Node 24 or later.`
}

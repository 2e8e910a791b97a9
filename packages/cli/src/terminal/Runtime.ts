/**
 * The runtimes that the program needs. This module imports nothing and uses nothing that is new, so that older runtimes get
 * a sentence instead of a stack.
 *
 * @since 1.0.0
 */

/** The lowest versions of each line that is supported, as `engines` in `package.json` has them. A test compares. */
const lowest: Readonly<
  Record<"bun" | "deno" | "node", ReadonlyArray<readonly [major: number, ...rest: Array<number>]>>
> = {
  bun: [[1, 4, 0]],
  deno: [[2, 9, 0]],
  node: [[22, 22, 3], [24, 15, 0]]
}

const names = { bun: "Bun", deno: "Deno", node: "Node" }

const isAtLeast = (version: ReadonlyArray<number>, wanted: ReadonlyArray<number>): boolean => {
  const at = wanted.findIndex((number, index) => version[index] !== number)
  return at === -1 || (version[at] ?? 0) > wanted[at]!
}

/** The last line includes all later ones. */
const isSupported = (runtime: keyof typeof lowest, text: string): boolean => {
  const version = text.split(".").map((part) => Number.parseInt(part, 10))
  const lines = lowest[runtime]
  return lines.some((wanted, index) =>
    isAtLeast(version, wanted) && (index === lines.length - 1 || version[0] === wanted[0])
  )
}

/**
 * Why the program cannot run on a runtime, and what to do; `undefined` if it can.
 *
 * @since 1.0.0
 * @category getters
 */
export const problem = (versions: {
  readonly bun?: string | undefined
  readonly deno?: string | undefined
  readonly node: string
}): string | undefined => {
  // Bun and Deno also have a version of Node, which is the one that they resemble.
  const runtime = versions.bun !== undefined ? "bun" : versions.deno !== undefined ? "deno" : "node"
  const version = versions[runtime] ?? ""
  return isSupported(runtime, version)
    ? undefined
    : `mailstream needs Node 22.22.3, Node 24.15 or later, Bun 1.4 or Deno 2.9. This is ${
      names[runtime]
    } ${version}: install Node 24 or later.`
}

/** The code in Markdown and in comments, compiled as the programs of readers are. */
import { Array, Effect, type Scope } from "effect"
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as Compiler from "./Compiler.ts"
import * as Temporary from "./Temporary.ts"

const root = fileURLToPath(new URL("../../../", import.meta.url))

export interface Snippet {
  /** Its location, as in `README.md:30`. */
  readonly place: string
  readonly code: string
}

const fence = /^( \* | {2}|)```ts(?: twoslash)?(?: \[[^\]\n]+\])?\n([^]*?)\n\1```$/gm

/** The code blocks of a text; in sources they are prefixed by the stars of a comment, in lists they are indented. */
export const within = (file: string, text: string): ReadonlyArray<Snippet> =>
  [...text.matchAll(fence)].map((match) => ({
    place: `${file}:${text.slice(0, match.index).split("\n").length}`,
    code: match[2]!.split("\n").map((line) => line.slice(match[1]!.length)).join("\n")
  }))

/** Where a snippet is compiled: `effect` is Effect 4 in the package for it, and Effect 3 elsewhere; `undici` is beside http. */
const homeOf = ({ code }: Snippet): string =>
  code.includes("\"@mailstream/effect4")
    ? `${root}packages/effect4/`
    : code.includes("from \"undici\"")
    ? `${root}packages/http/`
    : `${root}examples/`

/** Makes a package, and everything that it can import, importable from a directory. */
export const install = (home: string, directory: string): void => {
  const { name } = JSON.parse(readFileSync(`${home}package.json`, "utf8"))
  const modules = `${directory}/node_modules`
  mkdirSync(`${modules}/@mailstream`, { recursive: true })
  for (const entry of readdirSync(`${home}node_modules`).filter((entry) => entry !== "@mailstream")) {
    symlinkSync(`${home}node_modules/${entry}`, `${modules}/${entry}`)
  }
  for (const entry of readdirSync(`${home}node_modules/@mailstream`)) {
    symlinkSync(`${home}node_modules/@mailstream/${entry}`, `${modules}/@mailstream/${entry}`)
  }
  symlinkSync(home, `${modules}/${name}`)
}

const problemsAt = (home: string, snippets: ReadonlyArray<Snippet>) =>
  Effect.gen(function*() {
    const directory = yield* Temporary.directory
    install(home, directory)
    const files = new Map(snippets.map((snippet, index) => [`snippet-${index}.mts`, snippet]))
    const found = yield* Effect.promise(() =>
      Compiler.problems(
        directory,
        Object.fromEntries([...files].map(([name, { code }]) => [name, code])),
        {
          skipLibCheck: true,
          allowImportingTsExtensions: true,
          types: ["node"],
          typeRoots: [`${root}node_modules/@types`]
        }
      )
    )
    return found.map((line) => line.replace(/^[^(]+/, (name) => files.get(name)?.place ?? name))
  })

/** The compiler's errors in the snippets, by location. */
export const problems = (
  snippets: ReadonlyArray<Snippet>
): Effect.Effect<ReadonlyArray<string>, never, Scope.Scope> =>
  Effect.map(
    Effect.forEach(Object.entries(Array.groupBy(snippets, homeOf)), ([home, some]) => problemsAt(home, some)),
    (found) => found.flat()
  )

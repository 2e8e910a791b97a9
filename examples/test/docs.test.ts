import { assert, describe, it } from "@effect/vitest"
import * as Compiler from "@mailstream/testing/Compiler"
import * as Temporary from "@mailstream/testing/Temporary"
import { Effect } from "effect"
import { existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../", import.meta.url))
const here = fileURLToPath(new URL("../", import.meta.url))

interface Snippet {
  /** Its location, as in `README.md:30`. */
  readonly place: string
  readonly code: string
}

const fence = /^( \* |)```ts\n([^]*?)\n\1```$/gm

/** The code blocks of a text; in sources they are prefixed by the stars of a comment. */
const snippetsOf = (file: string): ReadonlyArray<Snippet> => {
  const text = readFileSync(`${root}${file}`, "utf8")
  return [...text.matchAll(fence)].map((match) => ({
    place: `${file}:${text.slice(0, match.index).split("\n").length}`,
    code: match[2]!.split("\n").map((line) => line.slice(match[1]!.length)).join("\n")
  }))
}

/** The published packages. */
const packages = readdirSync(`${root}packages`).filter((name) => existsSync(`${root}packages/${name}/README.md`))

const sources = packages.flatMap((name) =>
  readdirSync(`${root}packages/${name}/src`).filter((file) => file.endsWith(".ts")).map((file) =>
    `packages/${name}/src/${file}`
  )
)

const readmes = ["README.md", ...packages.map((name) => `packages/${name}/README.md`)]

/** The compiler's errors in the snippets, by location. */
const problems = (directory: string, snippets: ReadonlyArray<Snippet>): ReadonlyArray<string> => {
  symlinkSync(`${here}node_modules`, `${directory}/node_modules`)
  const files = new Map(snippets.map((snippet, index) => [`snippet-${index}.mts`, snippet]))
  return Compiler.problems(directory, Object.fromEntries([...files].map(([name, { code }]) => [name, code])), {
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    types: ["node"],
    typeRoots: [`${root}node_modules/@types`]
  }).map((line) => line.replace(/^[^(]+/, (name) => files.get(name)?.place ?? name))
}

describe("the code in the documentation", () => {
  it.scoped("compiles, and a broken snippet would not", () =>
    Effect.gen(function*() {
      const snippets = [...readmes, ...sources].flatMap(snippetsOf)
      assert.isAbove(snippets.length, 20)
      const wrong = { place: "here", code: `import { Contacts } from "@mailstream/http"\nconst no: number = Contacts` }
      const found = problems(yield* Temporary.directory, [...snippets, wrong])
      assert.deepStrictEqual(found.map((problem) => problem.replace(/: Type .*$/, "")), ["here(2,7): error TS2322"])
    }), 120_000)
})

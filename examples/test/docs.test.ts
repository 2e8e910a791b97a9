import { assert, describe, it } from "@effect/vitest"
import * as Compiler from "@mailstream/testing/Compiler"
import * as Temporary from "@mailstream/testing/Temporary"
import { Array, Effect } from "effect"
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../", import.meta.url))
const here = fileURLToPath(new URL("../", import.meta.url))

interface Snippet {
  /** Its location, as in `README.md:30`. */
  readonly place: string
  readonly code: string
}

const fence = /^( \* | {2}|)```ts(?: twoslash)?\n([^]*?)\n\1```$/gm

/** The code blocks of a text; in sources they are prefixed by the stars of a comment, in lists they are indented. */
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

const guides = [
  "site/pages/index.md",
  ...readdirSync(`${root}site/pages/guides`).map((name) => `site/pages/guides/${name}`)
]

/** Where a snippet is compiled: `effect` is Effect 4 in the package for it, and Effect 3 here; `undici` is beside http. */
const homeOf = ({ code }: Snippet): string =>
  code.includes("\"@mailstream/effect4")
    ? `${root}packages/effect4/`
    : code.includes("from \"undici\"")
    ? `${root}packages/http/`
    : here

/** Makes a package, and everything that it can import, importable from a directory. */
const install = (home: string, directory: string): void => {
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

/** The compiler's errors in the snippets, by location. */
const problems = async (
  directory: string,
  home: string,
  snippets: ReadonlyArray<Snippet>
): Promise<ReadonlyArray<string>> => {
  install(home, directory)
  const files = new Map(snippets.map((snippet, index) => [`snippet-${index}.mts`, snippet]))
  const found = await Compiler.problems(
    directory,
    Object.fromEntries([...files].map(([name, { code }]) => [name, code])),
    {
      skipLibCheck: true,
      allowImportingTsExtensions: true,
      types: ["node"],
      typeRoots: [`${root}node_modules/@types`]
    }
  )
  return found.map((line) => line.replace(/^[^(]+/, (name) => files.get(name)?.place ?? name))
}

describe("the code in the documentation", () => {
  it.scoped("compiles, and a broken snippet would not", () =>
    Effect.gen(function*() {
      const snippets = [...readmes, ...guides, ...sources].flatMap(snippetsOf)
      assert.isAbove(snippets.length, 20)
      const wrong = ["@mailstream/http", "@mailstream/effect4"].map((name) => ({
        place: name,
        code: `import { Contacts } from "${name}"\nconst no: number = Contacts`
      }))
      const groups = Object.entries(Array.groupBy([...snippets, ...wrong], homeOf))
      const found = yield* Effect.forEach(groups, ([home, some]) =>
        Effect.flatMap(Temporary.directory, (directory) =>
          Effect.promise(() => problems(directory, home, some))))
      assert.sameMembers(
        found.flat().map((problem) =>
          problem.replace(/: Type .*$/, "")
        ),
        wrong.map(({ place }) => `${place}(2,7): error TS2322`)
      )
    }), 120_000)
})

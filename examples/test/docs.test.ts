import { assert, describe, it } from "@effect/vitest"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import ts from "typescript"

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
const problems = (snippets: ReadonlyArray<Snippet>): ReadonlyArray<string> => {
  const files = new Map(snippets.map((snippet, index) => [`${here}snippet-${index}.ts`, snippet]))
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleDetection: ts.ModuleDetectionKind.Force,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUnusedLocals: false,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    types: ["node"],
    typeRoots: [`${root}node_modules/@types`]
  }
  const host = ts.createCompilerHost(options)
  const { fileExists, readFile } = host
  host.fileExists = (name) => files.has(name) || fileExists(name)
  host.readFile = (name) => files.get(name)?.code ?? readFile(name)
  const program = ts.createProgram([...files.keys()], options, host)
  return [...files].flatMap(([name, { place }]) =>
    ts.getPreEmitDiagnostics(program, program.getSourceFile(name)).map(
      (diagnostic) => `${place}: ${ts.flattenDiagnosticMessageText(diagnostic.messageText, "\n")}`
    )
  )
}

describe("the code in the documentation", () => {
  it("compiles, and a broken snippet would not", { timeout: 120_000 }, () => {
    const snippets = [...readmes, ...sources].flatMap(snippetsOf)
    assert.isAbove(snippets.length, 20)
    const wrong = { place: "here", code: `import { Contacts } from "@mailstream/http"\nconst no: number = Contacts` }
    assert.deepStrictEqual(
      problems([...snippets, wrong]).map((problem) => problem.replace(/^(here: Type ).*$/s, "$1")),
      [
        "here: Type "
      ]
    )
  })
})

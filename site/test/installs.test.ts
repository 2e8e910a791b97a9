import { assert, describe, it } from "@effect/vitest"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, posix } from "node:path"
import * as Links from "../links.ts"

const read = (file: string): string => readFileSync(join(Links.root, file), "utf8")

const pages = [
  "README.md",
  ...readdirSync(join(Links.root, "packages")).map((name) => `packages/${name}/README.md`),
  ...readdirSync(join(Links.root, "site/pages")).filter((name) => name.endsWith(".md")).map((name) =>
    `site/pages/${name}`
  ),
  ...readdirSync(join(Links.root, "site/pages/guides")).map((name) => `site/pages/guides/${name}`)
].filter((file) => existsSync(join(Links.root, file)))

/** A command, in a block, in a sentence or in a comment, or a link to the commands of another page. */
const install = /npm install ((?:\\\n|[^\n`#])+)|\]\((\S+\.md)#install\)/g

/** A block of code, or a program that is shown. */
const code = /^ *```ts(?: twoslash)?\n([^]*?)\n *```$|^<<< (\S+\.ts)\{ts twoslash\}$/gm

/** The packages that a text says to install, as in `effect@3`. */
const installedIn = (file: string, text: string): ReadonlyArray<string> =>
  [...text.matchAll(install)].flatMap(([, command, page]) =>
    page === undefined
      ? command!.split(/[\s\\]+/).filter((word) => /^(@[\w-]+\/)?\w[\w-]*(@[\d.]+)?$/.test(word))
      : installedIn(page, read(posix.join(posix.dirname(file), page)))
  )

const nameOf = (installed: string): string => installed.replace(/(?<=.)@.*$/, "")

/** The packages that a program imports, and what their modules import if they can. */
const importedIn = (program: string): ReadonlyArray<string> =>
  [...program.matchAll(/^\s*(?:import|\}) .*?from "([^".][^"]*)"/gm)].flatMap(([, module = ""]) => {
    if (module.startsWith("node:")) return []
    const name = module.split("/").slice(0, module.startsWith("@") ? 2 : 1).join("/")
    return /^@mailstream\/(http|effect4)\/UndiciTransport$/.test(module) ? [name, "undici"] : [name]
  })

/** What programs of a page import, and nothing up to their end says to install. */
const missingIn = (file: string, text: string): ReadonlyArray<string> =>
  [...text.matchAll(code)].flatMap((match) => {
    const [block, snippet, program] = match
    const installed = installedIn(file, text.slice(0, match.index + block.length)).map(nameOf)
    const source = snippet ?? read(posix.join(posix.dirname(file), program!))
    const line = text.slice(0, match.index).split("\n").length
    return importedIn(source).filter((name) => !installed.includes(name)).map((name) => `${file}:${line}: ${name}`)
  })

/** What packages that a page says to install need beside them, and it does not say to install. */
const peersMissingIn = (file: string, text: string): ReadonlyArray<string> => {
  const installed = installedIn(file, text).map(nameOf)
  return installed.filter((name) => name.startsWith("@mailstream/")).flatMap((name) => {
    const { peerDependencies = {}, peerDependenciesMeta = {} } = JSON.parse(
      read(`${name.replace("@mailstream", "packages")}/package.json`)
    )
    return Object.keys(peerDependencies)
      .filter((peer) => peerDependenciesMeta[peer]?.optional !== true && !installed.includes(peer))
      .map((peer) => `${file}: ${peer}, for ${name}`)
  })
}

it("no page has the marks of a merge", () => {
  const marked = [
    ...pages,
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "SUPPORT.md",
    "torture/RESULTS.md",
    "benchmarks/RESULTS.md"
  ]
    .filter((file) => /^(<<<<<<< |=======$|>>>>>>> )/m.test(read(file)))
  assert.deepStrictEqual(marked, [])
})

describe("what the pages say to install", () => {
  it("is enough for the programs below it", () => {
    assert.deepStrictEqual(pages.flatMap((file) => missingIn(file, read(file))), [])
    const program = "```ts\nimport {\n  Contacts\n} from \"@mailstream/http\"\nimport { Effect } from \"effect\"\n```"
    assert.deepStrictEqual(missingIn("a.md", `${program}\n\nnpm install effect@3\n\n${program}`), [
      "a.md:1: @mailstream/http",
      "a.md:1: effect",
      "a.md:10: @mailstream/http"
    ])
    assert.deepStrictEqual(missingIn("a.md", `Call \`npm install @mailstream/http \\\n  effect@3\`.\n${program}`), [])
  })

  it("includes the peers of its packages", () => {
    assert.deepStrictEqual(pages.flatMap((file) => peersMissingIn(file, read(file))), [])
    assert.deepStrictEqual(peersMissingIn("a.md", "npm install @mailstream/http effect@3"), [
      "a.md: @effect/platform, for @mailstream/http"
    ])
  })

  it("has the versions that everything is tested with", () => {
    const tested = [...read("pnpm-workspace.yaml").matchAll(/^ +"?([^\s":]+)"?: \^(\d\S*)$/gm)]
      .map(([, name, version]) => `${name}@${version}.`)
    const versions = new Set(pages.flatMap((file) => installedIn(file, read(file))).filter((word) => /.@/.test(word)))
    assert.includeMembers([...versions], ["effect@3", "effect@4", "vitest@3"])
    const unknown = [...versions].filter((word) => !tested.some((version) => version.startsWith(`${word}.`)))
    assert.deepStrictEqual(unknown, [])
    assert.isFalse(tested.some((version) => version.startsWith("effect@2.")))
  })
})

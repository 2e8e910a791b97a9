/**
 * The reference: what typedoc wrote, with modules under the names by which they are imported, their introductions, and the
 * READMEs of packages.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { basename, dirname, join, posix, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { pages as home, root } from "../links.ts"

/** Where typedoc has written, as in `typedoc.json`. */
const written = fileURLToPath(new URL("../node_modules/.cache/api/@mailstream/", import.meta.url))

interface Manifest {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly exports: Readonly<Record<string, string | null>>
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(root, "packages", folder, "package.json"), "utf8"))

interface Module {
  /** Its page, in the folder of its package. */
  readonly page: string
  /** The name under which it is imported. */
  readonly name: string
  /** What its source says about it, before the first import. */
  readonly introduction: string
  readonly text: string
}

/** typedoc counts on if a name is taken, as that of the page of the package is. */
const renamed = (text: string): string => text.replaceAll(/\bindex-1\.md/g, "all.md")

const introductionOf = (source: string): string =>
  (/^(?:\/\/\/.*\n)*\/\*\*\n([^]*?)\n \*\//.exec(source)?.[1] ?? "")
    .replaceAll(/^ \* ?/gm, "")
    .replace(/^@since [^]*$/m, "")
    .replace(/^Generated from the table of lists.*$/m, "")
    .trim()

/** Type parameters are in the signature already, and nothing else is said about most of them. */
const withoutBareTypeParameters = (text: string): string =>
  text.replaceAll(/^#+ Type Parameters\n\n\| Type Parameter \|\n\| -+ \|\n(?:\|.*\n)+\n/gm, "")

/** typedoc takes the class of another package that an interface extends for a constructor, which nothing on the page is. */
const withoutLinksToConstructors = (text: string): string =>
  text.replaceAll(/\[(`[^`]+`)\]\(#constructor[a-z]+\)/g, "$1")

const moduleOf = (folder: string, file: string): Module => {
  const { exports, name } = manifestOf(folder)
  const path = file.replace(/\.md$/, "").replace(/^index-1$/, "index")
  const entry = Object.entries(exports).find(([, source]) => source === `./src/${path}.ts`)?.[0] ?? `./${path}`
  const text = readFileSync(join(written, folder, file), "utf8").replace(/^# .*\n/, "")
  return {
    page: renamed(file),
    name: posix.join(name, entry),
    introduction: introductionOf(readFileSync(join(root, "packages", folder, "src", `${path}.ts`), "utf8")),
    text: renamed(withoutLinksToConstructors(withoutBareTypeParameters(text)))
  }
}

const pageOf = ({ introduction, name, text }: Module): string => `# ${name}\n\n${introduction}\n${text}`

const row = ({ introduction, name, page }: Module): string =>
  `| [\`${name}\`](./${page}) | ${introduction.split("\n\n")[0]?.replaceAll("\n", " ") ?? ""} |`

/** A README without its heading, with links that are relative to its new place. */
const readmeOf = (folder: string): string => {
  const path = join(root, "packages", folder, "README.md")
  return readFileSync(path, "utf8")
    .replace(/^# .*\n/, "")
    .replace(/\n.*Part of\s+\[Mailstream\].*\n$/, "\n")
    .replaceAll(
      /(\]\()(?![a-z]+:|\/|#)([^)\s]+)/g,
      (_, start, href) =>
        start + relative(join(home, "api/@mailstream", folder), join(dirname(path), href)).replaceAll("\\", "/")
    )
}

const overviewOf = (folder: string, modules: ReadonlyArray<Module>): string => {
  const { name, version } = manifestOf(folder)
  const table = ["| module | contents |", "|---|---|", ...modules.map(row)].join("\n")
  return `# ${name} <Badge type="info" text="${version}" />\n${readmeOf(folder)}\n## Modules\n\n${table}\n`
}

const filesOf = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(written, folder), { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".md") && file !== "index.md")
    .sort((a, b) => basename(a).localeCompare(basename(b)))

/** The pages, by path. */
export const pages = (): ReadonlyArray<readonly [path: string, text: string]> => {
  if (!existsSync(written)) throw new Error("There is no reference yet: run typedoc first.")
  const packages = readdirSync(written).map((folder) =>
    [
      folder,
      filesOf(folder).map((file) => moduleOf(folder, file))
    ] as const
  )
  const rows = packages.map(([folder]) => {
    const { description, name, version } = manifestOf(folder)
    return `| [\`${name}\`](./@mailstream/${folder}/index.md) | ${version} | ${description} |`
  })
  const index = `# API reference\n\n| package | version | contents |\n|---|---|---|\n${rows.join("\n")}\n`
  return [
    ["api/index.md", index],
    ...packages.flatMap(([folder, modules]) => [
      [`api/@mailstream/${folder}/index.md`, overviewOf(folder, modules)] as const,
      ...modules.map((module) => [`api/@mailstream/${folder}/${module.page}`, pageOf(module)] as const)
    ])
  ]
}

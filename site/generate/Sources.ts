/** A page for each file of the repository that another page links to. */
import { readFileSync } from "node:fs"
import { dirname, extname, join, relative } from "node:path"
import * as Links from "../links.ts"

const languages: Readonly<Record<string, string>> = { ".ts": "ts", ".mjs": "js", ".json": "json", ".yaml": "yaml" }

const fileLinks = (from: string, markdown: string): ReadonlyArray<readonly [file: string, link: Links.Link]> =>
  Links.linksIn(markdown).flatMap((link) => {
    const file = Links.fileOf(from, link)
    return file === undefined ? [] : [[file, link] as const]
  })

/** Markdown stays Markdown, with links that are relative to its new place; everything else is shown as code. */
const page = (file: string): string => {
  const path = join(Links.root, file)
  const text = readFileSync(path, "utf8")
  if (extname(file) === ".md") {
    const home = dirname(join(Links.pages, "source", Links.placeOf(file)))
    const moved = text.replaceAll(
      /(\]\()(?![a-z]+:|\/|#)([^)\s]+)/g,
      (_, start, href) => `${start}${relative(home, join(dirname(path), href)).replaceAll("\\", "/")}`
    )
    return `---\nsearch: false\n---\n\n${moved}`
  }
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([{ length }]) => length))
  const fence = "`".repeat(longest + 1)
  return `---\nsearch: false\npageClass: source\naside: false\n---\n\n# ${file}\n\n${fence}${
    languages[extname(file)] ?? "txt"
  } source\n${text.trimEnd()}\n${fence}\n`
}

/** The pages, by path, for the links in other pages and in each other. Throws if a file or a passage does not exist. */
export const pages = (from: ReadonlyArray<string>): ReadonlyArray<readonly [path: string, text: string]> => {
  const found = new Map<string, string>()
  const visit = (path: string, markdown: string): void => {
    for (const [file, link] of fileLinks(path, markdown)) {
      const problem = Links.problemOf(file, link)
      if (problem !== undefined) throw new Error(`${relative(Links.root, path)}: ${problem}`)
      const shown = Links.shown(file)
      if (!Links.isSource(file) || found.has(shown)) continue
      found.set(shown, page(shown))
      if (extname(shown) === ".md") visit(join(Links.root, shown), readFileSync(join(Links.root, shown), "utf8"))
    }
  }
  for (const path of from) visit(path, readFileSync(path, "utf8"))
  return [...found].map(([file, text]) => [`source/${Links.placeOf(file)}.md`, text])
}

/**
 * Links from the pages of this site to files of the repository. In Markdown they are relative paths, which work wherever
 * the repository is shown; here, each such file becomes a page below `/source/`.
 *
 * The title of a link is a passage of the file, usually the name of a test: `[test](../Walk.test.ts "is empty for …")`.
 * It is highlighted where the link leads to. Markdown is shown without its lines: a link leads to one of its headings,
 * `[inbox](../README.md#the-inbox)`. A file, a passage or a heading that does not exist fails the build.
 */
import { existsSync, readFileSync, statSync } from "node:fs"
import { dirname, extname, join, posix, relative, sep } from "node:path"
import { fileURLToPath } from "node:url"

/** The root of the repository. */
export const root: string = fileURLToPath(new URL("../", import.meta.url))

/** The folder of the pages. */
export const pages: string = fileURLToPath(new URL("pages/", import.meta.url))

export interface Link {
  readonly href: string
  readonly title: string | undefined
}

const fences = /^(`{3,})[^]*?^\1/gm
const link = /\]\((?<href>[^)\s]+)(?: "(?<title>[^"]*)")?\)/g

/** The links of a Markdown text, except for those in code. */
export const linksIn = (markdown: string): ReadonlyArray<Link> =>
  [...markdown.replace(fences, "").replace(/`[^`\n]*`/g, "").matchAll(link)].map(({ groups }) => ({
    href: groups?.["href"] ?? "",
    title: groups?.["title"]
  }))

const isRelative = (href: string): boolean => !/^([a-z]+:|\/|#)/.test(href)

/** The path of a file in the repository, with `/` on every system. */
const inRepository = (file: string): string => relative(root, file).split(sep).join(posix.sep)

/** The file of the repository that a link in another file leads to; `undefined` if it leads to a page or elsewhere. */
export const fileOf = (from: string, { href }: Link): string | undefined => {
  if (!isRelative(href)) return undefined
  const file = join(dirname(from), href.replace(/[?#].*$/, ""))
  return file.startsWith(pages) ? undefined : inRepository(file)
}

/** Files that are pages of their own. */
const own = (file: string): string | undefined => {
  if (file === "README.md") return "/"
  const name = /^packages\/([^/]+)(\/README\.md)?\/?$/.exec(file)?.[1]
  return name === undefined || name === "cli" || name === "kernel" ? undefined : `/api/@mailstream/${name}/`
}

/** The file that is shown for a path: a folder is shown by its README, or by its results. */
export const shown = (file: string): string => {
  const candidates = [posix.join(file, "README.md"), posix.join(file, "RESULTS.md")]
  return candidates.find((candidate) => existsSync(join(root, candidate))) ?? file
}

/** Whether a text in Markdown has a heading with this anchor. */
const hasHeading = (file: string, anchor: string): boolean =>
  [...readFileSync(join(root, file), "utf8").matchAll(/^#+ (.+)$/gm)]
    .some(([, heading = ""]) => heading.toLowerCase().replaceAll(/[^\w -]+/g, "").replaceAll(" ", "-") === anchor)

/** What is wrong with a link to a file. */
export const problemOf = (file: string, { href, title }: Link): string | undefined => {
  if (!statSync(join(root, shown(file)), { throwIfNoEntry: false })?.isFile()) return `${file} cannot be shown`
  const anchor = /#(.+)$/.exec(href)?.[1]
  if (anchor !== undefined && !hasHeading(shown(file), anchor)) return `${file} has no heading: ${anchor}`
  if (title !== undefined && extname(shown(file)) === ".md") return `${file} has no lines, but headings: ${title}`
  if (title !== undefined && lineOf(file, title) === undefined) return `${file} does not contain: ${title}`
  return undefined
}

/** The number of the first line with a passage. */
const lineOf = (file: string, passage: string): number | undefined => {
  const index = readFileSync(join(root, shown(file)), "utf8").split("\n").findIndex((line) => line.includes(passage))
  return index === -1 ? undefined : index + 1
}

/** Where a file is shown, below `/source/`: VitePress does not look into folders whose names begin with a dot. */
export const placeOf = (file: string): string => file.replaceAll(/(^|\/)\./g, "$1").replace(/\.md$/, "")

/** Where a link to a file leads on this site. */
export const urlOf = (file: string, { href, title }: Link): string => {
  const url = own(file) ?? `/source/${placeOf(shown(file))}.html`
  const line = title === undefined ? undefined : lineOf(file, title)
  return line === undefined ? url + (/#.*$/.exec(href)?.[0] ?? "") : `${url}#L${line}`
}

/** Whether a file is shown as a page below `/source/`. */
export const isSource = (file: string): boolean => own(file) === undefined

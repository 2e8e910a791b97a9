/** The sidebars: guides in reading order, errors and modules as they were generated. */
import { readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import type { DefaultTheme } from "vitepress"
import { guides as chapters } from "../guides.ts"
import { pages } from "../links.ts"

type Item = DefaultTheme.SidebarItem

/** The heading of a page. */
const titleOf = (page: string): string =>
  (/^# (.+)$/m.exec(readFileSync(join(pages, page), "utf8"))?.[1] ?? basename(page, ".md")).replaceAll(
    /[\\`]| <.*$/g,
    ""
  )

/** The pages in a folder and below it, except for its index. */
const pagesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(pages, folder), { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => name.endsWith(".md") && name !== "index.md")
    .sort((a, b) => basename(a).localeCompare(basename(b)))
    .map((name) => `${folder}/${name}`)

const item = (page: string, text: string = titleOf(page)): Item => ({ text, link: `/${page.replace(/\.md$/, "")}` })

export const guides: Array<Item> = [
  ...chapters.map(({ names, title }) => ({ text: title, items: names.map((name) => item(`guides/${name}.md`)) })),
  { text: "Operations", items: [item("runbook.md")] }
]

const tags = pagesIn("e").map((page) => item(page))
const isOfApi = ({ text = "" }: Item): boolean => text === text.toLowerCase()

export const errors: Array<Item> = [
  { text: "All errors", link: "/e/" },
  { text: "Of the API", items: tags.filter(isOfApi) },
  { text: "Of the library", items: tags.filter((tag) => !isOfApi(tag)) }
]

const modules = readdirSync(join(pages, "api/@mailstream")).map((name): Item => ({
  text: `@mailstream/${name}`,
  link: `/api/@mailstream/${name}/`,
  collapsed: true,
  items: pagesIn(`api/@mailstream/${name}`).map((page) => item(page, titleOf(page).replace(`@mailstream/${name}/`, "")))
}))

export const api: Array<Item> = [item("telemetry.md"), ...modules]

/** Markdown for links to files of the repository, and for the pages that show them. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { MarkdownOptions, MarkdownRenderer } from "vitepress"
import * as Links from "../links.ts"

/** A drawing without the colors that it has as a file: those of the page replace them, also when it is dark on demand. */
const inlined = (file: string): string => {
  const svg = readFileSync(join(Links.root, file), "utf8").replace(/<style>[^]*?<\/style>\n/, "").trim()
  return `<span class="plot" tabindex="0" v-pre>${svg}</span>`
}

/** Lets relative links to files of the repository lead to their pages, and puts the plots of benchmarks into the page. */
export const links = (markdown: MarkdownRenderer): void => {
  markdown.core.ruler.push("repository", ({ env, tokens }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      if (token.type === "image") {
        const file = Links.fileOf(env.path, { href: token.attrGet("src") ?? "", title: undefined })
        if (file === undefined || !/^benchmarks\/.*\.svg$/.test(file)) continue
        token.type = "html_inline"
        token.content = inlined(file)
      }
      if (token.type !== "link_open") continue
      const link = { href: token.attrGet("href") ?? "", title: token.attrGet("title") ?? undefined }
      const file = Links.fileOf(env.path, link)
      if (file === undefined) continue
      const problem = Links.problemOf(file, link)
      if (problem !== undefined) throw new Error(`${env.relativePath}: ${problem}`)
      token.attrSet("href", Links.urlOf(file, link))
      token.attrJoin("class", "to-source")
    }
  })
}

/** Shows braces as they are: two of them would begin an expression of the page. */
export const braces = ({ renderer: { rules } }: MarkdownRenderer): void => {
  for (const name of ["text", "code_inline"]) {
    const rule = rules[name]
    if (rule === undefined) throw new Error(`Markdown is rendered in another way: there is no rule for ${name}`)
    rules[name] = (...args) => rule(...args).replaceAll("{{", "&#123;&#123;")
  }
}

/** Gives the lines of files their numbers as anchors. */
export const lines: NonNullable<MarkdownOptions["codeTransformers"]>[number] = {
  name: "lines",
  line(node, line) {
    if (/\bsource\b/.test(this.options.meta?.__raw ?? "")) node.properties["id"] = `L${line}`
  }
}

import { defineConfig } from "vitepress"
import * as Repository from "./repository.ts"
import { samples } from "./samples.ts"
import * as Sidebar from "./sidebar.ts"

export default defineConfig({
  title: "Mailstream",
  description: "A TypeScript library for an email service's HTTP API: every list as a lazy stream",
  lang: "en",
  srcDir: "pages",
  outDir: "../docs",
  cacheDir: "node_modules/.cache/vitepress",
  head: [["link", { rel: "icon", href: "/icon.svg", type: "image/svg+xml" }]],
  markdown: {
    config: (markdown) => {
      Repository.links(markdown)
      Repository.braces(markdown)
    },
    codeTransformers: [samples, Repository.lines]
  },
  themeConfig: {
    nav: [
      { text: "Guides", link: "/guides/first-walk", activeMatch: "^/guides/" },
      { text: "Errors", link: "/e/", activeMatch: "^/e/" },
      { text: "API reference", link: "/api/", activeMatch: "^/api/" },
      { text: "Benchmarks", link: "/benchmarks" }
    ],
    sidebar: {
      "/guides/": Sidebar.guides,
      "/e/": Sidebar.errors,
      "/api/": Sidebar.api,
      "/telemetry": Sidebar.api,
      "/runbook": Sidebar.guides
    },
    outline: [2, 3],
    search: {
      provider: "local",
      options: {
        // Prose, names and signatures are searched for; programs would only repeat them.
        _render: (source, env, markdown) => {
          // The index has texts alone. Colours take minutes.
          markdown.set({ highlight: null })
          const html = markdown.render(source.replaceAll(/^<<<.*$|^```ts twoslash[^]*?^```$/gm, ""), env)
          return env.frontmatter?.["search"] === false ? "" : html
        }
      }
    },
    docFooter: { prev: "Previous", next: "Next" }
  },
  vite: { build: { chunkSizeWarningLimit: 4000 } }
})

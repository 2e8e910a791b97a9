/**
 * `npm run docs`: the documentation, in `docs`; `npm run docs -- --serve` also serves it. What it is built with is installed
 * in `site`, outside the workspace, so that nothing else waits for it.
 */
import "./setup.mjs"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { install } from "./install.mjs"
import { bin, node, root } from "./processes.mjs"

/** Ends the script if a step failed. */
const must = async (step) => {
  const code = await step
  if (code !== 0) process.exit(code)
}

/** Runs a command of a package that is installed in `site`, there. */
const site = (name, ...args) =>
  node([bin(name, name === "typescript" ? "tsc" : name, "site"), ...args], { cwd: join(root, "site") })

await install("site")

// What typedoc reads from other packages.
const projects = readdirSync(join(root, "packages"))
  .map((name) => join("packages", name, "tsconfig.src.json"))
  .filter((path) => existsSync(join(root, path)))
await must(node([bin("@typescript/native", "tsc"), "-b", ...projects]))

await must(site("typedoc"))
await must(node(["--import", "tsx", "site/generate/main.ts"]))
await must(site("typescript", "-p", ".vitepress"))
await must(site("vitepress", "build"))

if (process.argv.includes("--serve")) await must(site("vitepress", "preview"))

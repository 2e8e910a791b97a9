/**
 * `npm run docs`: the documentation, in `docs`; `npm run docs -- --serve` also serves it, on port 4173 or that of `--port N`.
 * What it is built with is installed in `site`, outside the workspace, so that nothing else waits for it.
 */
import "./setup.mjs"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { install } from "./install.mjs"
import { bin, node, root } from "./processes.mjs"
import { bindOrExit } from "./serve.mjs"

const usage = () => {
  process.stderr.write("Usage: npm run docs -- [--serve [--port N]], with a port from 0 to 65535.\n")
  process.exit(2)
}

/** What was asked for. */
const given = () => {
  try {
    return parseArgs({ options: { serve: { type: "boolean" }, port: { type: "string" } } }).values
  } catch {
    return usage()
  }
}

const { port = "4173", serve = false } = given()
if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) usage()
const server = serve ? await bindOrExit(Number(port)) : undefined

/** Ends the script if a step failed. */
const must = async (step) => {
  const code = await step
  if (code !== 0) process.exit(code)
}

/**
 * How many megabytes of heap a command may have, and of that for what is new: the bundler of the pages needs more than Node's 4 GB, and
 * would spend a fifth of its time on collecting garbage.
 */
const memory = ["--max-old-space-size=8192", "--max-semi-space-size=128"]

/** Runs a command of a package that is installed in `site`, there. */
const site = (name, ...args) =>
  node([...memory, bin(name, name === "typescript" ? "tsc" : name, "site"), ...args], {
    cwd: join(root, "site")
  })

await install("site")

// What typedoc reads from other packages.
const projects = readdirSync(join(root, "packages"))
  .map((name) => join("packages", name, "tsconfig.src.json"))
  .filter((path) => existsSync(join(root, path)))
await must(node([bin("@typescript/native", "tsc"), "-b", ...projects]))

await must(site("typedoc"))
await must(node(["site/generate/main.ts"]))
await must(site("typescript", "-p", ".vitepress"))
await must(site("vitepress", "build"))

server?.show(join(root, "docs"))

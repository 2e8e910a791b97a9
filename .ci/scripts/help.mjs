/** What `-- --help` prints after a script of `package.json`: the comment at the top of its file. Nothing is installed for it. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./processes.mjs"

/** Files that list what can be named after a script. */
const named = {
  "torture/main.ts": ["Experiments", "torture/experiments.ts"],
  "benchmarks/main.ts": ["Parts", "benchmarks/parts.ts"]
}

/**
 * The file whose comment is the help for these arguments, if they ask for it. The program has a help of its own.
 *
 * @param {ReadonlyArray<string>} args
 * @returns {string | undefined}
 */
const fileOf = ([name = "", ...args]) => {
  if (!args.includes("--help") && !args.includes("-h")) return undefined
  if (name !== "mailstream") return name.includes("/") ? name : `.ci/scripts/${name}.mjs`
  return process.env["npm_lifecycle_event"] === "start" ? "packages/cli/src/commands/Demo.ts" : undefined
}

/**
 * Prints the help if the arguments ask for it, and returns whether they do.
 *
 * @param {ReadonlyArray<string>} args
 */
export const asked = (args) => {
  const file = fileOf(args)
  if (file === undefined) return false
  const [, comment = ""] = /^\/\*\*\s*([^]*?)\s*\*\//.exec(readFileSync(join(root, file), "utf8")) ?? []
  const lines = comment.split("\n").map((line) => line.replace(/^\s*\* ?/, ""))
  const [title, list = ""] = named[file] ?? []
  const names = list === ""
    ? []
    : [...readFileSync(join(root, list), "utf8").matchAll(/import\("\.\/\w+\/([^"]+)\.ts"\)/g)].map(([, name]) => name)
  process.stdout.write([...lines, ...(title === undefined ? [] : ["", `${title}: ${names.join(", ")}`]), ""].join("\n"))
  return true
}

/**
 * `node .ci/scripts/run.mjs NAME [ARGS]`: what the scripts of `package.json` run. `NAME` is a script of this folder, or the path
 * of a program in TypeScript, for which everything is installed first. With `--help`, the comment at its top is printed instead.
 *
 * This file and what it imports run on Node 20, too: on a Node that is too old for Mailstream, it continues on a newer one.
 */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { asked } from "./help.mjs"
import { root } from "./processes.mjs"
import * as Runtime from "./runtime.mjs"

const [name] = process.argv.slice(2)
const script = join(root, ".ci/scripts", `${name}.mjs`)
const isScript = existsSync(script)

if (asked(process.argv.slice(2))) process.exitCode = 0
else if (!Runtime.isSupported(process.versions.node)) await Runtime.continueOnNewerNode()
else {
  const file = isScript ? script : join(root, name)
  process.argv.splice(1, 2, file)
  if (!isScript) await import("./setup.mjs")
  await import(pathToFileURL(file).href)
}

/** After an installation: makes the compiler report floating effects, if it is installed. The program does not need it. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { bin, node, root } from "./processes.mjs"

const name = "@effect/language-service"

if (existsSync(join(root, "node_modules", name))) {
  process.exitCode = await node([bin(name, "effect-language-service"), "patch"])
}

/** Generates core for Effect 4, from core for Effect 3. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { formatted } from "./format.ts"
import { operations } from "./operations.ts"
import { root } from "./table.ts"
import { translated } from "./translate.ts"

const from = "packages/core/src"
const to = "packages/effect4/src/core"

/** Modules that are written by hand for each version of Effect: what the others are made of. */
const handWritten = ["ApiError.ts", "Id.ts", "Timestamp.ts", "Wire.ts"]

/** Modules in `internal` that are the same for both. */
const pure = ["internal/ref.ts", "internal/text.ts"]

const isModule = (name: string): boolean => name.endsWith(".ts")

const modules = [
  ...readdirSync(join(root, from)).filter((name) => isModule(name) && !handWritten.includes(name)),
  ...pure
]

/** As it will be: one of them is generated, too. */
const sourceOf = (name: string): string =>
  name === "Operations.ts" ? operations : readFileSync(join(root, from, name), "utf8")

const moduleOf = (name: string): string => formatted(name, translated(name, sourceOf(name)))

/** The modules, by their paths below the repository's root. */
export const effect4Core: ReadonlyMap<string, string> = new Map(
  modules.map((name) => [`${to}/${name}`, moduleOf(name)])
)

/** Modules that core no longer has. */
export const staleCore: ReadonlyArray<string> = readdirSync(join(root, to))
  .filter((name) => isModule(name) && !handWritten.includes(name))
  .map((name) => `${to}/${name}`)
  .filter((path) => !effect4Core.has(path))

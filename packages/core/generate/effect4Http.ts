/** Generates the services for Effect 4, from those for Effect 3: only what they import differs. */
import { formatted } from "./format.ts"
import { methods, methodTables, services } from "./services.ts"

/** Imports are relative, which changes their order; examples import the package. */
const moved = (text: string): string =>
  formatted(
    "Module.ts",
    text
      .replace(/^(?! \*)(.*)from "@mailstream\/core\/(\w+)"$/gm, "$1from \"../core/$2.ts\"")
      .replace(/^(?! \*)(.*)from "@mailstream\/core"$/gm, "$1from \"../core/index.ts\"")
      .replace(/"@mailstream\/(core|http)"/g, "\"@mailstream/effect4\"")
  )

/** The modules, by their paths below the repository's root. */
export const effect4Http: ReadonlyMap<string, string> = new Map([
  ["packages/effect4/src/http/Methods.ts", moved(methods)],
  ["packages/effect4/src/http/Services.ts", moved(services)],
  ["packages/effect4/test/types/tables.ts", methodTables.replace("@mailstream/core", "@mailstream/effect4")]
])

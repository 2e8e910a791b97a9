/** The reports about all packages. */
import * as Compiler from "@mailstream/testing/Compiler"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { report } from "./Report.ts"

const packages = fileURLToPath(new URL("../../packages", import.meta.url))

/** The packages that export modules, with the file of each report and what it should say. */
export const reports = async (): Promise<ReadonlyArray<{ readonly file: string; readonly text: string }>> => {
  const directories = readdirSync(packages)
    .map((name) => join(packages, name))
    .filter((directory) => existsSync(join(directory, "tsconfig.src.json")))
  const found = []
  for (const directory of directories) {
    await Compiler.build(join(directory, "tsconfig.src.json"))
    const text = report(directory)
    if (text !== undefined) found.push({ file: join(directory, "api.md"), text })
  }
  return found
}

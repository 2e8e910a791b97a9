/** Bundles the program for `npm run mailstream` into a directory, and lists the files of other packages in the bundle. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { bundle } from "./bundle.ts"

const [directory = ""] = process.argv.slice(2)
const { inputs } = await bundle(directory, { drivers: "path", extension: ".mjs" })
writeFileSync(
  join(directory, "packages.json"),
  // Not modules that were replaced, which have a name before their path.
  JSON.stringify(Object.keys(inputs).filter((path) => /^[^:]*node_modules\//.test(path)))
)

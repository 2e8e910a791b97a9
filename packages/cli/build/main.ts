/** Builds the package in place: `npm run build` packs it. */
import { licenses } from "@mailstream/testing/Bundle"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { bundle } from "./bundle.ts"

const dist = fileURLToPath(new URL("../dist", import.meta.url))
const metafile = await bundle(dist, { drivers: "name", extension: ".js" })
writeFileSync(join(dist, "THIRD-PARTY.txt"), licenses(metafile))

/** Builds the package in place: `npm run build` packs it. */
import { fileURLToPath } from "node:url"
import { bundle } from "./bundle.ts"

await bundle(fileURLToPath(new URL("../dist", import.meta.url)))

/** The section of the changelog about the version of this checkout. */
import { notesOf, published } from "./versions.mjs"

const [{ manifest: { version } }] = published()
process.stdout.write(notesOf(version).replace(/^## .*\n+/, ""))

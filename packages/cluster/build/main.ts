/** Puts the files of the status page into the built module that reads them: those who bundle it need no other file. */
import { withTexts } from "@mailstream/testing/Bundle"
import { readFileSync, writeFileSync } from "node:fs"

const built = new URL("../dist/internal/page.js", import.meta.url)
const code = withTexts(readFileSync(built, "utf8"), new URL("../src/internal/page.ts", import.meta.url))
if (code.includes("readFileSync(")) throw new Error("The status page would still be read from files.")
writeFileSync(built, code)

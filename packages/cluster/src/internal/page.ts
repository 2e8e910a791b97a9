/** The status page: three files, without a framework, and with nothing in them that a policy would have to allow. */
import { readFileSync } from "node:fs"

// What is published, and whatever else is bundled, has the texts in place of these calls.
export const html: string = readFileSync(new URL("../page/status.html", import.meta.url), "utf8")
export const css: string = readFileSync(new URL("../page/status.css", import.meta.url), "utf8")
export const js: string = readFileSync(new URL("../page/status.js", import.meta.url), "utf8")

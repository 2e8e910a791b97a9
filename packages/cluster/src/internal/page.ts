/** The status page: a few files, without a framework, and with nothing in them that a policy would have to allow. */
import { css as design } from "@mailstream/kernel/Design"
import { readFileSync } from "node:fs"

// What is published, and whatever else is bundled, has the texts in place of these calls.
const html: string = readFileSync(new URL("../page/status.html", import.meta.url), "utf8")
const css: string = readFileSync(new URL("../page/status.css", import.meta.url), "utf8")
const status: string = readFileSync(new URL("../page/status.js", import.meta.url), "utf8")
const charts: string = readFileSync(new URL("../page/charts.js", import.meta.url), "utf8")
const texts: string = readFileSync(new URL("../page/texts.js", import.meta.url), "utf8")

/** What is served, by its path. */
export const files: ReadonlyArray<{ readonly path: `/${string}`; readonly type: string; readonly body: string }> = [
  { path: "/", type: "text/html", body: html },
  { path: "/design.css", type: "text/css", body: design },
  { path: "/status.css", type: "text/css", body: css },
  { path: "/status.js", type: "text/javascript", body: status },
  { path: "/charts.js", type: "text/javascript", body: charts },
  { path: "/texts.js", type: "text/javascript", body: texts }
]

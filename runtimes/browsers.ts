/** Pages in Debian's Chromium, bundled with esbuild and with Vite, under a strict content security policy. */
import type { CommandExecutor } from "@effect/platform/CommandExecutor"
import { Effect } from "effect"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Browser, chromium } from "playwright-core"
import * as App from "./app.ts"
import { type Door, doors } from "./doors.ts"
import * as Installed from "./installed.ts"
import type { Report } from "./program/Check.ts"
import * as Row from "./Row.ts"

const executablePath = "/usr/bin/chromium"

type Bundle = (door: Door, app: string, out: string) => Effect.Effect<void, Installed.Failed, CommandExecutor>

type Bundler = Effect.Effect<Bundle, Installed.Unavailable, CommandExecutor>

const html = `<!doctype html><meta charset="utf-8"><title>Contacts</title>
<body><script type="module" src="./main.js"></script></body>`

const esbuild: Bundler = Effect.succeed(({ name }, app, out) =>
  Effect.zipRight(
    App.bundle(app, name, "inPage", join(out, "main.js")),
    Effect.sync(() => writeFileSync(join(out, "index.html"), html))
  )
)

/** Vite alone would take a bundler that not every mirror has for every machine. */
const vite: Bundler = Effect.map(
  Installed.program("vite@8.3.8", "vite", "rolldown@1.2.18"),
  (bin) => ({ name }, app, out) =>
    Effect.gen(function*() {
      const root = join(app, "sources", name)
      mkdirSync(root, { recursive: true })
      writeFileSync(join(root, "index.html"), html)
      writeFileSync(join(root, "main.js"), App.entry(name, "inPage", "../../program"))
      const args = ["build", root, "--outDir", out, "--emptyOutDir", "--base", "./", "--logLevel", "error"]
      const finished = yield* Installed.run([bin, ...args], { cwd: root })
      if (finished.code !== 0) return yield* new Installed.Failed({ message: Installed.complaint(finished) })
    })
)

const visit = (
  browser: Browser,
  bundler: string,
  { name }: Door,
  setting: App.Setting
): Effect.Effect<Report, Installed.Failed> =>
  Effect.tryPromise({
    try: async () => {
      const page = await browser.newPage()
      const complaints: Array<string> = []
      page.on("pageerror", ({ message }) => complaints.push(message))
      page.on("console", (message) => message.type() === "error" && complaints.push(message.text()))
      const settings = JSON.stringify({
        ...Row.settingsFor(setting, "chromium", bundler, name),
        otherOrigin: setting.otherOrigin
      })
      await page.goto(`${setting.origin}/${bundler}/${name}/?settings=${encodeURIComponent(settings)}`)
      const report = await page.locator("pre").textContent({ timeout: 600_000 }).catch(() => null)
      await page.close()
      return report === null ? { import: complaints.join(" ") || "no report" } : JSON.parse(report)
    },
    catch: (error) => new Installed.Failed({ message: String(error) })
  })

const browser = Effect.acquireRelease(
  Effect.tryPromise({
    try: () => chromium.launch({ executablePath, args: ["--no-sandbox"] }),
    catch: (error) => new Installed.Unavailable({ message: `Chromium does not start: ${String(error)}` })
  }),
  (browser) => Effect.promise(() => browser.close())
)

const make = (name: string, bundler: Bundler): Row.Runtime => ({
  name: `chromium-${name}`,
  title: `Chromium, bundled with ${name}`,
  rows: (setting) =>
    Effect.gen(function*() {
      if (!existsSync(executablePath)) {
        return yield* new Installed.Unavailable({ message: "Debian's Chromium is not installed" })
      }
      const bundle = yield* bundler
      const opened = yield* browser
      return yield* Effect.forEach(doors.filter(({ needs }) => needs === "nothing"), (door) =>
        bundle(door, setting.app(door.packages), join(setting.pages, name, door.name)).pipe(
          Effect.zipRight(visit(opened, name, door, setting)),
          Row.orError,
          Effect.map((report) => ({
            kind: "library",
            runtime: `Chromium, bundled with ${name}`,
            what: door.title,
            report
          }))
        ))
    }).pipe(Effect.scoped)
})

export const browsers: ReadonlyArray<Row.Runtime> = [make("esbuild", esbuild), make("vite", vite)]

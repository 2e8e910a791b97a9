/** A real browser, if the machine has one. */
import { Effect, type Scope } from "effect"
import { existsSync } from "node:fs"
import { type Browser, chromium } from "playwright-core"

const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync)

/** Why no browser can be started, for the name of a test that is skipped. */
export const missing: string | undefined = executablePath === undefined
  ? " (skipped: there is no Chromium on this machine)"
  : undefined

/** A browser that sends no requests of its own. */
export const browser: Effect.Effect<Browser, never, Scope.Scope> = Effect.acquireRelease(
  Effect.promise(() =>
    chromium.launch({
      executablePath: executablePath!,
      args: [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync"
      ]
    })
  ),
  (browser) => Effect.promise(() => browser.close())
)

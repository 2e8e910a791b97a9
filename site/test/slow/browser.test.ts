import { assert, describe, it } from "@effect/vitest"
import * as Browser from "@mailstream/testing/Browser"
import * as HttpServer from "@mailstream/testing/HttpServer"
import { Effect } from "effect"
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { extname, join } from "node:path"
import type { Page } from "playwright-core"
import * as Explanations from "../../../packages/cli/src/explain/Explanations.ts"
import { root } from "../../links.ts"

const docs = join(root, "docs")

const missing = Browser.missing ??
  (existsSync(join(docs, "index.html")) ? undefined : " (skipped: `npm run docs` builds what is tested)")

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".woff2": "font/woff2"
}

/** The file behind a path, as any host of static files finds it. */
const fileOf = (path: string): string | undefined =>
  [path, `${path}.html`, join(path, "index.html")]
    .map((candidate) => join(docs, candidate))
    .find((candidate) => statSync(candidate, { throwIfNoEntry: false })?.isFile())

const server = HttpServer.serve((request, response) => {
  const file = fileOf(decodeURIComponent(new URL(request.url ?? "/", "http://localhost").pathname))
  if (file === undefined) return response.writeHead(404).end()
  const type = types[extname(file)] ?? "application/octet-stream"
  // What is below `assets` has a hash in its name.
  const isForever = file.startsWith(join(docs, "assets"))
  response.writeHead(200, {
    "content-type": type,
    ...(isForever ? { "cache-control": "max-age=3600, immutable" } : {})
  })
  response.end(readFileSync(file))
})

/** A tab on the site, and everything that went wrong in it. */
const open = Effect.gen(function*() {
  const origin = yield* server
  const page = yield* Effect.flatMap(Browser.browser, (browser) => Effect.promise(() => browser.newPage()))
  const problems: Array<string> = []
  const say = (text: string) => problems.push(`${page.url()}: ${text}`)
  page.on("pageerror", (error) => say(error.message))
  page.on("console", (message) => (message.type() === "error" || message.type() === "warning") && say(message.text()))
  page.on(
    "request",
    (request) => !/^(data:|blob:)/.test(request.url()) && !request.url().startsWith(origin) && say(request.url())
  )
  page.on("response", (response) => response.status() >= 400 && say(`${response.status()} ${response.url()}`))
  return { origin, page, problems }
})

/** Every page, as a path. */
const paths = (): ReadonlyArray<string> =>
  readdirSync(docs, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".html") && name !== "404.html")
    .map((name) => `/${name.replaceAll("\\", "/")}`)

const inBrowser = <A>(use: (page: Page, origin: string) => Promise<A>) =>
  Effect.gen(function*() {
    const { origin, page, problems } = yield* open
    const result = yield* Effect.promise(() => use(page, origin))
    assert.deepStrictEqual(problems, [])
    return result
  })

describe.skipIf(missing !== undefined)(`the documentation in a browser${missing ?? ""}`, () => {
  it.scopedLive("loads every page without errors, and has no dead links", () =>
    Effect.gen(function*() {
      const all = paths()
      assert.isAbove(all.length, 150)
      const links = yield* inBrowser(async (page, origin) => {
        // Most of the time is spent on drawing.
        await page.setViewportSize({ width: 390, height: 200 })
        const found = new Map<string, string>()
        for (const path of all) {
          await page.goto(`${origin}${path}`)
          const links = await page.waitForFunction(() => {
            // Vue marks what it has taken over.
            const isRunning = "__vue_app__" in document.querySelector("#app")!
            return isRunning && document.querySelector(".VPContent") !== null &&
              Array.from(document.links, ({ href }) => href)
          })
          for (const href of await links.jsonValue() || []) {
            if (href.startsWith(origin)) found.set(href.slice(origin.length), path)
          }
        }
        return found
      })
      const texts = new Map<string, string>()
      const dead = [...links].filter(([href]) => {
        const { hash, pathname } = new URL(href, "http://localhost")
        const file = fileOf(decodeURIComponent(pathname))
        if (file === undefined) return true
        if (!texts.has(file)) texts.set(file, readFileSync(file, "utf8"))
        return hash !== "" && !texts.get(file)!.includes(`id="${decodeURIComponent(hash.slice(1))}"`)
      })
      assert.deepStrictEqual(dead.map(([href, from]) => `${from}: ${href}`), [])
    }), 900_000)

  it.scopedLive(
    "shows how a walk ended on its first page, without JavaScript and without motion",
    () =>
      Effect.gen(function*() {
        const { origin } = yield* open
        const browser = yield* Browser.browser
        const page = yield* Effect.promise(() =>
          browser.newPage({ javaScriptEnabled: false, reducedMotion: "reduce", viewport: { width: 390, height: 844 } })
        )
        yield* Effect.promise(() => page.goto(origin))
        const walk = page.locator(".walk")
        assert.include(yield* Effect.promise(() => walk.locator(".summary").innerText()), "10,000, each exactly once")
        assert.strictEqual(yield* Effect.promise(() => walk.locator(".pages i").count()), 100)
        assert.strictEqual(yield* Effect.promise(() => walk.locator(".pages .retried").count()), 3)
        const { height, width, x } = (yield* Effect.promise(() => walk.boundingBox()))!
        assert.isAbove(height, 200)
        assert.isAtMost(x + width, 390)
      }),
    120_000
  )

  it.scopedLive("fits a phone, plots of benchmarks included", () =>
    inBrowser(async (page, origin) => {
      await page.setViewportSize({ width: 390, height: 844 })
      for (
        const path of [
          "/",
          "/benchmarks.html",
          "/guides/observing.html",
          "/guides/following.html",
          "/e/rate_limit_exceeded.html",
          "/e/LockError.html"
        ]
      ) {
        await page.goto(`${origin}${path}`)
        assert.isAtMost(await page.evaluate(() => document.documentElement.scrollWidth), 390, path)
      }
    }), 120_000)

  it.scopedLive("colors plots as it is colored itself", () =>
    inBrowser(async (page, origin) => {
      await page.emulateMedia({ colorScheme: "light" })
      await page.goto(`${origin}/benchmarks.html`)
      const colors = () =>
        page.locator(".chart .title").first().evaluate((title) => [
          getComputedStyle(title).fill,
          getComputedStyle(document.querySelector("h1")!).color
        ])
      const [light, text] = await colors()
      assert.strictEqual(light, text)
      await page.locator(".VPNavBar .VPSwitchAppearance").first().click()
      await page.waitForFunction((before) => getComputedStyle(document.querySelector("h1")!).color !== before, text)
      const [dark, now] = await colors()
      assert.strictEqual(dark, now)
    }), 120_000)

  it.scopedLive("finds an error by its tag", () =>
    inBrowser(async (page, origin) => {
      await page.goto(origin)
      await page.locator("#local-search button").first().click()
      await page.locator("#localsearch-input").fill("validation_error")
      const first = page.locator(".VPLocalSearchBox .result").first()
      await first.waitFor()
      assert.match(await first.getAttribute("href") ?? "", /^\/e\/validation_error/)
    }), 120_000)

  it.scopedLive("is dark on demand, and remembers it", () =>
    inBrowser(async (page, origin) => {
      await page.goto(`${origin}/guides/first-walk.html`)
      const isDark = () => page.evaluate(() => document.documentElement.classList.contains("dark"))
      const before = await isDark()
      await page.locator(".VPNavBar .VPSwitchAppearance").first().click()
      assert.strictEqual(await isDark(), !before)
      await page.reload()
      assert.strictEqual(await isDark(), !before)
    }), 120_000)

  it.scopedLive("shows types on hover", () =>
    inBrowser(async (page, origin) => {
      await page.goto(`${origin}/guides/first-walk.html`)
      await page.locator(".twoslash-hover", { hasText: /^program$/ }).first().hover()
      const popup = page.locator(".twoslash-floating:visible").first()
      await popup.waitFor()
      assert.match(await popup.innerText(), /const program: Effect\.Effect<void, /)
    }), 120_000)

  it.scopedLive(
    "has the page of an error where the command-line program says it is",
    () =>
      inBrowser(async (page, origin) => {
        for (const tag of Object.keys(Explanations.all)) {
          await page.goto(`${origin}/e/${tag}`)
          assert.strictEqual(
            await page.locator("h1").innerText().then((text) => text.replaceAll("\u200b", "").trim()),
            tag
          )
        }
      }),
    300_000
  )
})

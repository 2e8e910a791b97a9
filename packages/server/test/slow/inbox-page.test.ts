import { assert, describe, it } from "@effect/vitest"
import { EmailId, Resource } from "@mailstream/core"
import { Server, Store } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import * as Browser from "@mailstream/testing/Browser"
import { found } from "@mailstream/testing/Eventually"
import { Clock, Effect, Exit, Redacted, Scope } from "effect"
import { elsewhere, open, type Page } from "../support/browser.ts"
import { post } from "../support/http.ts"
import { sendEmail } from "../support/inbox.ts"

const serving = Effect.provide(Server.layerTest())

const title = (text: string): string => `${text}${Browser.missing ?? ""}`

const test = it.scopedLive.skipIf(Browser.missing !== undefined)

const wait = (work: () => Promise<unknown>) => Effect.asVoid(Effect.promise(work))

const rows = (page: Page) => page.locator("#list a.item")

/** Waits until the list shows as many rows. */
const hasRows = (page: Page, count: number) =>
  wait(() =>
    page.waitForFunction((count) => document.querySelectorAll("#list a.item").length === count, count, {
      timeout: 10_000
    })
  )

/**
 * Opens an email, and returns the frame with its HTML: until it is loaded, the frame of another one may be shown. The mouse reaches
 * what is in it, which takes a while in a frame with a process of its own: a click that is lost would prove nothing.
 */
const openEmail = (page: Page, id: string) =>
  Effect.gen(function*() {
    yield* wait(() => page.evaluate((id) => (location.hash = `#/emails/${id}`), id))
    const element = yield* Effect.promise(() =>
      page.waitForSelector(`iframe.frame[src^="/inbox/api/emails/${id}/html"]`)
    )
    const frame = (yield* Effect.promise(() => element.contentFrame()))!
    yield* wait(() => frame.waitForLoadState("load"))
    const { width, x, y } = (yield* Effect.promise(() => element.boundingBox()))!
    const isReached = Effect.promise(async () => {
      await page.mouse.move(0, 0)
      await page.mouse.move(x + width - 5, y + 5)
      return frame.evaluate(() => document.documentElement.matches(":hover"))
    })
    yield* found("the mouse is over the email", isReached, (isReached) => isReached, 10)
    return frame
  })

/** Goes back to the list. */
const close = (page: Page) =>
  wait(async () => {
    await page.evaluate(() => (location.hash = "#/emails"))
    await page.getByText("Nothing is selected.").waitFor()
  })

describe("the page of the inbox", () => {
  test(title("says how to point an app at it, and shows what arrives by itself"), () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* Server.Address
      const { context, page, problems } = yield* open()
      yield* wait(() => context.grantPermissions(["clipboard-read", "clipboard-write"]))
      const start = yield* Effect.promise(() => page.locator(".start").innerText())
      for (const text of [`RESEND_BASE_URL=${baseUrl}`, "@mailstream/client", "Mailstream.layer"]) {
        assert.include(start, text)
      }
      yield* wait(() => page.getByRole("button", { name: "Copy: An app that uses the resend SDK" }).click())
      yield* wait(() => page.getByText("Copied").waitFor())
      assert.include(
        yield* Effect.promise(() => page.evaluate(() => navigator.clipboard.readText())),
        `RESEND_BASE_URL=${baseUrl}`
      )

      yield* sendEmail({ subject: "First" })
      yield* hasRows(page, 1)
      yield* sendEmail({ subject: "Second", to: "bob@example.com", html: "<h1>Second</h1>" })
      yield* hasRows(page, 2)
      assert.include(yield* Effect.promise(() => rows(page).first().innerText()), "Second")

      yield* wait(() => rows(page).first().click())
      yield* wait(() => page.frameLocator("iframe.frame").getByRole("heading", { name: "Second" }).waitFor())
      for (
        const [tab, shown] of [["Text", "Hi"], ["Headers", "Message-ID"], ["Attachments", "no attachments"], [
          "Events (2)",
          "email.delivered"
        ], ["Request", "/emails"]]
      ) {
        yield* wait(() => page.getByRole("tab", { name: tab!, exact: true }).click())
        yield* wait(() => page.getByRole("tabpanel").getByText(shown!).first().waitFor())
      }
      assert.deepStrictEqual(problems, [])
    }).pipe(serving))

  test(
    title("keeps the frame of an email while others arrive, and while the email changes"),
    () =>
      Effect.gen(function*() {
        const id = yield* sendEmail({ subject: "Kept", html: "<h1>Kept</h1>", scheduled_at: "in 1 hour" })
        const { page, problems } = yield* open()
        yield* openEmail(page, id)
        const frame = page.locator("iframe.frame")
        yield* wait(() => frame.evaluate((element) => element.setAttribute("data-kept", "")))
        yield* sendEmail({ subject: "Another" })
        yield* hasRows(page, 2)
        assert.strictEqual((yield* post(`/emails/${id}/cancel`, {})).status, 200)
        yield* wait(() => page.locator("article .title").getByText("canceled").waitFor())
        assert.isNotNull(yield* Effect.promise(() => frame.getAttribute("data-kept")))
        assert.deepStrictEqual(problems, [])
      }).pipe(serving)
  )

  test(title("does not show an email that was left before it was loaded"), () =>
    Effect.gen(function*() {
      const id = yield* sendEmail({ subject: "Slow" })
      const { page, problems } = yield* open()
      const path = `/inbox/api/emails/${id}`
      yield* wait(() => page.route(`**${path}`, () => {}))
      const abandoned = page.waitForEvent("requestfailed", { predicate: (request) => request.url().endsWith(path) })
      const asked = page.waitForRequest((request) => request.url().endsWith(path))
      yield* wait(() => page.evaluate((id) => (location.hash = `#/emails/${id}`), id))
      yield* wait(() => asked)
      yield* close(page)
      yield* wait(() => abandoned)
      assert.isTrue(yield* Effect.promise(() => page.getByText("Nothing is selected.").isVisible()))
      assert.isTrue(yield* Effect.promise(() => page.locator("#problem").isHidden()))
      assert.deepStrictEqual(problems, [])
    }).pipe(serving))

  test(title("says that the events of an email are no longer kept"), () =>
    Effect.gen(function*() {
      const id = yield* sendEmail({ subject: "Old" })
      yield* sendEmail({ subject: "New" })
      const { page, problems } = yield* open()
      yield* wait(() => page.evaluate((id) => (location.hash = `#/emails/${id}`), id))
      yield* wait(() => page.getByRole("tab", { name: "Events", exact: true }).click())
      yield* wait(() => page.getByRole("tabpanel").getByText("Its events are no longer kept").waitFor())
      assert.deepStrictEqual(problems, [])
    }).pipe(Effect.provide(Server.layerTest({ events: { maxCount: 2 } }))))

  test(title("searches until something is found, or to the end"), () =>
    Effect.gen(function*() {
      const store = yield* Store
      const emails = Array.from({ length: 3700 }, (_, index) => ({
        ...SampleData.email(index),
        id: EmailId.make(`email-${index}`),
        subject: index === 5 ? "The needle" : index === 3600 ? "A recent needle" : "Hay",
        text: "Hay"
      }))
      yield* store.insert(Resource.emails, emails)
      const { page, problems } = yield* open()
      const search = (text: string) => wait(() => page.locator("#search").fill(text))
      yield* search("the needle")
      yield* hasRows(page, 1)
      yield* search("nothing of this kind")
      yield* wait(() => page.getByText("Nothing found", { exact: true }).waitFor())
      yield* search("needle")
      yield* wait(() => page.getByText("1 found so far").waitFor())
      yield* wait(() => page.getByRole("button", { name: "Search older" }).click())
      yield* hasRows(page, 2)
      assert.isTrue(yield* Effect.promise(() => page.locator("#problem").isHidden()))
      assert.deepStrictEqual(problems, [])
    }).pipe(serving))

  test(title("can be used with the keyboard"), () =>
    Effect.gen(function*() {
      for (const subject of ["One", "Two", "Three"]) yield* sendEmail({ subject })
      const { page, problems } = yield* open()
      yield* hasRows(page, 3)
      const press = (...keys: ReadonlyArray<string>) =>
        wait(async () => {
          for (const key of keys) await page.keyboard.press(key)
        })
      const heading = (name: string) => wait(() => page.getByRole("heading", { name, level: 2 }).waitFor())
      yield* press("j", "j", "ArrowDown", "k", "Enter")
      yield* heading("Two")
      yield* press("Escape")
      yield* wait(() => page.getByText("Nothing is selected.").waitFor())
      yield* press("/")
      yield* wait(() => page.keyboard.type("thre"))
      yield* hasRows(page, 1)
      yield* press("ArrowDown", "Enter")
      yield* heading("Three")
      yield* press("Escape")
      yield* hasRows(page, 3)
      yield* press("?")
      yield* wait(() => page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor())
      yield* press("Escape")
      yield* wait(() => page.getByRole("dialog").waitFor({ state: "hidden" }))
      assert.deepStrictEqual(problems, [])
    }).pipe(serving))

  test(title("deletes all emails, once that is confirmed"), () =>
    Effect.gen(function*() {
      for (const subject of ["One", "Two"]) yield* sendEmail({ subject })
      const { page, problems, tab } = yield* open()
      const other = yield* tab
      yield* hasRows(page, 2)
      const remove = page.getByRole("button", { name: "Delete all" })
      yield* wait(() => remove.first().click())
      yield* wait(() => page.getByRole("button", { name: "Cancel" }).click())
      yield* hasRows(page, 2)
      yield* wait(() => remove.first().click())
      yield* wait(() => page.getByRole("dialog").getByRole("button", { name: "Delete all" }).click())
      yield* wait(() => page.getByText("No emails yet").waitFor())
      yield* hasRows(other, 0)
      assert.deepStrictEqual(problems, [])
    }).pipe(serving))

  test(title("is live in many tabs, and says when the server is gone"), () =>
    Effect.gen(function*() {
      const scope = yield* Scope.make()
      const apiKey = Redacted.make("re_tabs")
      const address = yield* Scope.extend(Server.make({ apiKeys: [apiKey] }), scope)
      const { page, tab } = yield* Effect.provideService(open(), Server.Address, address)
      // More than the connections that a browser opens to one server.
      const tabs = [page, ...yield* Effect.replicateEffect(tab, 9)]
      yield* Effect.provideService(sendEmail({ subject: "For all" }), Server.TestServer, { ...address, apiKey })
      for (const page of tabs) {
        yield* hasRows(page, 1)
        assert.include(yield* Effect.promise(() => rows(page).first().innerText()), "For all")
      }
      // The tab that listens is closed: another one does.
      yield* wait(() => page.close())
      const [next] = tabs.slice(1)
      yield* Effect.sleep("1 second")
      yield* Effect.provideService(sendEmail({ subject: "Again" }), Server.TestServer, { ...address, apiKey })
      yield* hasRows(next!, 2)
      const started = yield* Clock.currentTimeMillis
      yield* Scope.close(scope, Exit.void)
      assert.isBelow((yield* Clock.currentTimeMillis) - started, 5000)
      yield* wait(() => next!.getByText("Not connected").waitFor())
    }).pipe(Effect.provide(Store.layerMemory)))

  test(title("fits a phone, and goes back to the list"), () =>
    Effect.gen(function*() {
      yield* sendEmail({
        subject: "W".repeat(400),
        to: `${"x".repeat(60)}@${"y".repeat(60)}.example`,
        text: "z".repeat(3000)
      })
      const { page, problems } = yield* open({ viewport: { width: 390, height: 844 } })
      yield* hasRows(page, 1)
      const overflow = Effect.promise(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
      assert.isAtMost(yield* overflow, 0)
      yield* wait(() => rows(page).first().click())
      for (const name of ["Text", "Headers", "Events (2)", "Request"]) {
        yield* wait(() => page.getByRole("tab", { name, exact: true }).click())
        assert.isAtMost(yield* overflow, 0, name)
      }
      assert.isFalse(yield* Effect.promise(() => page.locator("#side").isVisible()))
      yield* wait(() => page.getByRole("link", { name: "Back" }).click())
      yield* wait(() => page.locator("#side").waitFor({ state: "visible" }))
      assert.deepStrictEqual(problems, [])
    }).pipe(serving))

  test(
    title("has no scrollbars on one line of text, nor on tabs, which can be reached with the keyboard"),
    () =>
      Effect.gen(function*() {
        yield* sendEmail({ subject: "Receipt (gjpqy) ÄÅ", html: "<p>Thanks</p>" })
        const { page, problems } = yield* open({ viewport: { width: 390, height: 844 } })
        yield* hasRows(page, 1)
        yield* wait(() => rows(page).first().click())
        yield* wait(() => page.locator("article .title h2").waitFor())
        const excess = yield* Effect.promise(() =>
          page.locator(".title h2, .facts dd").evaluateAll((all) =>
            all.map((one) => one.scrollHeight - one.clientHeight)
          )
        )
        assert.deepStrictEqual(excess.filter((pixels) => pixels > 0), [])
        const bars = yield* Effect.promise(() =>
          page.locator(".tabs").evaluateAll((all) =>
            all.map((one) => ({
              scrolls: one.scrollWidth > one.clientWidth,
              bar: getComputedStyle(one).scrollbarWidth
            }))
          )
        )
        assert.deepStrictEqual(bars, [{ scrolls: true, bar: "none" }, { scrolls: true, bar: "none" }])
        yield* wait(() => page.getByRole("tab", { name: "HTML" }).focus())
        yield* wait(() => page.keyboard.press("ArrowLeft"))
        const isSeen = yield* Effect.promise(() =>
          page.getByRole("tab", { name: "Request" }).evaluate((one) =>
            one === document.activeElement && one.getBoundingClientRect().right <= innerWidth
          )
        )
        assert.isTrue(isSeen)
        assert.deepStrictEqual(problems, [])
      }).pipe(serving)
  )

  test(title("browses contacts, segments, topics, templates and broadcasts"), () =>
    Effect.gen(function*() {
      yield* SampleData.insert({ contacts: 60, segments: 2, topics: 2, templates: 2, broadcasts: 3 })
      const { page, problems } = yield* open()
      for (const name of ["Contacts", "Segments", "Topics", "Templates", "Broadcasts"]) {
        yield* wait(() => page.getByRole("link", { name, exact: true }).click())
        yield* wait(() => rows(page).first().waitFor())
        yield* wait(() => rows(page).first().click())
        yield* wait(() => page.locator("article .title h2").waitFor())
      }
      yield* wait(() => page.getByLabel("Show those to whom it was").selectOption("suppressed"))
      yield* wait(() => page.getByRole("link", { name: "Contacts", exact: true }).click())
      yield* hasRows(page, 50)
      yield* wait(() => page.getByRole("button", { name: "Load older" }).click())
      yield* hasRows(page, 60)
      assert.isTrue(yield* Effect.promise(() => page.locator("#problem").isHidden()))
      assert.deepStrictEqual(problems, [])
    }).pipe(serving))
})

describe("the campaigns of the inbox", () => {
  const send = (to: string, campaign: string, index: number) =>
    sendEmail({
      to,
      subject: `${campaign} for ${to}`,
      tags: [{ name: "mailstream", value: `${campaign}_ab12_${index}` }]
    })

  test(
    title("count what became of their emails, and show them in a list as that of the inbox"),
    () =>
      Effect.gen(function*() {
        yield* sendEmail({ subject: "Alone" })
        const recipients = ["ada@example.com", "bounced@resend.dev", "complained@resend.dev", "bob@example.com"]
        for (const [index, to] of recipients.entries()) yield* send(to, "spring", index)
        yield* send("ada@example.com", "n".repeat(100), 0)
        const { page, problems } = yield* open()
        const about = page.locator("#about")
        const press = (...keys: ReadonlyArray<string>) =>
          wait(async () => {
            for (const key of keys) await page.keyboard.press(key)
          })
        const at = (hash: string) => wait(() => page.waitForURL((url) => url.hash === hash))

        // The label of an email leads to its campaign.
        yield* hasRows(page, 6)
        assert.strictEqual(yield* Effect.promise(() => page.locator("#list a.campaign").count()), 5)
        yield* wait(() => page.locator("#list a.campaign", { hasText: "spring" }).first().click())
        yield* at("#/campaigns/spring")
        yield* hasRows(page, 4)
        yield* wait(() => about.getByRole("heading", { name: "spring" }).waitFor())
        for (const text of ["2 delivered", "1 bounced", "1 complained"]) {
          yield* wait(() => about.getByText(text).waitFor())
        }
        assert.match(yield* Effect.promise(() => about.innerText()), /Emails\s+4\s/)
        assert.strictEqual(yield* Effect.promise(() => page.getByRole("alert").count()), 0)
        assert.isTrue(yield* Effect.promise(() => page.getByRole("button", { name: "Delete all" }).isHidden()))

        // It is searched and walked as the inbox is.
        yield* press("/")
        yield* wait(() => page.keyboard.type("bob"))
        yield* hasRows(page, 1)
        yield* press("ArrowDown", "Enter")
        yield* wait(() => page.getByRole("heading", { name: "spring for bob@example.com" }).waitFor())
        yield* press("Escape")
        yield* hasRows(page, 4)
        yield* press("Escape")
        yield* at("#/campaigns/spring")
        yield* press("j", "j", "Enter")
        yield* wait(() => page.locator("article .title h2").waitFor())
        const focused = Effect.promise(() => page.evaluate(() => document.activeElement?.getAttribute("href")))
        const row = yield* focused

        // Changes are shown by themselves, and do not take the focus away.
        yield* send("Ada <ada@example.com>", "spring", 4)
        yield* hasRows(page, 5)
        yield* wait(() => about.getByText("3 delivered").waitFor())
        yield* wait(() => about.getByText("1 address has more than one email.").waitFor())
        assert.strictEqual(yield* focused, row)
        yield* press("Escape")
        yield* at("#/campaigns/spring")
        yield* press("Escape")
        yield* at("#/campaigns")
        yield* hasRows(page, 2)
        const [newest, spring] = yield* Effect.promise(() => rows(page).allInnerTexts())
        assert.include(newest, "n".repeat(100))
        assert.match(spring!, /spring[^]*5 emails[^]*3 delivered[^]*1 address has more than one email/)
        yield* send("eve@example.com", "autumn", 0)
        yield* hasRows(page, 3)
        yield* press("j", "Enter")
        yield* at("#/campaigns/autumn")
        yield* hasRows(page, 1)

        // What is searched for in one list is not searched for in another.
        yield* wait(() => page.locator("#search").fill("nothing"))
        yield* wait(() => page.getByText("Nothing found", { exact: true }).waitFor())
        yield* wait(() => page.getByRole("link", { name: "Emails", exact: true }).click())
        yield* hasRows(page, 8)
        yield* wait(() => rows(page).first().click())
        yield* wait(() => page.locator("article").getByRole("link", { name: "autumn", exact: true }).click())
        yield* at("#/campaigns/autumn")
        assert.strictEqual(yield* Effect.promise(() => page.locator("#search").inputValue()), "nothing")
        assert.isTrue(yield* Effect.promise(() => page.locator("#problem").isHidden()))
        assert.deepStrictEqual(problems, [])
      }).pipe(serving)
  )

  test(title("say that a campaign has no emails any more"), () =>
    Effect.gen(function*() {
      yield* send("ada@example.com", "spring", 0)
      const { page, problems, tab } = yield* open()
      yield* wait(() => page.evaluate(() => (location.hash = "#/campaigns/spring")))
      yield* hasRows(page, 1)
      const other = yield* tab
      yield* wait(() => other.getByRole("button", { name: "Delete all" }).click())
      yield* wait(() => other.getByRole("dialog").getByRole("button", { name: "Delete all" }).click())
      yield* wait(() => page.getByText("No emails", { exact: true }).waitFor())
      assert.isTrue(yield* Effect.promise(() => page.locator("#problem").isHidden()))
      yield* wait(() => page.getByRole("link", { name: "All campaigns" }).click())
      yield* wait(() => page.getByText("No campaigns", { exact: true }).waitFor())
      assert.deepStrictEqual(problems, [])
    }).pipe(serving))

  for (const width of [390, 1280]) {
    for (const colorScheme of ["light", "dark"] as const) {
      test(title(`fit a window of ${width} pixels, ${colorScheme}`), () =>
        Effect.gen(function*() {
          yield* sendEmail({ subject: "Your receipt", to: "Ada Lovelace <ada@example.com>" })
          for (const [index, to] of ["ada@example.com", "bounced@resend.dev", "bob@example.com"].entries()) {
            yield* send(to, "spring-news_2026", index)
          }
          yield* send("ada@example.com", "spring-news_2026", 3)
          yield* send("complained@resend.dev", "n".repeat(100), 0)
          const { page, problems } = yield* open({ viewport: { width, height: 844 }, colorScheme })
          const shot = (name: string) =>
            wait(async () => {
              const directory = process.env["MAILSTREAM_SCREENSHOTS"]
              if (directory) await page.screenshot({ path: `${directory}/${name}-${width}-${colorScheme}.png` })
            })
          const fits = (name: string) =>
            Effect.gen(function*() {
              const excess = yield* Effect.promise(() =>
                page.evaluate(() => [
                  document.documentElement.scrollWidth - innerWidth,
                  document.querySelector("#side")!.scrollWidth - document.querySelector("#side")!.clientWidth
                ])
              )
              assert.isAtMost(Math.max(...excess), 0, name)
              yield* shot(name)
            })
          yield* hasRows(page, 6)
          yield* fits("emails")
          // A label covers nothing of its row, and can be touched.
          const labels = yield* Effect.promise(() =>
            page.locator("#list a.campaign").evaluateAll((all) =>
              all.map((one) => {
                const { bottom, height, top } = one.getBoundingClientRect()
                const row = one.parentElement!.getBoundingClientRect()
                const above = [...one.previousElementSibling!.children].at(-1)!.getBoundingClientRect()
                return { height, covers: top < above.bottom || bottom > row.bottom }
              })
            )
          )
          assert.strictEqual(labels.length, 5)
          for (const { covers, height } of labels) {
            assert.isFalse(covers)
            assert.isAtLeast(height, 24)
          }
          yield* wait(() => page.evaluate(() => (location.hash = "#/campaigns")))
          yield* hasRows(page, 2)
          yield* fits("campaigns")
          yield* wait(() => rows(page).last().click())
          yield* hasRows(page, 4)
          yield* wait(() => page.locator("#about .note").waitFor())
          yield* fits("campaign")
          yield* wait(() => rows(page).first().click())
          yield* wait(() => page.locator("article .title h2").waitFor())
          yield* fits("email")
          assert.deepStrictEqual(problems, [])
        }).pipe(serving))
    }
  }
})

/** An email that tries everything. `o` is a server that it must not reach. */
const hostile = (o: string): string =>
  `<!doctype html><html><head>
<base href="${o}/base/" target="_top">
<meta http-equiv="refresh" content="0; url=${o}/refresh">
<meta http-equiv="Content-Security-Policy" content="default-src *">
<link rel="stylesheet" href="${o}/style.css"><link rel="preconnect" href="${o}"><link rel="dns-prefetch" href="${o}">
<LINK rel=prefetch href="${o}/prefetch"><link rel="preload" as="image" href="${o}/preload.png">
<link rel="icon" href="${o}/icon.png"><link rel="manifest" href="${o}/manifest.json">
<style>@import url("${o}/import.css"); @font-face { font-family: x; src: url("${o}/font.woff2"); } * { font-family: x; }
body { background: url(${o}/background.png); } #cover { position: fixed; inset: 0; z-index: 2147483647; background: red; }</style>
<script>top.pwned = 1; parent.pwned = 1; alert("script"); fetch("${o}/fetch")</script>
<script src="${o}/script.js"></script><script type="speculationrules">{"prefetch":[{"urls":["${o}/speculation"]}]}</script>
</head><body onload="alert('onload')" background="${o}/attribute.png">
<p><a id="js" href="javascript:alert('link');top.pwned=1">javascript</a>
<a id="jsblank" target="_blank" href="java&#9;script:alert('blank')">javascript in a new tab</a>
<a id="data" href="data:text/html,<script>alert('data')</script>">data</a>
<a id="top" target="_top" href="${o}/top">top</a> <a id="self" target="_self" href="${o}/self">self</a>
<a id="opener" rel="opener" target="_blank" href="${o}/opener" ping="${o}/ping">opener</a>
<a id="download" download href="data:text/plain,x">download</a></p>
<form id="form" action="${o}/form" method="post"><input name="a" value="b"><button id="submit">Send</button></form>
<img src="${o}/image.png" srcset="${o}/srcset.png 2x" onerror="alert('onerror')">
<img src="//${o.replace("http://", "")}/relative.png"><img src="x" onerror="alert('x');top.pwned=1">
<picture><source srcset="${o}/source.png"><img src="data:,"></picture>
<video src="${o}/video.mp4" poster="${o}/poster.png" autoplay></video><audio src="${o}/audio.mp3" autoplay></audio>
<iframe src="${o}/iframe"></iframe><iframe srcdoc="<script>top.pwned=1;alert('srcdoc')</script><img src='${o}/srcdoc.png'>"></iframe>
<iframe srcdoc="&lt;iframe src=${o}/nested>&lt;/iframe>"></iframe><IFRAME
src="${o}/upper"></IFRAME>
<svg><foreignObject><iframe src="${o}/foreign"></iframe></foreignObject></svg><object data="${o}/object"></object><embed src="${o}/embed">
<svg onload="alert('svg')"><script>alert('svg script')</script><image href="${o}/svg.png"/><use href="${o}/use.svg#a"/></svg>
<math><mtext><style><img src=x onerror="alert('mutation')"></style></mtext></math>
<input autofocus onfocus="alert('focus')"><details open ontoggle="alert('toggle')">x</details>
<div id="cover" style="pointer-events: none">covered</div>
</body></html>`

/** Browsers connect to where a link leads as soon as somebody is about to follow it. */
const requested = (seen: ReadonlyArray<string>) => seen.filter((url) => url.startsWith("/") && url !== "/favicon.ico")

describe("an email that tries to break out", () => {
  test(title("runs nothing, reaches nobody, and stays in its frame"), () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* Server.Address
      const { origin, referrers, seen } = yield* elsewhere
      const id = yield* sendEmail({
        subject: "<img src=x onerror=alert(1)><script>alert(2)</script>",
        html: hostile(origin),
        from: "\"<script>\" <a@example.com>"
      })
      const { context, page, problems } = yield* open()
      const popups: Array<Page> = []
      context.on("page", (popup) => popups.push(popup))
      const frame = yield* openEmail(page, id)
      assert.include(yield* Effect.promise(() => frame.content()), "covered")
      yield* Effect.sleep("1 second")
      assert.deepStrictEqual(seen, [], "not even a connection may be opened")

      const click = (selector: string) =>
        wait(() => frame.locator(selector).click({ force: true, noWaitAfter: true, timeout: 5000 }))
      yield* click("#js")
      yield* click("#submit")
      yield* click("#top")
      yield* click("#data")
      yield* click("#download")
      yield* Effect.sleep("500 millis")
      assert.deepStrictEqual(requested(seen), [])
      // The frame may be empty by now, but never show something else than this server has.
      yield* close(page)
      const again = yield* openEmail(page, id)
      yield* wait(() => again.locator("#jsblank").click({ force: true, noWaitAfter: true }))
      yield* wait(() => again.locator("#self").click({ force: true, noWaitAfter: true }))
      yield* Effect.sleep("500 millis")

      assert.deepStrictEqual(requested(seen), [])
      assert.deepStrictEqual(problems, [])
      assert.isTrue(page.url().startsWith(`${baseUrl}/inbox#/emails`))
      const state = yield* Effect.promise(() =>
        page.evaluate(() => ({
          pwned: "pwned" in window,
          scripts: document.querySelectorAll("#list script, #detail script, #list img, #detail img").length,
          header: document.elementFromPoint(40, 20)?.closest("header") !== null,
          list: document.elementFromPoint(60, 150)?.closest("#side") !== null
        }))
      )
      assert.deepStrictEqual(state, { pwned: false, scripts: 0, header: true, list: true })
      for (const popup of popups) assert.notMatch(popup.url(), /^(?:javascript|data):/)

      // A link that is followed opens in a new tab that knows nothing of this one.
      yield* close(page)
      const third = yield* openEmail(page, id)
      const [popup] = yield* Effect.promise(() =>
        Promise.all([context.waitForEvent("page"), third.locator("#opener").click({ force: true, noWaitAfter: true })])
      )
      yield* wait(() => popup.waitForLoadState())
      assert.strictEqual(popup.url(), `${origin}/opener`)
      assert.isNull(yield* Effect.promise(() => popup.evaluate(() => window.opener)))
      assert.deepStrictEqual(requested(seen), ["/opener"])
      assert.isUndefined(referrers[0])
    }).pipe(serving))

  test(
    title("gets its remote content when that is asked for, for this email alone, and still no scripts"),
    () =>
      Effect.gen(function*() {
        const { origin, seen } = yield* elsewhere
        const id = yield* sendEmail({ subject: "One", html: hostile(origin) })
        const other = yield* sendEmail({ subject: "Two", html: hostile(`${origin}/other`) })
        const { page, problems } = yield* open()
        yield* openEmail(page, id)
        yield* wait(() => page.getByRole("button", { name: "Load it for this email" }).click())
        yield* wait(() => page.waitForTimeout(1500))
        for (const path of ["/image.png", "/style.css", "/background.png"]) assert.include(seen, path)
        for (
          const path of [
            "/script.js",
            "/fetch",
            "/iframe",
            "/object",
            "/embed",
            "/refresh",
            "/form",
            "/speculation"
          ]
        ) {
          assert.notInclude(seen, path)
        }
        yield* openEmail(page, other)
        yield* wait(() => page.waitForTimeout(500))
        assert.isEmpty(seen.filter((url) => url.startsWith("/other")))
        assert.deepStrictEqual(problems, [])
      }).pipe(serving)
  )

  test(title("with a subject of 10 MB or of another direction leaves the list usable"), () =>
    Effect.gen(function*() {
      const store = yield* Store
      const bidi = "\u202Egpj.exe\u2066 \u05D0\u05D1\u05D2 \u202E"
      const emails = [
        {
          ...SampleData.email(0),
          id: EmailId.make("large"),
          subject: "A".repeat(10_000_000),
          text: "x".repeat(2_000_000)
        },
        {
          ...SampleData.email(1),
          id: EmailId.make("bidi"),
          subject: bidi,
          from: `\u202E${"<b>"}moc.elpmaxe@live`,
          text: `${bidi}\n<b>text</b>`
        }
      ]
      yield* store.insert(Resource.emails, emails)
      yield* sendEmail({ subject: "Ordinary" })
      const { page, problems } = yield* open()
      yield* hasRows(page, 3)
      const heights = yield* Effect.promise(() =>
        rows(page).evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height))
      )
      assert.strictEqual(new Set(heights.map(Math.round)).size, 1)
      for (const [id, level] of [["large", "AAAA"], ["bidi", "gpj.exe"]] as const) {
        yield* wait(() => page.evaluate((id) => (location.hash = `#/emails/${id}`), id))
        yield* wait(() => page.locator("article .title h2", { hasText: level }).waitFor())
        yield* wait(() => page.getByRole("tab", { name: "Text" }).click())
        yield* wait(() => page.getByRole("tabpanel").locator("pre.text").waitFor())
        assert.isBelow(
          yield* Effect.promise(() => page.locator("article .title h2").evaluate((one) => one.textContent!.length)),
          2000
        )
      }
      assert.strictEqual(
        yield* Effect.promise(() => page.locator("pre.text").evaluate((one) => one.children.length)),
        0
      )
      // What is beside text of another direction stays where it is.
      const places = yield* Effect.promise(() =>
        rows(page).evaluateAll((all) =>
          all.map((row) => Math.round(row.querySelector("time")!.getBoundingClientRect().right))
        )
      )
      assert.strictEqual(new Set(places).size, 1)
      assert.deepStrictEqual(
        yield* Effect.promise(() =>
          rows(page).locator("bdi").evaluateAll((
            all
          ) => [...new Set(all.map((one) => getComputedStyle(one).unicodeBidi))])
        ),
        ["isolate"]
      )
      assert.deepStrictEqual(problems, [])
    }).pipe(serving))
})

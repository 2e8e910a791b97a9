import { assert, describe, it } from "@effect/vitest"
import { browser, missing } from "@mailstream/testing/Browser"
import { Effect } from "effect"
import * as Inside from "../support/inside.ts"
import { make } from "../support/processes.ts"

describe("the status page", () => {
  it.scopedLive.skipIf(missing !== undefined)(
    `shows workers, accounts and errors in a browser, and follows them${missing ?? ""}`,
    () =>
      Effect.gen(function*() {
        const cluster = yield* make
        const hostile = `<img src=x onerror="document.title='taken over'">`
        cluster.service.add("acme")
        cluster.service.add(hostile, { isRefused: true, apiKey: "re_secret_hostile" })
        yield* cluster.writeAccounts
        const url = yield* Inside.start(cluster)
        const page = yield* Effect.flatMap(browser, (browser) => Effect.promise(() => browser.newPage()))
        const requested: Array<string> = []
        const problems: Array<string> = []
        page.on("request", (request) => requested.push(request.url()))
        page.on("pageerror", (error) => problems.push(error.message))
        // The browser reports here what its policy blocks.
        page.on("console", (message) => message.type() === "error" && problems.push(message.text()))
        const bodies: Array<string> = []
        page.on("response", (response) => void response.text().then((text) => bodies.push(text), () => {}))
        yield* Effect.promise(() =>
          page.addInitScript({
            content: `addEventListener("securitypolicyviolation", (event) => console.error(event.violatedDirective))`
          })
        )
        /** Waits until the text of an element matches. */
        const shows = (id: string, text: RegExp) =>
          Effect.promise(() => page.locator(`#${id}`, { hasText: text }).waitFor({ timeout: 60_000 }))

        yield* Effect.promise(() => page.goto(url))
        yield* shows("runners", /.+:\d+healthy1\.0\.0/)
        yield* shows("totals", /Accounts2/)
        yield* shows("totals", /Failing1/)
        yield* shows("failures", /API key {1,2}is invalid/)
        assert.strictEqual(
          yield* Effect.promise(() => page.locator("#failures th").first().innerText()),
          hostile,
          "an id is text"
        )
        yield* shows("note", /^As of \d+ \w+ \d{4}/)
        yield* shows("state", /^1 failing$/)
        yield* shows("copies-summary", /^Younger than 2 s, .*: \d of 2\.$/)
        yield* shows("passes-summary", /[1-9]\d* completed and [1-9]\d* failed/)

        // An account, by a link or by its id.
        yield* Effect.promise(() => page.getByRole("link", { name: hostile }).click())
        yield* shows("account-name", /^<img src=x/)
        yield* shows("account-state", /^failing, due/)
        yield* shows("account-error", /API key/)
        yield* Effect.promise(() => page.getByLabel("Id of the account").fill("acme"))
        yield* Effect.promise(() => page.getByRole("button", { name: "Look up" }).click())
        yield* shows("account-name", /^acme$/)
        yield* shows("account-passes", /20 created.*completed/)
        assert.match(page.url(), /#account=acme$/)
        yield* shows("requests-summary", /[1-9]\d* requests in the last hour/)
        yield* shows("hour-summary", /[1-9]\d* completed and [1-9]\d* failed in the last hour, by minutes/)

        // Without a reload.
        cluster.service.add("globex")
        yield* cluster.writeAccounts
        yield* shows("totals", /Accounts3/)
        yield* shows("totals", /Never copied1/)

        yield* Effect.promise(() => page.getByRole("button", { name: "Close" }).click())
        // The browser tells the page a moment later that its address has changed.
        yield* Effect.promise(() => page.locator("#account").waitFor({ state: "hidden" }))
        assert.strictEqual(yield* Effect.promise(() => page.title()), "Mailstream")
        assert.deepStrictEqual(problems, [])
        assert.deepStrictEqual(requested.filter((request) => !request.startsWith(`${url}/`)), [])
        const shown = bodies.join("\n") + (yield* Effect.promise(() => page.content()))
        assert.isNotEmpty(bodies)
        assert.notInclude(shown, "re_secret")
      }),
    180_000
  )

  it.scopedLive.skipIf(missing !== undefined)(
    `says how many accounts fail beside those that it lists${missing ?? ""}`,
    () =>
      Effect.gen(function*() {
        const cluster = yield* make
        for (let at = 0; at < 22; at++) cluster.service.add(`account-${at}`, { isRefused: true })
        yield* cluster.writeAccounts
        const url = yield* Inside.start(cluster, { maxAccounts: 22 })
        const page = yield* Effect.flatMap(browser, (browser) => Effect.promise(() => browser.newPage()))
        yield* Effect.promise(() => page.goto(url))
        const summary = page.locator("#failures-summary", { hasText: "Those that failed most often: 20 of 22." })
        yield* Effect.promise(() => summary.waitFor({ timeout: 60_000 }))
        assert.strictEqual(yield* Effect.promise(() => page.locator("#failures tr").count()), 20)
      }),
    120_000
  )
})

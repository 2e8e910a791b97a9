import { OpenApi } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Api } from "@mailstream/http"
import { Server } from "@mailstream/server"
import { browser, missing } from "@mailstream/testing/Browser"
import { Effect } from "effect"

const documented = Object.entries(OpenApi.fromApi(Api.Api).paths)
  .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`))
  .sort()

describe("the docs page", () => {
  it.scopedLive.skipIf(missing !== undefined)(
    `shows every operation in a browser${missing ?? ""}`,
    () =>
      Effect.gen(function*() {
        const { baseUrl } = yield* Server.TestServer
        const page = yield* Effect.flatMap(browser, (browser) => Effect.promise(() => browser.newPage()))
        const requested: Array<string> = []
        const problems: Array<string> = []
        page.on("request", (request) => requested.push(request.url()))
        page.on("pageerror", (error) => problems.push(error.message))
        page.on("console", (message) => message.type() === "error" && problems.push(message.text()))
        yield* Effect.promise(() => page.goto(`${baseUrl}/docs`))
        yield* Effect.promise(() => page.waitForSelector(".opblock"))
        const operations = yield* Effect.promise(() => page.locator(".opblock-summary").allInnerTexts())
        const shown = operations.map((text) => text.replaceAll("\u200b", "").split(/\s+/).slice(0, 2).join(" ")).sort()
        assert.deepStrictEqual(shown, documented)
        // The page is self-contained.
        const elsewhere = requested.filter((url) => !url.startsWith(baseUrl) && !url.startsWith("data:"))
        assert.deepStrictEqual(elsewhere, [])
        assert.deepStrictEqual(problems, [])
      }).pipe(Effect.provide(Server.layerTest())),
    60_000
  )
})

/** The inbox in a real browser, and a server elsewhere that nothing may reach unasked. */
import { Server } from "@mailstream/server"
import * as Browser from "@mailstream/testing/Browser"
import { Effect, Redacted } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

type Chromium = Effect.Effect.Success<typeof Browser.browser>

export type Context = Awaited<ReturnType<Chromium["newContext"]>>

export type Page = Awaited<ReturnType<Context["newPage"]>>

type ContextOptions = NonNullable<Parameters<Chromium["newContext"]>[0]>

/** A browser that has opened the inbox, and what it complained about. */
export const open = (options: ContextOptions = {}) =>
  Effect.gen(function*() {
    const { inboxUrl } = yield* Server.Address
    const browser = yield* Browser.browser
    const context = yield* Effect.promise(() => browser.newContext(options))
    const problems: Array<string> = []
    const tab = Effect.promise(async () => {
      const page = await context.newPage()
      page.on("pageerror", ({ message }) => problems.push(message))
      page.on("dialog", (dialog) => {
        problems.push(`dialog: ${dialog.message()}`)
        return dialog.dismiss()
      })
      await page.goto(Redacted.value(inboxUrl!))
      await page.getByText("Live", { exact: true }).waitFor()
      return page
    })
    return { context, page: yield* tab, problems, tab }
  })

/** A server elsewhere, and what has reached it: even a connection without a request counts. */
export const elsewhere = Effect.gen(function*() {
  const seen: Array<string> = []
  const referrers: Array<string | undefined> = []
  const server = createServer((request, response) => {
    seen.push(request.url ?? "")
    referrers.push(request.headers.referer)
    response.writeHead(200, { "content-type": "text/html" }).end("<title>Elsewhere</title>")
  })
  server.on("connection", () => seen.push("a connection"))
  yield* Effect.acquireRelease(
    Effect.async<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, referrers }
})

import { assert, describe, it } from "@effect/vitest"
import { Server, Store, WebHandler } from "@mailstream/server"
import { Effect, Redacted } from "effect"
import { assertError, parse, raw, send } from "./support/http.ts"

const asked = (host: string) => Effect.map(raw(`GET / HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`), parse)

describe("the page at /", () => {
  it.scopedLive("needs no key, says how to use the service, and leads to the documentation", () =>
    Effect.gen(function*() {
      const { apiKey, baseUrl } = yield* Server.TestServer
      const { headers, status, text } = yield* send("/", { key: "" })
      assert.strictEqual(status, 200)
      assert.strictEqual(headers.get("content-type"), "text/html; charset=utf-8")
      assert.match(headers.get("content-security-policy") ?? "", /^default-src 'none'/)
      assert.include(text, `export MAILSTREAM_BASE_URL=${baseUrl}\n`)
      assert.notInclude(text, Redacted.value(apiKey))
      const paths = [...text.matchAll(/href="([^"]+)"/g)].map(([, path = ""]) => path)
      assert.deepStrictEqual(paths, ["/inbox", "/docs", "/openapi.json"])
      for (const path of paths) {
        const page = yield* send(path, { key: "" })
        assert.strictEqual(page.status, path === "/inbox" ? 401 : 200, path)
        if (path === "/inbox") assert.include(page.text, "<form")
      }
      assert.strictEqual((yield* send("/")).text, text)
      const head = yield* send("/", { key: "", method: "HEAD" })
      assert.deepStrictEqual([head.status, head.text, head.headers.get("content-length")], [
        200,
        "",
        String(Buffer.byteLength(text))
      ])
    }).pipe(Effect.provide(Server.layerTest())))

  it.scopedLive("does not mention an inbox that is turned off", () =>
    Effect.gen(function*() {
      assert.notMatch((yield* send("/", { key: "" })).text, /inbox/i)
    }).pipe(Effect.provide(Server.layerTest({ inbox: false }))))

  it.scopedLive("changes nothing for the API: other paths need a key, and other methods are refused", () =>
    Effect.gen(function*() {
      for (const path of ["/contacts", "/nowhere", "//", "/index.html"]) {
        assertError(yield* send(path, { key: "" }), 401, "missing_api_key")
      }
      const refused = yield* send("/", { key: "", method: "POST" })
      assertError(refused, 405, "method_not_allowed")
      assert.strictEqual(refused.headers.get("allow"), "GET, HEAD")
    }).pipe(Effect.provide(Server.layerTest())))

  it.scopedLive.each([
    "<script>alert(1)</script>",
    "a\"onload=alert(1)",
    "localhost:1'&amp;",
    "user@example.com",
    "$(touch x)",
    "example.com;id",
    "example.com:999999",
    ""
  ])("shows no part of the host %j", (host) =>
    Effect.gen(function*() {
      const { status, text } = yield* asked(host)
      assert.strictEqual(status, 200)
      assert.include(text, "export MAILSTREAM_BASE_URL=http://127.0.0.1:8025\n")
      assert.notMatch(text, /alert|touch|;id|999999|user@/)
    }).pipe(Effect.provide(Server.layerTest())))

  it.scopedLive.each(["localhost:8025", "[::1]:8025", "api.example.com"])(
    "shows the host %j",
    (host) =>
      Effect.gen(function*() {
        assert.include((yield* asked(host)).text, `export MAILSTREAM_BASE_URL=http://${host}\n`)
      }).pipe(Effect.provide(Server.layerTest()))
  )

  it.live("is served by the web handler, too, with the scheme of the request", () =>
    Effect.promise(async () => {
      const { dispose, handler } = WebHandler.make(Store.layerMemory)
      const response = await handler(new Request("https://mail.example.com/"))
      assert.include(await response.text(), "export MAILSTREAM_BASE_URL=https://mail.example.com\n")
      await dispose()
    }))
})

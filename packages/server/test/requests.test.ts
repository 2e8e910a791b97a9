import { assert, describe, it } from "@effect/vitest"
import { Server } from "@mailstream/server"
import { Array, Effect, Layer, Logger, LogLevel, Redacted } from "effect"
import { raw, send } from "./support/http.ts"

/** A server whose log is kept, down to a level. */
const logging = (level: LogLevel.LogLevel, options: Server.TestOptions = {}) => {
  const lines: Array<string> = []
  const logger = Logger.make(({ annotations, logLevel, message }) => {
    lines.push(
      `${logLevel.label} ${Array.ensure(message).join(" ")}${[...annotations].map(([, value]) => ` (${value})`)}`
    )
  })
  const layer = Server.layerTest(options).pipe(
    Layer.provide([Logger.replace(Logger.defaultLogger, logger), Logger.minimumLogLevel(level)])
  )
  return { lines, layer }
}

const accounts = [{ id: "acme", apiKey: Redacted.make("re_acme") }]

describe("requests", () => {
  it.scopedLive("are logged at level debug: method, path, status and duration, and no secret", () => {
    const { layer, lines } = logging(LogLevel.Debug, { accounts, cors: "*", rateLimit: { requests: 9, per: "1 hour" } })
    return Effect.gen(function*() {
      const { apiKey } = yield* Server.TestServer
      const key = Redacted.value(apiKey)
      yield* send("/contacts?limit=5&after=secret")
      yield* send("/contacts", { key: "Bearer re_acme" })
      yield* send("/contacts", { key: "Bearer re_wrong" })
      yield* send(`/nowhere/${key}`)
      yield* send("/docs", { key: "" })
      yield* send("/topics", {
        key: "",
        method: "OPTIONS",
        headers: { origin: "https://a.example", "access-control-request-method": "GET" }
      })
      yield* raw(`GET /${"x".repeat(300)} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`)
      assert.deepStrictEqual(lines.map((line) => line.replace(/\d+\.\dms/, "…ms")), [
        "DEBUG GET /contacts 422 …ms",
        "DEBUG GET /contacts 200 …ms (acme)",
        "DEBUG GET /contacts 403 …ms",
        "DEBUG GET /nowhere/<key> 404 …ms",
        "DEBUG GET /docs 200 …ms",
        "DEBUG OPTIONS /topics 204 …ms",
        `DEBUG GET /${"x".repeat(199)}… 401 …ms`
      ])
      assert.notMatch(lines.join("\n"), /re_acme|re_wrong|secret/)
      assert.notInclude(lines.join("\n"), key)
    }).pipe(Effect.provide(layer))
  })

  it.scopedLive("are not logged above it", () => {
    const { layer, lines } = logging(LogLevel.Info)
    return Effect.gen(function*() {
      yield* send("/contacts")
      assert.deepStrictEqual(lines, [])
    }).pipe(Effect.provide(layer))
  })
})

import { assert, describe, it } from "@effect/vitest"
import { Server } from "@mailstream/server"
import { Effect, Layer, Logger, LogLevel } from "effect"
import * as Http from "./support/http.ts"

describe("what an operator sees of requests", () => {
  it.scopedLive("has no address, secret or body in it, whatever the operation", () =>
    Effect.gen(function*() {
      const seen: Array<string> = []
      const logger = Logger.replace(
        Logger.defaultLogger,
        Logger.make(({ annotations, cause, message }) => {
          seen.push(JSON.stringify([message, [...annotations], cause]))
        })
      )
      const server = Server.layerTest({
        onRequest: (observation) => Effect.sync(() => seen.push(JSON.stringify(observation)))
      }).pipe(Layer.provide(Layer.merge(logger, Logger.minimumLogLevel(LogLevel.Debug))))
      const secrets = yield* Effect.gen(function*() {
        const json = (text: string) => JSON.parse(text)
        yield* Http.post("/contacts", { email: "ada@private.example" })
        for (const path of ["ada@private.example", "ada%40private.example", "ADA%40private.example/nothing"]) {
          yield* Http.send(`/contacts/${path}`)
          yield* Http.send(`/contacts/${path}`, {
            method: "PATCH",
            headers: { "content-type": "application/json" },
            body: "{\"first_name\":\"Private\"}"
          })
          yield* Http.send(`/suppressions/${path}`, { method: "DELETE" })
        }
        const { token } = json((yield* Http.post("/api-keys", { name: "CI" })).text)
        yield* Http.send("/topics", { key: `Bearer ${token}` })
        const webhook = { endpoint: "https://example.com", events: ["email.sent"] }
        const { id, signing_secret } = json((yield* Http.post("/webhooks", webhook)).text)
        const rotated = json((yield* Http.post(`/webhooks/${id}/signing-secret/rotate`, {})).text)
        return [token, signing_secret, rotated.signing_secret]
      }).pipe(Effect.provide(server))
      const text = seen.join("\n")
      assert.include(text, "/contacts/<address>")
      assert.include(text, "/suppressions/<address>")
      assert.notMatch(text, /private/i)
      for (const secret of secrets) {
        assert.isAbove(secret.length, 20)
        assert.notInclude(text, secret)
      }
    }))
})

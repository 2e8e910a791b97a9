import { assert, describe, it } from "@effect/vitest"
import type { Faults } from "@mailstream/server"
import { Store, WebHandler } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import { Effect, Layer, Redacted } from "effect"
import { assertError } from "./support/http.ts"

const key = "re_web"

const make = (faults?: Faults.Options) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      WebHandler.make(
        Layer.provideMerge(SampleData.layer({ contacts: 1200 }), Store.layerMemory),
        { apiKeys: [Redacted.make(key)], faults }
      )
    ),
    ({ dispose }) => Effect.promise(dispose)
  )

const ask = (web: WebHandler.WebHandler, path: string, init: RequestInit = {}) =>
  Effect.promise(async () => {
    const headers = { authorization: `Bearer ${key}` }
    const response = await web.handler(new Request(`https://api.example.com${path}`, { headers, ...init }))
    return { status: response.status, headers: response.headers, text: await response.text() }
  })

describe("the web handler", () => {
  it.scopedLive("serves without Node's HTTP server", () =>
    Effect.gen(function*() {
      const web = yield* make()
      const page = JSON.parse((yield* ask(web, "/contacts?limit=2")).text)
      assert.strictEqual(page.data[0].id, SampleData.contact(1199).id)
      assert.isTrue(page.has_more)
      const all = JSON.parse((yield* ask(web, "/contacts")).text)
      assert.strictEqual(all.data.length, 1200)
      const body = JSON.stringify({ name: "Ünïcode 🎉" })
      assert.strictEqual((yield* ask(web, "/topics", { method: "POST", body })).status, 400)
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
      assert.strictEqual((yield* ask(web, "/topics", { method: "POST", body, headers })).status, 201)
      assert.strictEqual(JSON.parse((yield* ask(web, "/topics")).text).data[0].name, "Ünïcode 🎉")
      assertError(yield* ask(web, "/topics", { method: "POST", headers }), 400, "validation_error")
      const large = { method: "POST", headers, body: "x".repeat(1024 * 1024 + 1) }
      assertError(yield* ask(web, "/topics", large), 413, "validation_error")
      assertError(yield* ask(web, "/contacts", { headers: {} }), 401, "missing_api_key")
      assertError(yield* ask(web, "/nowhere"), 404, "not_found")
      assertError(yield* ask(web, "/contacts", { method: "PUT" }), 405, "method_not_allowed")
      const head = yield* ask(web, "/contacts", { method: "HEAD" })
      assert.deepStrictEqual([head.status, head.text], [200, ""])
      assert.include((yield* ask(web, "/docs", { headers: {} })).text, "swagger-ui")
    }))

  it.scopedLive.each(
    [["reset", "/contacts?limit=3"], ["truncate", "/contacts?limit=3"], ["truncate", "/contacts"]] as const
  )(
    "truncates the body: %s %s",
    ([fault, path]) =>
      Effect.gen(function*() {
        const web = yield* make({ [fault]: { rate: 1 } })
        const response = yield* Effect.promise(() =>
          web.handler(new Request(`https://x${path}`, { headers: { authorization: `Bearer ${key}` } }))
        )
        assert.strictEqual(response.status, 200)
        yield* Effect.flip(Effect.tryPromise(() => response.text()))
      })
  )
})

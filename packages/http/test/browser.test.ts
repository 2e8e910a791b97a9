import { assert, describe, it } from "@effect/vitest"
import { ApiClient, Contacts } from "@mailstream/http"
import * as FetchTransport from "@mailstream/http/FetchTransport"
import { Effect, Layer } from "effect"
import { apiKey, emptyList, json, serve } from "./support/wire.ts"

/** Makes the global scope that of a page, or of a worker of one. */
const pageAt = (origin: string) =>
  Effect.acquireRelease(
    Effect.sync(() => Object.defineProperty(globalThis, "location", { configurable: true, value: { origin } })),
    () => Effect.sync(() => Reflect.deleteProperty(globalThis, "location"))
  )

const client = (baseUrl: string) => ApiClient.layer({ baseUrl, apiKey }).pipe(Layer.provide(FetchTransport.layer))

describe("a relative base URL", () => {
  it.scopedLive("is relative to the origin of the page", () =>
    Effect.gen(function*() {
      const server = yield* serve(json(200, emptyList))
      yield* pageAt(server.baseUrl)
      for (const baseUrl of ["/api/", "/"]) {
        const layer = client(baseUrl)
        yield* Effect.provide(
          Effect.flatMap(Contacts, (contacts) => contacts.list()),
          Layer.provide(Contacts.layer, layer)
        )
        assert.strictEqual(
          yield* Effect.provide(Effect.map(ApiClient, (client) => client.baseUrl), layer),
          `${server.baseUrl}${baseUrl.replace(/\/$/, "")}`
        )
      }
      assert.deepStrictEqual(server.received.map(({ url }) => url), ["/api/contacts", "/contacts"])
    }))

  it.scopedLive.each(["//evil.example/x", "/\\evil.example/x", "/\t/evil.example"])(
    "is rejected if it names another host: %j",
    (baseUrl) =>
      Effect.gen(function*() {
        yield* pageAt("https://page.example")
        assert.include(String(yield* Effect.flip(Layer.build(client(baseUrl)))), "must not name another host")
      })
  )

  it.scopedLive.each([undefined, "null"])(
    "is rejected where there is no page, or one without a server: %s",
    (origin) =>
      Effect.gen(function*() {
        if (origin !== undefined) yield* pageAt(origin)
        const error = yield* Effect.flip(Layer.build(client("/api")))
        assert.include(String(error), "baseUrl")
        assert.include(String(error), "there is no page: use an absolute URL")
      })
  )

  it.scopedLive("is not what an absolute one is in a page", () =>
    Effect.gen(function*() {
      yield* pageAt("https://page.example")
      const context = yield* Layer.build(client("https://api.example.com/v1"))
      assert.strictEqual(
        yield* Effect.provide(Effect.map(ApiClient, (client) => client.baseUrl), context),
        "https://api.example.com/v1"
      )
      // Without a slash, it is more likely a mistake.
      for (const baseUrl of ["api", "localhost:8025", ""]) {
        assert.include(String(yield* Effect.flip(Layer.build(client(baseUrl)))), "must be an http or https URL")
      }
    }))
})

describe("the user agent", () => {
  /** Makes the global scope that of a runtime whose navigator names itself so. */
  const navigatorOf = (userAgent: string) =>
    Effect.acquireRelease(
      Effect.sync(() => {
        const own = Object.getOwnPropertyDescriptor(globalThis, "navigator")
        Object.defineProperty(globalThis, "navigator", { configurable: true, value: { userAgent } })
        return own
      }),
      (own) =>
        Effect.sync(() =>
          own === undefined
            ? Reflect.deleteProperty(globalThis, "navigator")
            : Object.defineProperty(globalThis, "navigator", own)
        )
    )

  it.scopedLive.each([["Mozilla/5.0 (X11)", false], ["Node.js/24", true]] as const)(
    "%s is replaced by the client's: %s",
    ([userAgent, isReplaced]) =>
      Effect.gen(function*() {
        const server = yield* serve(json(200, emptyList))
        yield* navigatorOf(userAgent)
        yield* Effect.provide(
          Effect.flatMap(Contacts, (contacts) => contacts.list()),
          Layer.provide(Contacts.layer, client(server.baseUrl))
        )
        assert.strictEqual(/^mailstream/.test(server.received[0]?.headers["user-agent"] ?? ""), isReplaced)
      })
  )
})

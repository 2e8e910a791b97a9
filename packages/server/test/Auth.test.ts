import { assert, describe, it } from "@effect/vitest"
import { ApiKeyId, Resource, Timestamp } from "@mailstream/core"
import { Auth, Server, Store, StoreError } from "@mailstream/server"
import { Context, DateTime, Effect, Layer, Redacted } from "effect"
import { createHash, randomUUID } from "node:crypto"
import { assertError, page, raw, send } from "./support/http.ts"
import { stores } from "./support/stores.ts"

const hashOf = (secret: string): string => createHash("sha256").update(secret).digest("hex")

/** Stores a key under any hash. */
const insertHash = (hash: string) =>
  Effect.gen(function*() {
    const store = yield* Store
    const id = ApiKeyId.make(randomUUID())
    const created_at = Timestamp.fromDateTime(yield* DateTime.now)
    yield* store.insertKey({ id, name: "Stored", created_at, last_used_at: null }, hash)
    return id
  })

const failed = new StoreError({ reason: "Unavailable", description: "The database is not available." })

const use = (secret: string) => send("/topics", { key: `Bearer ${secret}` })

describe.each(stores)("API keys on %s", (_, store) => {
  it.scopedLive("are compared by their complete hash, not only by the digits they are looked up by", () =>
    Effect.gen(function*() {
      const hash = hashOf("re_known")
      // Hashes that differ from the one of the secret sent only in their last digit, or in all but the first 16.
      const last = hash.endsWith("0") ? "1" : "0"
      yield* insertHash(`${hash.slice(0, 63)}${last}`)
      yield* insertHash(`${hash.slice(0, 16)}${"0".repeat(48)}`)
      assertError(yield* use("re_known"), 403, "invalid_api_key")
      // A key is accepted even if others begin in the same way.
      yield* insertHash(hash)
      assert.strictEqual((yield* use("re_known")).status, 200)
    }).pipe(Effect.provide(Server.layerTest({ store }))))

  it.scopedLive("that are deleted are rejected at once, and others are not", () =>
    Effect.gen(function*() {
      const [first, second] = [yield* insertHash(hashOf("re_first")), yield* insertHash(hashOf("re_second"))]
      const { delete: remove } = yield* Store
      assert.strictEqual((yield* use("re_first")).status, 200)
      yield* remove(Resource.apiKeys, [first])
      assertError(yield* use("re_first"), 403, "invalid_api_key")
      assert.strictEqual((yield* use("re_second")).status, 200)
      assert.isTrue((yield* page("/api-keys")).data.some(({ id }) => id === second))
    }).pipe(Effect.provide(Server.layerTest({ store }))))
})

describe("API keys", () => {
  it.scopedLive("are neither listed nor logged, and their hashes are not listed", () =>
    Effect.gen(function*() {
      const { apiKey } = yield* Server.TestServer
      const { text } = yield* send("/api-keys")
      assert.notInclude(text, Redacted.value(apiKey))
      assert.notInclude(text, hashOf(Redacted.value(apiKey)).slice(0, 16))
      assert.deepStrictEqual(Object.keys(JSON.parse(text).data[0]).sort(), ["created_at", "id", "last_used_at", "name"])
    }).pipe(Effect.provide(Server.layerTest())))

  it.scopedLive("that no request could carry are rejected", () =>
    Effect.gen(function*() {
      for (const secret of ["", " ", "\u200b", "two words", "schlüssel"]) {
        const error = yield* Effect.flip(Auth.insertKey({ secret: Redacted.make(secret) }))
        assert(error._tag === "InvalidOption")
        assert.strictEqual(error.message, "secret must be visible ASCII characters, at least one")
        if (secret.trim() !== "") assert.notInclude(error.message, secret)
      }
      const refused = yield* Effect.flip(Layer.build(Server.layer({ apiKeys: [Redacted.make("")] })))
      assert(refused._tag === "InvalidOption")
      assert.strictEqual(refused.option, "apiKeys[0]")
    }).pipe(Effect.provide(Store.layerMemory)))

  it.scopedLive("are checked before anything else about a request", () =>
    Effect.gen(function*() {
      for (const path of ["/topics", "/nowhere", "/topics?limit=1000", "/segments/x/contacts", "/topics/"]) {
        for (const method of ["GET", "POST", "DELETE", "HEAD"]) {
          const { headers, status } = yield* send(path, { method, key: "" })
          assert.strictEqual(status, 401, `${method} ${path}`)
          assert.strictEqual(headers.get("www-authenticate"), "Bearer")
        }
      }
      // As is the absolute URL that proxies send.
      assert.match(
        yield* raw("GET http://x/topics HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"),
        /^HTTP\/1\.1 401/
      )
    }).pipe(Effect.provide(Server.layerTest())))

  it.scopedLive("that are rejected do not count towards the rate limit", () =>
    Effect.gen(function*() {
      for (let attempt = 0; attempt < 5; attempt++) assertError(yield* use("re_wrong"), 403, "invalid_api_key")
      assert.strictEqual((yield* send("/topics")).status, 200)
      assertError(yield* send("/topics"), 429, "rate_limit_exceeded")
    }).pipe(Effect.provide(Server.layerTest({ rateLimit: { requests: 1, per: "1 hour" } }))))

  it.scopedLive("let requests through even if their use cannot be recorded", () => {
    const store = Layer.map(
      Store.layerMemory,
      (context) => Context.make(Store, { ...Context.get(context, Store), touchKey: () => Effect.fail(failed) })
    )
    return Effect.gen(function*() {
      assert.strictEqual((yield* send("/topics")).status, 200)
    }).pipe(Effect.provide(Server.layerTest({ store })))
  })
})

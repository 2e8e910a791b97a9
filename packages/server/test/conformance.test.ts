import { HttpApi } from "@effect/platform"
import { assert, describe, layer } from "@effect/vitest"
import { ApiError, PageRequest, Resource } from "@mailstream/core"
import { Api } from "@mailstream/http"
import { Server, type Store } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import { Array, Effect, FastCheck as fc, Layer, Option, Redacted, Schema } from "effect"
import { assertError, post, send } from "./support/http.ts"
import * as Http from "./support/http.ts"
import { stores } from "./support/stores.ts"
import * as Walk from "./support/walk.ts"

const samples: SampleData.Options = {
  domains: 23,
  apiKeys: 24,
  broadcasts: 25,
  segments: 3,
  contacts: 150,
  receivedEmails: 30,
  emails: 45,
  templates: 41,
  topics: 62
}

/** An email that has attachments. */
const emailWithAttachments = SampleData.receivedEmail(
  Array.range(0, 29).find((number) => SampleData.attachments(number).length === 3)!
).id

const segment = SampleData.segment(0).id

interface AnyResource {
  readonly item: Schema.Schema.AnyNoContext
  readonly id: Schema.Schema.AnyNoContext
  readonly pagination: Resource.Pagination
}

/** Every list of the contract: its path, its resource, and the number of its items. */
const lists: ReadonlyArray<readonly [path: string, resource: AnyResource, count: number]> = [
  ["/domains", Resource.domains, 23],
  // Includes the key that the tests use.
  ["/api-keys", Resource.apiKeys, 25],
  ["/broadcasts", Resource.broadcasts, 25],
  ["/segments", Resource.segments, 3],
  ["/contacts", Resource.contacts, 150],
  [`/segments/${segment}/contacts`, Resource.contacts, 30],
  ["/emails/receiving", Resource.receivedEmails, 30],
  [`/emails/receiving/${emailWithAttachments}/attachments`, Resource.receivedEmailAttachments, 3],
  ["/emails", Resource.emails, 45],
  ["/templates", Resource.templates, 41],
  ["/topics", Resource.topics, 62]
]

const badLimits = [
  "limit=abc",
  "limit=1.5",
  "limit=1e2",
  "limit=0x10",
  "limit=",
  "limit",
  "limit=0",
  "limit=101",
  "limit=-1",
  "limit=%2B5",
  "limit=%205",
  "limit=5%0A",
  "limit=١٠",
  "limit=NaN",
  "limit=99999999999999999999",
  "limit=5&limit=5"
]

const never = "00000000-0000-4000-8000-000000000000"

/** Without the time of a key's last use, which changes while the tests run. */
const still = <A>(value: A): A =>
  JSON.parse(JSON.stringify(value), (name, value) => name === "last_used_at" ? null : value)

const page = (path: string) => Effect.map(Http.page(path), still)
const forward = (path: string, limit: number) => Effect.map(Walk.forward(path, limit), still)
const backward = (path: string, limit: number, from: string) => Effect.map(Walk.backward(path, limit, from), still)

const server = (store: Layer.Layer<Store>) =>
  Server.layerTest({ store: Layer.provideMerge(SampleData.layer(samples), store) }).pipe(Layer.orDie)

/** The response schemas of each operation of the contract, by status. */
const operations = (() => {
  const found = new Map<string, Map<number, Schema.Schema.AnyNoContext>>()
  HttpApi.reflect(Api.Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, errors, successes }) => {
      const responses = new Map<number, Schema.Schema.AnyNoContext>()
      for (const [status, { ast }] of [...errors, ...successes]) {
        if (Option.isSome(ast)) responses.set(status, Schema.make(ast.value))
      }
      found.set(`${endpoint.method} ${endpoint.path}`, responses)
    }
  })
  return found
})()

describe.each(stores)("the service on %s", (_, store) => {
  layer(server(store), { excludeTestServices: true, timeout: "30 seconds" })((it) => {
    describe.each(lists)("GET %s", (path, resource, count) => {
      const isOptional = resource.pagination === "optional"

      it.effect("walks from the newest item to the oldest, and back", () =>
        Effect.gen(function*() {
          const pages = yield* forward(path, 7)
          const items = pages.flatMap(({ data }) => data)
          assert.strictEqual(items.length, count)
          assert.strictEqual(new Set(items.map(({ id }) => id)).size, count)
          for (const { data, has_more, object } of pages.slice(0, -1)) {
            assert.strictEqual(object, "list")
            assert.strictEqual(data.length, 7)
            assert.isTrue(has_more)
          }
          const back = yield* backward(path, 7, items.at(-1)!.id)
          assert.deepStrictEqual(back.reverse().flatMap(({ data }) => data), items.slice(0, -1))
        }))

      it.effect("lists items that match the contract, newest first", () =>
        Effect.gen(function*() {
          const { data } = yield* page(`${path}?limit=100`)
          const items: ReadonlyArray<{ created_at?: string }> = yield* Schema.decodeUnknown(
            Schema.Array(resource.item)
          )(data)
          const times = items.flatMap(({ created_at }) =>
            created_at === undefined ? [] : [Date.parse(created_at.replace("+00", "Z"))]
          )
          assert.deepStrictEqual(times, [...times].sort((a, b) => b - a))
        }))

      it.effect("lists everything, or 20 items, without a limit", () =>
        Effect.gen(function*() {
          const { data, has_more } = yield* page(path)
          assert.strictEqual(data.length, isOptional ? count : 20)
          assert.strictEqual(has_more, !isOptional)
          const all = (yield* forward(path, 100)).flatMap(({ data }) => data)
          assert.deepStrictEqual(data, all.slice(0, data.length))
          if (!isOptional) return
          // Without a limit, a cursor selects everything on its side.
          const middle = all.length >> 1
          const after = yield* page(`${path}?after=${all[middle]!.id}`)
          assert.deepStrictEqual(after, { object: "list", has_more: false, data: all.slice(middle + 1) })
          const before = yield* page(`${path}?before=${all[middle]!.id}`)
          assert.deepStrictEqual(before, { object: "list", has_more: false, data: all.slice(0, middle) })
        }))

      it.effect("stops at both ends", () =>
        Effect.gen(function*() {
          const all = (yield* forward(path, 100)).flatMap(({ data }) => data)
          const nothing = { object: "list", has_more: false, data: [] }
          assert.deepStrictEqual(yield* page(`${path}?limit=5&after=${all.at(-1)!.id}`), nothing)
          assert.deepStrictEqual(yield* page(`${path}?limit=5&before=${all[0]!.id}`), nothing)
          const exact = yield* page(`${path}?limit=1&after=${all.at(-2)!.id}`)
          assert.deepStrictEqual(exact, { object: "list", has_more: false, data: [all.at(-1)!] })
          const one = yield* page(`${path}?limit=1&before=${all.at(-1)!.id}`)
          assert.deepStrictEqual(one, { object: "list", has_more: true, data: [all.at(-2)!] })
        }))

      it.effect("rejects limits that are not integers from 1 to 100", () =>
        Effect.gen(function*() {
          for (const query of badLimits) {
            assertError(yield* send(`${path}?${query}`), 422, "validation_error", PageRequest.limitMessage)
          }
        }))

      it.effect("rejects cursors that are not ids, and both cursors at once", () =>
        Effect.gen(function*() {
          for (const parameter of ["after", "before"] as const) {
            const message = PageRequest.cursorMessage(parameter)
            assertError(yield* send(`${path}?${parameter}=`), 422, "validation_error", message)
            const twice = yield* send(`${path}?${parameter}=${never}&${parameter}=${never}`)
            assertError(twice, 422, "validation_error", message)
            for (const query of [`limit=5&${parameter}=../x`, `${parameter}=${never}0`]) {
              assertError(yield* send(`${path}?${query}`), 422, "validation_error", message)
            }
          }
          const [item] = (yield* page(`${path}?limit=1`)).data
          const both = yield* send(`${path}?after=${item!.id}&before=${item!.id}`)
          assertError(both, 422, "validation_error", PageRequest.cursorsMessage)
        }))

      it.effect("does not find a cursor that was never in the list", () =>
        Effect.gen(function*() {
          const message = "The pagination cursor references an object that does not exist."
          const other = path === "/topics" ? SampleData.contact(0).id : SampleData.topic(0).id
          for (const query of [`after=${never}`, `before=${never}&limit=3`, `after=${other}&limit=3`]) {
            assertError(yield* send(`${path}?${query}`), 404, "not_found", message)
          }
        }))

      it.effect("responds to HEAD without a body", () =>
        Effect.gen(function*() {
          // When the key was last used is part of the API keys, and may change between two requests, but not in both gaps.
          const before = yield* send(`${path}?limit=2`)
          const head = yield* send(`${path}?limit=2`, { method: "HEAD" })
          const after = yield* send(`${path}?limit=2`)
          assert.strictEqual(head.status, 200)
          assert.strictEqual(head.text, "")
          assert.include(
            [before, after].map(({ headers }) => headers.get("content-length")),
            head.headers.get("content-length")
          )
          assert.strictEqual((yield* send(path, { method: "HEAD" })).status, 200)
        }))

      it.effect("rejects other methods", () =>
        Effect.gen(function*() {
          const allowed = operations.has(`POST ${path}`) ? ["POST"] : []
          for (const method of ["DELETE", "PUT", "PATCH", "OPTIONS", "POST"].filter((one) => !allowed.includes(one))) {
            const response = yield* send(path, { method })
            assertError(response, 405, "method_not_allowed")
            assert.strictEqual(response.headers.get("allow"), ["GET", "HEAD", ...allowed].join(", "))
          }
        }))
    })

    it.effect("checks the key before anything else", () =>
      Effect.gen(function*() {
        const requests: ReadonlyArray<readonly [path: string, method: string]> = [
          ...lists.map(([path]) => [path, "GET"] as const),
          ["/contacts?limit=0", "GET"],
          ["/topics", "POST"],
          ["/topics", "DELETE"],
          ["/segments/%zz/contacts", "GET"],
          ["/nowhere", "GET"]
        ]
        for (const [path, method] of requests) {
          for (const key of ["", "Basic cmVfdGVzdA==", "Bearer", "Bearer ", "re_test"]) {
            const response = yield* send(path, { method, key })
            assertError(response, 401, "missing_api_key")
            assert.strictEqual(response.headers.get("www-authenticate"), "Bearer")
          }
          for (const key of ["Bearer re_wrong", `Bearer ${"x".repeat(5000)}`, "Bearer \u00ff"]) {
            assertError(yield* send(path, { method, key }), 403, "invalid_api_key")
          }
        }
        const { apiKey } = yield* Server.TestServer
        assert.strictEqual((yield* send("/topics", { key: `bearer  ${Redacted.value(apiKey)}` })).status, 200)
        assertError(yield* send("/topics", { key: `Bearer ${Redacted.value(apiKey)}x` }), 403, "invalid_api_key")
      }))

    it.effect("lists the key in use with the time of its last use and without its secret", () =>
      Effect.gen(function*() {
        const { apiKey } = yield* Server.TestServer
        const { text } = yield* send("/api-keys")
        assert.notInclude(text, Redacted.value(apiKey))
        const used: ReadonlyArray<{ name: string; created_at: string; last_used_at: string }> = JSON.parse(text).data
        const key = used.find(({ name }) => name === "Default")
        assert(key !== undefined)
        assert.match(key.last_used_at, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00$/)
        assert.hasAllKeys(key, ["id", "name", "created_at", "last_used_at"])
      }))

    it.effect("has no other paths", () =>
      Effect.gen(function*() {
        const paths = [
          "/nowhere",
          "/contacts/",
          "//contacts",
          "/Contacts",
          "/contacts/1",
          "/segments//contacts",
          "/emails/receiving//attachments",
          `/segments/${segment}/contacts/`,
          "/emails/%72eceiving",
          "/%",
          "/__proto__",
          "/constructor?limit=1",
          `/${"x".repeat(8000)}`
        ]
        for (const path of paths) assertError(yield* send(path), 404, "not_found")
      }))

    it.effect("does not find a segment or an email that does not exist", () =>
      Effect.gen(function*() {
        for (
          const id of [never, "x", "%00", "a%2Fb", "%2e%2e%2f", "%F0%9F%8E%89", "'; DROP TABLE mailstream_items; --"]
        ) {
          assertError(yield* send(`/segments/${id}/contacts`), 404, "not_found")
          assertError(yield* send(`/segments/${id}/contacts?limit=1`), 404, "not_found")
          assertError(yield* send(`/emails/receiving/${id}/attachments`), 404, "not_found")
        }
        for (const id of ["%", "%zz", "%ff", "%C3%28"]) {
          assertError(yield* send(`/segments/${id}/contacts`), 422, "validation_error")
          assertError(yield* send(`/emails/receiving/${id}/attachments`), 422, "validation_error")
        }
        assertError(yield* send("/emails?after=%00"), 422, "validation_error", PageRequest.cursorMessage("after"))
      }))

    it.effect("does not filter by a segment in the query", () =>
      Effect.gen(function*() {
        const { data } = yield* page(`/contacts?segment_id=${segment}`)
        assert.strictEqual(data.length, 150)
      }))

    it.effect("creates topics, each as the newest", () =>
      Effect.gen(function*() {
        const inputs = [
          { name: "x" },
          { name: "x".repeat(50), description: "y".repeat(200), default_subscription: "opt_in", visibility: "public" },
          { name: "🎉".repeat(50), description: "Ω".repeat(200), default_subscription: "opt_out" },
          { name: "\u0000\ud800\"\\\n\u2028", description: "", unknown: { field: [1] } }
        ]
        for (const input of inputs) {
          const response = yield* post("/topics", input)
          assert.strictEqual(response.status, 201, response.text)
          const { id, ...rest } = JSON.parse(response.text)
          assert.deepStrictEqual(rest, { object: "topic" })
          const { data } = yield* page("/topics?limit=1")
          const { created_at, ...topic } = data[0] as typeof data[number] & { created_at: string }
          assert.match(created_at, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/)
          assert.deepStrictEqual<unknown>(topic, {
            id,
            name: input.name,
            description: input.description ?? null,
            default_subscription: input.default_subscription ?? "opt_in",
            visibility: input.visibility ?? "private"
          })
        }
      }))

    it.effect("rejects topics that break the rules", () =>
      Effect.gen(function*() {
        const inputs = [
          [{}, "Missing `name` field."],
          [{ name: "x".repeat(51) }, "The `name` field must be a string of at most 50 characters."],
          [{ name: "🎉".repeat(51) }, "The `name` field must be a string of at most 50 characters."],
          ...["", " ", "\t\r\n", "\u00a0\u3000", "\u200b", "\u200d\u2060\ufeff", "\u00ad", "\u0000", "\u3164", "\u2800"]
            .map((
              name
            ) => [{ name }, "The `name` field must not be blank."] as const),
          [{ name: 1 }, "The `name` field must be a string of at most 50 characters."],
          [{ name: null }, "The `name` field must be a string of at most 50 characters."],
          [{ name: ["x"] }, "The `name` field must be a string of at most 50 characters."],
          [
            { name: "x", description: "x".repeat(201) },
            "The `description` field must be a string of at most 200 characters."
          ],
          [{ name: "x", description: 1 }, "The `description` field must be a string of at most 200 characters."],
          [
            { name: "x", default_subscription: "maybe" },
            "The `default_subscription` field must be `opt_in` or `opt_out`."
          ],
          [
            { name: "x", default_subscription: true },
            "The `default_subscription` field must be `opt_in` or `opt_out`."
          ],
          [{ name: "x", visibility: "secret" }, "The `visibility` field must be `public` or `private`."],
          ["[]", undefined],
          ["null", "The body must be an object."],
          ["1", "The body must be an object."],
          ["\"name\"", "The body must be an object."]
        ] as const
        const before = yield* page("/topics?limit=1")
        for (const [body, message] of inputs) {
          const name = message?.startsWith("Missing") === true ? "missing_required_field" : "validation_error"
          assertError(yield* post("/topics", body), 422, name, message)
        }
        assert.deepStrictEqual(yield* page("/topics?limit=1"), before)
      }))

    it.effect("rejects bodies that are not JSON", () =>
      Effect.gen(function*() {
        const bodies = [
          "",
          "{",
          "{\"name\":\"x\"",
          "name=x",
          "{'name':'x'}",
          "\u0000",
          "[".repeat(100_000),
          "{\"name\":NaN}"
        ]
        for (const body of bodies) assertError(yield* post("/topics", body), 400, "validation_error")
        const latin1 = new Uint8Array([...new TextEncoder().encode("{\"name\":\""), 0xff, 0x22, 0x7d])
        assertError(yield* send("/topics", { method: "POST", body: latin1 }), 400, "validation_error")
        for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "json"]) {
          const headers = { "content-type": type }
          const response = yield* send("/topics", { method: "POST", headers, body: "{\"name\":\"x\"}" })
          assertError(response, 400, "validation_error", "The `Content-Type` must be `application/json`.")
        }
        for (const type of ["application/json; charset=utf-8", "APPLICATION/JSON", "application/problem+json"]) {
          const headers = { "content-type": type }
          assert.strictEqual(
            (yield* send("/topics", { method: "POST", headers, body: "{\"name\":\"x\"}" })).status,
            201
          )
        }
      }))

    it.effect("rejects deeply nested values", () =>
      Effect.gen(function*() {
        for (
          const deep of [
            `${"[".repeat(100_000)}${"]".repeat(100_000)}`,
            `${"{\"a\":".repeat(100_000)}1${"}".repeat(100_000)}`
          ]
        ) {
          for (const field of ["name", "description", "default_subscription", "visibility"]) {
            assertError(yield* post("/topics", `{"name":"x","${field}":${deep}}`), 422, "validation_error")
          }
          assert.strictEqual((yield* post("/topics", `{"name":"x","other":${deep}}`)).status, 201)
        }
      }))

    it.effect("accepts a body of up to 1 MiB", () =>
      Effect.gen(function*() {
        const body = (size: number) => `{"name":"x","padding":"${"x".repeat(size - 25)}"}`
        assert.strictEqual(body(1000).length, 1000)
        assert.strictEqual((yield* post("/topics", body(1024 * 1024))).status, 201)
        for (const size of [1024 * 1024 + 1, 5 * 1024 * 1024]) {
          assertError(yield* post("/topics", body(size)), 413, "validation_error")
          const stream = new Blob([body(size)]).stream()
          const chunked: RequestInit = { method: "POST", body: stream, duplex: "half" } as never
          assertError(yield* send("/topics", chunked), 413, "validation_error")
        }
      }))

    it.effect("shows its documentation without a key", () =>
      Effect.gen(function*() {
        const docs = yield* send("/docs", { key: "" })
        assert.strictEqual(docs.status, 200)
        assert.include(docs.headers.get("content-type"), "text/html")
        const openapi = yield* send("/openapi.json", { key: "" })
        assert.strictEqual(openapi.status, 200)
        const paths: Record<string, object> = JSON.parse(openapi.text).paths
        assert.strictEqual(Object.values(paths).flatMap((path) => Object.keys(path)).length, operations.size)
        assertError(yield* send("/docs", { method: "POST", key: "" }), 405, "method_not_allowed")
        assert.strictEqual((yield* send("/openapi.json", { method: "HEAD", key: "" })).status, 200)
      }))

    it.effect("responds to any input as the contract says, and never with an internal error", () =>
      Effect.gen(function*() {
        const text = fc.oneof(
          fc.string({ unit: "binary", maxLength: 20 }),
          fc.constantFrom("", "0", "5", "100", "101", never, segment, "null", "undefined", "%", "../..", "\0")
        )
        const requests = fc.record({
          operation: fc.constantFrom(...operations.keys()),
          param: text,
          query: fc.array(fc.tuple(fc.constantFrom("limit", "after", "before", "segment_id"), text), { maxLength: 3 }),
          body: fc.oneof(
            fc.json(),
            fc.string(),
            fc.record({ name: text, description: text }).map((x) => JSON.stringify(x))
          )
        })
        for (const { body, operation, param, query } of fc.sample(requests, { seed: 1, numRuns: 150 })) {
          const [method = "", path = ""] = operation.split(" ")
          const filled = path.replace(
            /:\w+/,
            () => encodeURIComponent(Buffer.from(param).toString()).replace(/^\.+$/, "x") || "x"
          )
          const search = new URLSearchParams(query).toString()
          const response = method === "POST" ? yield* post(filled, body) : yield* send(`${filled}?${search}`)
          assert.isBelow(response.status, 500, `${method} ${filled}?${search}: ${response.text}`)
          const schema = operations.get(operation)!.get(response.status)
          assert(schema !== undefined, `${operation} does not declare ${response.status}`)
          const decoded: unknown = yield* Schema.decodeUnknown(schema)(JSON.parse(response.text))
          if (response.status >= 400) assert.isTrue(Schema.is(Schema.typeSchema(ApiError))(decoded))
        }
      }))
  })
})

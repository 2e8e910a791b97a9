import { assert, describe, layer } from "@effect/vitest"
import { Server, type Store } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import { Effect, FastCheck as fc, Layer } from "effect"
import * as Http from "./support/http.ts"
import { stores } from "./support/stores.ts"

/** What every JavaScript object has, and so what a careless lookup finds in any of them. */
const inherited = [...Object.getOwnPropertyNames(Object.prototype), "prototype", "length", "name", "then"]

const call = (method: string, path: string, body?: string) =>
  Effect.map(
    Http.send(path, { method, ...body === undefined ? {} : { headers: { "content-type": "application/json" }, body } }),
    ({ status, text }) => {
      assert.include([200, 201], status, `${method} ${path}: ${text}`)
      return JSON.parse(text)
    }
  )

/** An object as JSON. `JSON.parse` and a spread keep `__proto__`; an assignment does not. */
const object = (entries: ReadonlyArray<readonly [string, unknown]>): string =>
  JSON.stringify(Object.fromEntries(entries))

const server = (store: Layer.Layer<Store>) =>
  Server.layerTest({ store: Layer.provideMerge(SampleData.layer({ emails: 3, receivedEmails: 3 }), store) })
    .pipe(Layer.orDie)

const changes = fc.record({
  first: fc.dictionary(fc.constantFrom(...inherited), fc.oneof(fc.string(), fc.double()).map(String)),
  next: fc.dictionary(fc.constantFrom(...inherited), fc.option(fc.string()))
})

describe.each(stores)("names that every object has, on %s", (_, store) => {
  layer(server(store), { excludeTestServices: true, timeout: "60 seconds" })((it) => {
    it.effect("are keys of contact properties like any other", () =>
      Effect.gen(function*() {
        for (const key of inherited) {
          const { id } = yield* call("POST", "/contact-properties", object([["key", key], ["type", "string"]]))
          assert.strictEqual((yield* call("GET", `/contact-properties/${id}`)).key, key)
          const again = yield* Http.post("/contact-properties", object([["key", key], ["type", "string"]]))
          Http.assertError(again, 422, "validation_error", "The `key` field must not be the key of another property.")
        }
        let count = 0
        for (const { first, next } of fc.sample(changes, { numRuns: 30, seed: 1 })) {
          const { id } = yield* call(
            "POST",
            "/contacts",
            `{"email":"k${++count}@example.com","properties":${object(Object.entries(first))}}`
          )
          const shown = Effect.map(call("GET", `/contacts/${id}`), ({ properties }) =>
            new Map(Object.entries<{ readonly value: unknown }>(properties).map(([key, { value }]) => [key, value])))
          const expected = new Map<string, unknown>(Object.entries(first))
          assert.deepStrictEqual(yield* shown, expected)
          yield* call("PATCH", `/contacts/${id}`, `{"properties":${object(Object.entries(next))}}`)
          for (const [key, value] of Object.entries(next)) {
            if (value === null) {
              expected.delete(key)
            } else expected.set(key, value)
          }
          assert.deepStrictEqual(yield* shown, expected)
        }
      }))

    it.effect("name nothing that was not created", () =>
      Effect.gen(function*() {
        for (const name of [...inherited, "__proto__"]) {
          for (const list of ["contacts", "templates", "suppressions", "segments", "domains", "webhooks", "topics"]) {
            Http.assertError(yield* Http.send(`/${list}/${name}`), 404, "not_found")
          }
          const page = yield* Http.send(`/contacts?after=${name}&${name}=1`)
          assert.notStrictEqual(page.status, 200, page.text)
        }
      }))

    it.effect("are variables and aliases of templates like any other", () =>
      Effect.gen(function*() {
        const variables = inherited.map((key) => ({ key, type: "string", fallback_value: key }))
        for (const alias of inherited) {
          yield* call("POST", "/templates", JSON.stringify({ name: alias, html: "<p>Hi</p>", alias, variables }))
          const template = yield* call("GET", `/templates/${alias}`)
          assert.strictEqual(template.alias, alias)
          assert.deepStrictEqual(
            template.variables.map(({ fallback_value, key }: Record<string, unknown>) => [key, fallback_value]),
            inherited.map((key) => [key, key])
          )
        }
      }))
  })
})

import { assert, describe, it } from "@effect/vitest"
import { InvalidOption, Mailstream, ValidationError, type Walk } from "@mailstream/client"
import { Resource } from "@mailstream/core"
import { sendJson, serve } from "@mailstream/testing/HttpServer"
import { Effect, Either, FastCheck as fc } from "effect"
import { inspect } from "node:util"
import { fieldsOf, filtered, filters, listOf } from "./support/filters.ts"
import { rejection, scoped } from "./support/service.ts"

const memory = () => {
  const texts = new Map<string, string>()
  return {
    get: async (key: string) => texts.get(key),
    set: async (key: string, text: string) => texts.set(key, text),
    remove: async (key: string) => texts.delete(key),
    has: async (key: string) => texts.has(key)
  }
}

const collected = <A>(walk: Walk<A>): Promise<unknown> => walk.toArray({ limit: 1 })

const use = async (pages: Walk<{ readonly commit: () => Promise<void> }>): Promise<void> => {
  for await (const page of pages) await page.commit()
}

describe("filters", () => {
  it.scopedLive.each(filtered)("of $name select in every way to list", ({ resource }) =>
    Effect.gen(function*() {
      const urls: Array<URL> = []
      const baseUrl = yield* serve((request, response) => {
        urls.push(new URL(request.url!, "http://service"))
        sendJson(response, 200, { object: "list", has_more: false, data: [] })
      })
      const client = yield* scoped(() => new Mailstream({ baseUrl, apiKey: "re_1", logger: false }))
      const list = listOf(client, resource)
      const { signal } = new AbortController()
      const property = fc.asyncProperty(filters(resource), async (filter) => {
        urls.length = 0
        const options = { filter, signal }
        await list.list(options)
        await collected(list.items(options))
        await collected(list.pages(options))
        await list.process("key", () => {}, { ...options, store: memory() })
        await list.processPages("key", use, { ...options, store: memory() })
        const whole = list.whole === undefined ? 0 : (await collected(list.whole(options)), 1)
        assert.strictEqual(urls.length, 5 + whole)
        if (resource.isUnordered === true) {
          const refused = await rejection(collected(list.follow(options)))
          assert(refused instanceof InvalidOption, inspect(refused))
          return
        }
        const iterator = list.follow({ ...options, poll: 1 })[Symbol.asyncIterator]()
        const pending = iterator.next()
        while (urls.length < 6 + whole) await new Promise((resolve) => setImmediate(resolve))
        await iterator.return()
        await pending
        for (const { pathname, searchParams } of urls) {
          assert.strictEqual(pathname, Either.getOrThrow(Resource.path(resource as Resource.Location<unknown>, filter)))
          const { after: _, before: __, limit: ___, ...query } = Object.fromEntries(searchParams)
          assert.deepStrictEqual(query, Resource.query(resource as Resource.Location<unknown>, filter))
        }
      })
      yield* Effect.promise(() => fc.assert(property, { numRuns: 3 }))
    }))

  const offline = new Mailstream({
    baseUrl: "https://api.example.com",
    apiKey: "re_1",
    fetch: () => Promise.reject(new Error("nothing may be requested"))
  })

  it.each(filtered)("of $name are refused outside of `filter`, with advice", async ({ resource }) => {
    const list = listOf(offline, resource)
    const camelCase = (name: string) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
    for (const field of fieldsOf(resource)) {
      for (const name of new Set([field, camelCase(field), field.replace(/_id$/, "")])) {
        // An email has a meaning of its own only where a filter has that field.
        const options: object = { [name]: "x" }
        for (const call of [list.list(options), collected(list.items(options))]) {
          const error = await rejection(call)
          assert(error instanceof InvalidOption, inspect(error))
          assert.strictEqual(error.message, `${name} is not an option here: pass \`filter: { ${field} }\``)
        }
      }
      const error = await rejection(list.list({ filter: { [`${camelCase(field)}X`]: "x" } }))
      assert(error instanceof InvalidOption, inspect(error))
      assert.strictEqual(error.option, `filter.${camelCase(field)}X`)
    }
  })

  it.each(filtered)("of $name that are none are refused before any request", async ({ resource }) => {
    const fields = fieldsOf(resource)
    for (const filter of [null, "x", 5]) {
      const error = await rejection(listOf(offline, resource).list({ filter }))
      assert(error instanceof ValidationError, inspect(error))
      assert.strictEqual(error.message, `The filter must be an object: pass \`filter: { ${fields.join(", ")} }\`.`)
    }
    for (const filter of [{}, Object.fromEntries(fields.map((field) => [field, 5]))]) {
      const error = await rejection(listOf(offline, resource).list({ filter }))
      assert(error instanceof ValidationError, inspect(error))
      for (const field of fields) assert.include(error.message, `\`${field}\` must be `)
    }
    if (resource.isFilter(undefined)) return
    assert.instanceOf(await rejection(collected(listOf(offline, resource).items({}))), ValidationError)
  })
})

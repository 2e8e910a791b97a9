import { assert, describe, it } from "@effect/vitest"
import { Resource, WebhookId } from "@mailstream/core"
import { Store } from "@mailstream/server"
import { Array, Effect } from "effect"
import { stores } from "./support/stores.ts"

const line = (id: string, at: number, about: string | null = null) => ({
  id,
  at,
  about,
  fields: { id, text: "\u0000 ü" }
})

const webhook = (id: string) => ({ id: WebhookId.make(id), endpoint: "http://127.0.0.1:1", events: [] })

describe.each(stores)("the journal in %s", (_, layer) => {
  it.effect("keeps lines in order, by id and by what they are about", () =>
    Effect.gen(function*() {
      const store = yield* Store
      yield* store.atomically((objects) =>
        Effect.gen(function*() {
          yield* objects.write("events", [line("a", 30, "x"), line("b", 10, "y"), line("c", 20, "x")])
          yield* objects.write("events", [{ ...line("a", 5, "x"), fields: { changed: true } }])
          yield* objects.write("keys", [line("a", 1)])
        })
      )
      const ids = (selection: Parameters<typeof store.lines>[1]) =>
        Effect.map(store.lines("events", selection), Array.map(({ id }) => id))
      assert.deepStrictEqual(yield* ids({ from: "oldest", limit: 10 }), ["a", "b", "c"])
      assert.deepStrictEqual(yield* ids({ from: "newest", limit: 2 }), ["c", "b"])
      assert.deepStrictEqual(yield* ids({ from: "earliest", limit: 10 }), ["a", "b", "c"])
      assert.deepStrictEqual(yield* ids({ from: "earliest", limit: 10, until: 19 }), ["a", "b"])
      assert.deepStrictEqual(yield* ids({ from: "newest", limit: 10, about: "x" }), ["c", "a"])
      const second = yield* store.line("events", "b")
      assert.deepStrictEqual(second?.fields, { id: "b", text: "\u0000 ü" })
      assert.deepStrictEqual(yield* ids({ from: "oldest", limit: 10, after: second?.seq }), ["c"])
      assert.deepStrictEqual(yield* ids({ from: "oldest", limit: 10, before: second?.seq }), ["a"])
      assert.deepStrictEqual((yield* store.line("events", "a"))?.fields, { changed: true })
      assert.isUndefined(yield* store.line("events", "d"))
      assert.isUndefined(yield* store.forAccount("other").line("events", "a"))
    }).pipe(Effect.provide(layer)))

  it.effect("forgets what is struck, old, or too much", () =>
    Effect.gen(function*() {
      const store = yield* Store
      const left = Effect.map(
        store.lines("events", { from: "oldest", limit: 100 }),
        Array.map(({ id }) => id)
      )
      yield* store.atomically((objects) =>
        objects.write("events", Array.makeBy(10, (index) => line(String(index), index, "x")))
      )
      yield* store.atomically((objects) => objects.strike("events", ["1", "none"]))
      yield* store.atomically((objects) => objects.prune("events", { before: 3 }))
      assert.deepStrictEqual(yield* left, ["3", "4", "5", "6", "7", "8", "9"])
      yield* store.atomically((objects) => objects.prune("events", { before: 0, keep: 2 }))
      assert.deepStrictEqual(yield* left, ["8", "9"])
      // What was forgotten can be written again, as the newest.
      yield* store.atomically((objects) => objects.write("events", [line("1", 1)]))
      assert.deepStrictEqual(yield* left, ["8", "9", "1"])
    }).pipe(Effect.provide(layer)))

  it.effect("says what is to be done, in every account", () =>
    Effect.gen(function*() {
      const store = yield* Store
      const other = store.forAccount("other")
      yield* other.atomically((objects) => objects.write("deliveries", [line("1", 10, "w"), line("2", 20, "w")]))
      assert.deepStrictEqual(yield* store.agenda(10), { hasWebhooks: false, webhooks: [], lists: [], next: undefined })
      yield* store.insert(Resource.webhooks, [webhook("w")])
      yield* store.atomically((objects) => objects.add({ name: "emails" }, [{ id: "e", due: 15 }]))
      const nothing = { hasWebhooks: true, webhooks: [], lists: [] }
      const due = [{ account: "other", webhook: "w" }]
      assert.deepStrictEqual(yield* store.agenda(9), { ...nothing, next: 10 })
      assert.deepStrictEqual(yield* store.agenda(10), { ...nothing, webhooks: due, next: 15 })
      assert.deepStrictEqual(yield* store.agenda(15), {
        ...nothing,
        webhooks: due,
        lists: [{ account: "default", list: "emails" }],
        next: 20
      })
      yield* other.atomically((objects) => objects.strike("deliveries", ["1", "2"]))
      yield* store.delete(Resource.webhooks, [WebhookId.make("w")])
      assert.isFalse((yield* store.agenda(100)).hasWebhooks)
    }).pipe(Effect.provide(layer)))
})

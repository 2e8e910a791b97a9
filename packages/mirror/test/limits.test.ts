/** What a database cannot hold does not stop a list. */
import { SqlClient } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import { Mirror, UnstorableItem } from "@mailstream/mirror"
import { contacts } from "@mailstream/stream"
import { Dice } from "@mailstream/testing/Dice"
import { Chunk, Effect, Either, Stream } from "effect"
import { setup, sync } from "./support/copying.ts"
import { databases } from "./support/databases.ts"
import { contact, topic } from "./support/service.ts"

/** Arrays and objects within each other. */
const nested = (depth: number): unknown => {
  let value: unknown = "inside"
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { value }
  return value
}

/** An id that cannot be compressed. */
const longId = (length: number): string => {
  const dice = new Dice(1, 1)
  return Array.from({ length }, () => String.fromCharCode(0x21 + dice.below(90))).join("")
}

describe.each(databases)("a copy in %s", (name, open) => {
  it.scopedLive.each([
    "2026-01-02 03:04:05+23:00",
    "2026-01-02T03:04:05-23:59",
    "0000-01-01T00:00:00Z",
    "0001-01-01T00:00:00+15:59",
    "9999-12-31T23:59:59-23:59"
  ])("holds an item that was created at %s", (created_at) =>
    Effect.gen(function*() {
      const { layer, service } = yield* setup(open)
      yield* Effect.gen(function*() {
        const mirror = yield* Mirror.Mirror
        service.lists.set("/contacts", [contact(2, { created_at }), contact(1)])
        assert.include(yield* sync("contacts"), { created: 2 })
        assert.include(yield* sync("contacts"), { unchanged: 2 })
        const log = Chunk.toReadonlyArray(yield* Stream.runCollect(mirror.changes(contacts)))
        assert.sameMembers(log.map(({ item }) => String(item.created_at)), [created_at, "2026-01-02 03:04:05.678+00"])
      }).pipe(Effect.provide(layer))
    }))

  it.scopedLive("holds an item that is nested deeply, up to where it can", () =>
    Effect.gen(function*() {
      const { layer, service } = yield* setup(open)
      yield* Effect.gen(function*() {
        for (const [list, item] of [["contacts", contact], ["topics", topic]] as const) {
          service.lists.set(`/${list}`, [item(3, { extra: nested(1500) }), item(2, { extra: nested(2500) }), item(1)])
          assert.include(yield* sync(list), { created: 3 })
          assert.include(yield* sync(list), { unchanged: 3, updated: 0 })
        }
        const sql = yield* SqlClient.SqlClient
        const rows = yield* sql<{ email: string }>`SELECT email FROM current_contacts`
        assert.sameMembers(rows.map(({ email }) => email), [1, 2, 3].map((number) => `user${number}@example.com`))
      }).pipe(Effect.provide(layer))
    }))

  it.scopedLive("names an item whose id is too long, and holds all others", () =>
    Effect.gen(function*() {
      const { layer, service } = yield* setup(open)
      const id = longId(5000)
      yield* Effect.gen(function*() {
        const mirror = yield* Mirror.Mirror
        const sql = yield* SqlClient.SqlClient
        service.lists.set("/segments", [{ id: "c" }, { id }, { id: "a" }])
        for (let pass = 0; pass < 2; pass++) {
          const result = yield* Effect.either(sync("segments"))
          if (name === "PostgreSQL") {
            const error = Either.getOrThrow(Either.flip(result))
            assert.instanceOf(error, UnstorableItem)
            assert.strictEqual(error.id, id)
            assert.include(error.message, "5000 characters")
            const [status] = (yield* mirror.status).filter(({ list }) => list === "segments")
            assert.include(status?.error, "5000 characters")
            assert.isUndefined(status?.pass)
          } else assert.isTrue(Either.isRight(result))
        }
        const rows = yield* sql<{ id: string }>`SELECT id FROM current_segments`
        assert.sameMembers(rows.map(({ id }) => id), name === "PostgreSQL" ? ["c", "a"] : ["c", id, "a"])
        service.lists.set("/segments", [{ id: "c" }, { id: "a" }])
        yield* sync("segments")
        const [status] = (yield* mirror.status).filter(({ list }) => list === "segments")
        assert.isUndefined(status?.error)
      }).pipe(Effect.provide(layer))
    }))

  it.scopedLive("does not take the order of fields for a change", () =>
    Effect.gen(function*() {
      const { layer, service } = yield* setup(open)
      yield* Effect.gen(function*() {
        const mirror = yield* Mirror.Mirror
        for (const [list, item] of [["contacts", contact], ["topics", topic]] as const) {
          service.lists.set(`/${list}`, [item(1, { extra: { a: [{ x: 1, y: 2 }], b: 2 }, more: 1 })])
          yield* sync(list)
          service.lists.set(`/${list}`, [{ ...{ more: 1, extra: { b: 2, a: [{ y: 2, x: 1 }] } }, ...item(1) }])
          assert.include(yield* sync(list), { unchanged: 1, updated: 0 })
          service.lists.set(`/${list}`, [item(1, { extra: { b: 2, a: [{ y: 2, x: 2 }] }, more: 1 })])
          assert.include(yield* sync(list), { unchanged: 0, updated: 1 })
        }
        const [, change] = Chunk.toReadonlyArray(yield* Stream.runCollect(mirror.changes(contacts)))
        assert(change?._tag === "Updated")
        assert.deepStrictEqual(change.fields, ["extra"])
      }).pipe(Effect.provide(layer))
    }))
})

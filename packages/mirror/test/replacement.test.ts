/** Code that uses a copy is tested without a database. */
import { assert, describe, it } from "@effect/vitest"
import { ContactId, Timestamp } from "@mailstream/core"
import { Mailstream } from "@mailstream/http"
import { type Change, Mirror } from "@mailstream/mirror"
import { contacts } from "@mailstream/stream"
import { Effect, Layer, Stream } from "effect"

const item = {
  id: ContactId.make("00000000-0000-4000-8000-000000000001"),
  email: "ann@example.com",
  first_name: null,
  last_name: null,
  created_at: Timestamp.Timestamp.make("2026-01-02T03:04:05Z"),
  unsubscribed: false
}

/** Copies the contacts, and returns who has changed. */
const program = Effect.gen(function*() {
  const mirror = yield* Mirror.Mirror
  const [synced] = yield* mirror.sync({ lists: ["contacts"] })
  const emails = yield* Stream.runCollect(Stream.map(mirror.changes(contacts), ({ item }) => item.email))
  return { created: synced?.created, emails: [...emails] }
})

describe("a mirror that is replaced", () => {
  it.effect("does what the replacement does", () =>
    Effect.gen(function*() {
      const asked: Array<Mirror.SyncOptions | undefined> = []
      const change: Change.Created<typeof item> = { _tag: "Created", seq: 1, at: new Date(0), item }
      const replacement = Layer.mock(Mirror.Mirror, {
        account: "test",
        sync: (options) =>
          Effect.sync(() => {
            asked.push(options)
            return [{ list: "contacts" as const, created: 1, updated: 0, deleted: 0, unchanged: 0 }]
          }),
        // The one list that is asked for.
        changes: () => Stream.make(change) as never
      })
      const layer = Layer.merge(replacement, Mailstream.layerTest({}))
      assert.deepStrictEqual(yield* Effect.provide(program, layer), { created: 1, emails: ["ann@example.com"] })
      assert.deepStrictEqual(asked, [{ lists: ["contacts"] }])
    }))
})

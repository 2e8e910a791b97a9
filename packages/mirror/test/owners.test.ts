/** Owners that cannot be read. */
import { SqlClient } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import { Mirror, UnreadableOwners } from "@mailstream/mirror"
import { Effect, Either, Fiber } from "effect"
import { setup, sync } from "./support/copying.ts"
import { databases } from "./support/databases.ts"
import { contact, type Service, uuid } from "./support/service.ts"
import { until } from "./support/waiting.ts"

const [a, b] = [uuid(901), uuid(902)]

const serve = ({ lists }: Service) => {
  lists.set("/segments", [".", a, "..", b].map((id) => ({ id, name: `Segment ${id}` })))
  lists.set("/contacts", [contact(2), contact(1)])
  lists.set(`/segments/${a}/contacts`, [contact(1)])
  lists.set(`/segments/${b}/contacts`, [contact(2)])
}

const members = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ segment_id: string; contact_id: string }>`
    SELECT segment_id, contact_id FROM current_segment_contacts ORDER BY contact_id`
  return rows.map(({ contact_id, segment_id }) => [segment_id, contact_id])
})

const message = (account = "default") =>
  `The segment-contacts of account "${account}" could not be read within ".", "..": The filter \`segment_id\` must be the id of one ` +
  "segment. What belongs to all others was copied."

describe.each(databases)("owners in %s that cannot be requested", (_, open) => {
  it.scopedLive("do not stop the others, and are reported", () =>
    Effect.gen(function*() {
      const { layer, service } = yield* setup(open)
      serve(service)
      yield* Effect.gen(function*() {
        const error = yield* Effect.flip(sync("segment-contacts"))
        assert(error instanceof UnreadableOwners)
        assert.deepStrictEqual([error.owners, error.count], [[".", ".."], 2])
        assert.strictEqual(error.message, message())
        assert.deepStrictEqual(yield* members, [[a, uuid(1)], [b, uuid(2)]])
        const statuses = yield* Effect.flatMap(Mirror.Mirror, ({ status }) => status)
        const status = statuses.find(({ list }) => list === "segment-contacts")
        assert.strictEqual(status?.error, message())
        assert.isUndefined(status?.pass)
        assert.isString(status?.completedAt)
        const preview = yield* Effect.flip(sync("segment-contacts", { dryRun: true }))
        assert.strictEqual(preview.message, message())
      }).pipe(Effect.provide(layer))
    }))

  it.scopedLive("are reported if the database cannot hold their ids as they are", () =>
    Effect.gen(function*() {
      const { layer, service } = yield* setup(open)
      serve(service)
      service.lists.set("/segments", ["a\0b", a].map((id) => ({ id, name: "Segment" })))
      yield* Effect.gen(function*() {
        const error = yield* Effect.flip(sync("segment-contacts"))
        assert(error instanceof UnreadableOwners)
        assert.deepStrictEqual([error.owners, error.count], [["a\ufffdb"], 1])
        assert.include(error.message, "The database cannot hold the id as it is")
        assert.deepStrictEqual(yield* members, [[a, uuid(1)]])
      }).pipe(Effect.provide(layer))
    }))

  it.scopedLive("keep what was copied of them", () =>
    Effect.gen(function*() {
      const { layer, service } = yield* setup(open)
      serve(service)
      yield* Effect.gen(function*() {
        yield* Effect.flip(sync("segment-contacts"))
        const sql = yield* SqlClient.SqlClient
        yield* sql`UPDATE segment_contacts SET segment_id = '.' WHERE segment_id = ${a}`
        service.lists.set(`/segments/${a}/contacts`, [])
        yield* Effect.flip(sync("segment-contacts"))
        assert.deepStrictEqual(yield* members, [[".", uuid(1)], [b, uuid(2)]])
      }).pipe(Effect.provide(layer))
    }))

  it.scopedLive("are reported by a pass that was stopped after them, too", () =>
    Effect.gen(function*() {
      const { layer, service } = yield* setup(open)
      serve(service)
      yield* Effect.gen(function*() {
        // The owner after them.
        const last = (url: string) => url.startsWith(`/segments/${b}/`)
        service.onRequest = (url) => !last(url)
        const pass = yield* Effect.fork(sync("segment-contacts"))
        yield* until(() => service.requests.some(last))
        yield* Fiber.interrupt(pass)
        service.onRequest = () => {}
        const error = yield* Effect.flip(sync("segment-contacts"))
        assert.strictEqual(error.message, message())
        assert.deepStrictEqual(yield* members, [[a, uuid(1)], [b, uuid(2)]])
        service.lists.set("/segments", [a, b].map((id) => ({ id, name: id })))
        yield* sync("segments")
        assert.isTrue(Either.isRight(yield* Effect.either(sync("segment-contacts"))))
      }).pipe(Effect.provide(layer))
    }))
})

/** A copy that an earlier version has made, in which processes have written times by their own clocks. */
import { SqlClient } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import { Mirror } from "@mailstream/mirror"
import { Clock, Effect, Layer } from "effect"
import { layerOf, sync } from "./support/copying.ts"
import { type Database, databases } from "./support/databases.ts"
import { contact, make } from "./support/service.ts"

const some = (count: number) => Array.from({ length: count }, (_, index) => contact(count - index))

/** The tables as that version has left them, with changes by a clock that was this many seconds ahead. */
const older = (name: string, ahead: number) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const later = sql.literal(
      name === "SQLite" ? `strftime('%Y-%m-%dT%H:%M:%fZ', at, '+${ahead} seconds')` : `at + interval '${ahead} seconds'`
    )
    yield* sql`UPDATE mirror_changes SET at = ${later}`
    yield* sql`ALTER TABLE mirror_lists DROP COLUMN clock`
    yield* sql`DROP INDEX contacts_deleted`
    yield* sql`DELETE FROM mirror_migrations WHERE migration_id > 2`
  })

const seconds = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly at: string | Date }>`SELECT at FROM mirror_changes ORDER BY seq`
  return rows.map(({ at }) => new Date(at).getTime() / 1000)
})

describe.each(databases)("a copy in %s that an earlier version has made", (name, open) => {
  /** Copies two contacts, makes that an older copy, and opens it with this version. */
  const opened = (ahead: number) =>
    Effect.gen(function*() {
      const service = yield* make
      const database: Database = yield* open
      service.lists.set("/contacts", some(2))
      yield* Effect.provide(Effect.zipRight(sync("contacts"), older(name, ahead)), layerOf(service, database))
      return { service, layer: yield* Layer.build(layerOf(service, database)) }
    })

  for (const [ahead, what] of [[30, "goes on after"], [86_400, "does not take over"]] as const) {
    it.scopedLive(`${what} times that are ${ahead} seconds ahead`, () =>
      Effect.gen(function*() {
        const { layer, service } = yield* opened(ahead)
        yield* Effect.gen(function*() {
          service.lists.set("/contacts", some(3))
          yield* sync("contacts")
          const [, before = 0, now = 0] = yield* seconds
          if (ahead === 30) assert.isAtLeast(now, before)
          assert.isBelow(Math.abs(now - (yield* Clock.currentTimeMillis) / 1000), 61)
        }).pipe(Effect.provide(layer))
      }))
  }

  it.scopedLive("is complete: rows, changes and what consumers have committed are as they were", () =>
    Effect.gen(function*() {
      const { layer, service } = yield* opened(0)
      yield* Effect.gen(function*() {
        const mirror = yield* Mirror.Mirror
        const status = (yield* mirror.status).find(({ list }) => list === "contacts")
        assert.deepInclude(status, { items: 2, changes: 2, error: undefined, pass: undefined })
        service.lists.set("/contacts", some(1))
        assert.deepInclude(yield* sync("contacts"), { deleted: 1, unchanged: 1 })
      }).pipe(Effect.provide(layer))
    }))

  it.scopedLive("is written on by processes of that version that have opened it before", () =>
    Effect.gen(function*() {
      const { layer, service } = yield* opened(0)
      yield* Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        // What that version does in the middle of a pass, and then it is killed.
        const pass = {
          beganAt: "2026-01-01T00:00:00.000Z",
          activeAt: "2026-01-01T00:00:00.000Z",
          attempts: 1,
          restarts: 0,
          counts: { created: 0, updated: 0, deleted: 0, unchanged: 0 },
          progress: { _tag: "Whole" }
        }
        yield* sql`UPDATE mirror_lists SET version = version + 1, pass = ${JSON.stringify(pass)}
          WHERE list = 'contacts'`
        service.lists.set("/contacts", some(3))
        assert.deepInclude(yield* sync("contacts"), { created: 1, unchanged: 2 })
        assert.strictEqual((yield* seconds).length, 3)
      }).pipe(Effect.provide(layer))
    }))
})

/** What is dropped because it is old. */
import { SqlClient } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import { InvalidOption } from "@mailstream/core"
import { Mirror } from "@mailstream/mirror"
import { contacts } from "@mailstream/stream"
import { Deferred, Effect, Fiber } from "effect"
import { setup, sync } from "./support/copying.ts"
import { databases } from "./support/databases.ts"
import { contact } from "./support/service.ts"
import { anHourLater } from "./support/waiting.ts"

const some = (count: number) => Array.from({ length: count }, (_, index) => contact(count - index))

const count = (table: string) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{ readonly count: number | string }>`SELECT COUNT(*) AS count FROM ${sql(table)}`
    return Number(row?.count)
  })

describe.each(databases)("in %s", (name, open) => {
  it.scopedLive(
    "drops changes in the order of their numbers, no more than are allowed, and all in the end",
    () =>
      Effect.gen(function*() {
        const { layer, service } = yield* setup(open)
        service.lists.set("/contacts", some(5000))
        yield* Effect.gen(function*() {
          const mirror = yield* Mirror.Mirror
          const sql = yield* SqlClient.SqlClient
          yield* sync("contacts")
          assert.strictEqual(yield* anHourLater(mirror.prune("30 minutes", { atMost: 10 })), 10)
          const [first] = yield* sql<{ seq: number | string }>`SELECT MIN(seq) AS seq FROM mirror_changes`
          assert.strictEqual(Number(first?.seq), 11)
          // What a consumer has yet to see is left out.
          const crm = yield* Effect.fork(
            mirror.process(contacts, "crm", ({ seq }) => seq <= 110 ? Effect.void : Effect.never)
          )
          yield* Effect.repeat(Effect.zipRight(Effect.sleep("10 millis"), mirror.status), {
            until: (statuses) => (statuses.find(({ list }) => list === "contacts")?.consumers["crm"] ?? 0) >= 110
          })
          yield* Fiber.interrupt(crm)
          assert.strictEqual(yield* mirror.prune("30 minutes"), 100)
          assert.strictEqual(yield* mirror.prune("30 minutes"), 0)
          yield* sql`DELETE FROM mirror_consumers`
          // What is new stays.
          service.lists.set("/contacts", some(5003))
          yield* sync("contacts")
          assert.strictEqual(yield* mirror.prune("30 minutes"), 4890)
          assert.strictEqual(yield* count("mirror_changes"), 3)
          for (const atMost of [0, -1, 1.5]) {
            assert.instanceOf(yield* Effect.flip(mirror.prune("1 hour", { atMost })), InvalidOption)
          }
        }).pipe(Effect.provide(layer))
      }),
    60_000
  )

  it.scopedLive("drops deleted rows, no more than are allowed, and all in the end", () =>
    Effect.gen(function*() {
      const { layer, service } = yield* setup(open)
      service.lists.set("/contacts", some(5000))
      yield* Effect.gen(function*() {
        const mirror = yield* Mirror.Mirror
        yield* sync("contacts")
        service.lists.set("/contacts", some(10))
        yield* sync("contacts", { maxDeleted: 1 })
        assert.strictEqual(yield* mirror.purge("30 minutes"), 0)
        assert.strictEqual(yield* anHourLater(mirror.purge("30 minutes", { atMost: 90 })), 90)
        assert.strictEqual(yield* mirror.purge("30 minutes"), 4900)
        assert.strictEqual(yield* count("contacts"), 10)
      }).pipe(Effect.provide(layer))
    }), 60_000)

  it.scopedLive.skipIf(name === "SQLite")(
    "does not wait for changes that a pass has locked",
    () =>
      Effect.gen(function*() {
        const { layer, service } = yield* setup(open)
        service.lists.set("/contacts", some(20))
        yield* Effect.gen(function*() {
          const mirror = yield* Mirror.Mirror
          const sql = yield* SqlClient.SqlClient
          yield* sync("contacts")
          yield* anHourLater(Effect.void)
          const isLocked = yield* Deferred.make<void>()
          const pass = yield* sql`SELECT seq FROM mirror_changes WHERE seq = 7 FOR UPDATE`.pipe(
            Effect.zipRight(Deferred.succeed(isLocked, undefined)),
            Effect.zipRight(Effect.never),
            sql.withTransaction,
            Effect.fork
          )
          yield* Deferred.await(isLocked)
          assert.strictEqual(yield* Effect.timeout(mirror.prune("30 minutes"), "5 seconds"), 19)
          yield* Fiber.interrupt(pass)
          assert.strictEqual(yield* mirror.prune("30 minutes"), 1)
        }).pipe(Effect.provide(layer))
      })
  )

  it.scopedLive.skipIf(name === "SQLite")(
    "looks at few rows to find out that there is nothing to drop",
    () =>
      Effect.gen(function*() {
        const { layer, service } = yield* setup(open)
        service.lists.set("/contacts", some(3000))
        yield* Effect.gen(function*() {
          const sql = yield* SqlClient.SqlClient
          yield* sync("contacts")
          yield* sql`ANALYZE contacts`
          const plan = yield* sql<{ "QUERY PLAN": string }>`EXPLAIN SELECT 1 FROM contacts
          WHERE account = 'default' AND deleted_at < now()`
          assert.include(plan.map((row) => row["QUERY PLAN"]).join("\n"), "contacts_deleted")
        }).pipe(Effect.provide(layer))
      })
  )
})

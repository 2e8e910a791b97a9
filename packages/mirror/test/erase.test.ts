import { SqlClient } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import { Mirror } from "@mailstream/mirror"
import { contacts } from "@mailstream/stream"
import { Effect, Fiber } from "effect"
import { layerOf, sync } from "./support/copying.ts"
import { type Database, databases } from "./support/databases.ts"
import { contact, make, uuid } from "./support/service.ts"
import { until } from "./support/waiting.ts"

const lists = ["contacts", "segments", "segment-contacts"] as const

/** Everything that the tables hold, by their names. */
const everything = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql.onDialectOrElse({
    pg: () =>
      sql<{ name: string }>`SELECT relname AS name FROM pg_class
      WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`,
    orElse: () => sql<{ name: string }>`SELECT name FROM sqlite_schema WHERE type = 'table'`
  })
  const rows = yield* Effect.forEach(
    tables,
    ({ name }) =>
      Effect.map(
        sql.unsafe<object>(`SELECT * FROM "${name}"`),
        (rows) => rows.map((row) => JSON.stringify([name, row]))
      )
  )
  return rows.flat()
})

/** The copy of an account, with two passes, a consumer that has read, and one that is halfway. */
const copied = (database: Database, account: string, from: number) =>
  Effect.gen(function*() {
    const service = yield* make
    const people = [contact(from + 2), contact(from + 1)]
    const segment = uuid(from + 9)
    service.lists.set("/contacts", people)
    service.lists.set("/segments", [{ id: segment, name: account } as { readonly id: string }])
    service.lists.set(`/segments/${segment}/contacts`, people)
    const layer = layerOf(service, database, { account, prefix: "mail_" })
    yield* Effect.gen(function*() {
      const mirror = yield* Mirror.Mirror
      for (const list of lists) yield* sync(list)
      yield* mirror.process(contacts, `crm of ${account}`, () => Effect.void)
      service.lists.set("/contacts", people.slice(1))
      for (const list of lists) yield* sync(list)
    }).pipe(Effect.provide(layer))
    return { service, layer }
  })

describe.each(databases)("the copy of an account in %s", (_, open) => {
  it.scopedLive("is erased with everything that belongs to it, and with nothing of another one", () =>
    Effect.gen(function*() {
      const database = yield* open
      const { layer: other } = yield* copied(database, "globex", 200)
      const before = yield* Effect.provide(everything, database)
      const { layer } = yield* copied(database, "acme", 100)
      assert.notDeepEqual(yield* Effect.provide(everything, database), before)
      const erase = Effect.provide(Effect.flatMap(Mirror.Mirror, ({ erase }) => erase), layer)
      const erased = (yield* Effect.all([erase, erase, erase], { concurrency: "unbounded" })).flat()
      // Whoever is second finds nothing.
      assert.strictEqual(new Set(erased.map(({ table }) => table)).size, erased.length)
      assert.includeDeepMembers([...erased], [
        { table: "mail_contacts", rows: 2 },
        { table: "mail_segments", rows: 1 },
        { table: "mail_segment_contacts", rows: 2 },
        { table: "mail_mirror_lists", rows: 3 },
        { table: "mail_mirror_consumers", rows: 1 }
      ])
      const after = yield* Effect.provide(everything, database)
      assert.sameMembers(after, before)
      assert.notInclude(after.join(), "acme")
      assert.deepStrictEqual(yield* erase, [])
      const status = yield* Effect.provide(Effect.flatMap(Mirror.Mirror, ({ status }) => status), other)
      assert.include(status.find(({ list }) => list === "contacts"), { items: 1, deleted: 1 })
    }))

  it.scopedLive("is erased while it is being made, and what stops then leaves nothing", () =>
    Effect.gen(function*() {
      const database = yield* open
      const service = yield* make
      service.lists.set("/contacts", [contact(2), contact(1)])
      yield* Effect.gen(function*() {
        const mirror = yield* Mirror.Mirror
        yield* sync("contacts")
        const before = service.requests.length
        service.onRequest = () => false
        const pass = yield* Effect.fork(sync("contacts"))
        yield* until(() => service.requests.length > before)
        yield* mirror.erase
        yield* Fiber.interrupt(pass)
      }).pipe(Effect.provide(layerOf(service, database, { account: "acme" })))
      assert.notInclude((yield* Effect.provide(everything, database)).join(), "acme")
    }))
})

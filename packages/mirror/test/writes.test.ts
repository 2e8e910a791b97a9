import { SqlClient } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import { Mirror } from "@mailstream/mirror"
import { contacts } from "@mailstream/stream"
import { Effect, Either, Layer, Stream } from "effect"
import { databases } from "./support/databases.ts"
import { contact, make, topic, uuid } from "./support/service.ts"

const range = (from: number, to: number): ReadonlyArray<number> =>
  Array.from({ length: to - from + 1 }, (_, index) => to - index)

describe.each(databases)("a copy in %s", (_, open) => {
  const setup = Effect.gen(function*() {
    const service = yield* make
    const database = yield* open
    const layer = yield* Layer.build(Layer.orDie(
      Layer.merge(service.client, Layer.provideMerge(Mirror.layer(), Layer.succeedContext(database)))
    ))
    const sync = (list: Mirror.Name, options: Mirror.SyncOptions = {}) =>
      Effect.flatMap(Mirror.Mirror, (mirror) => mirror.syncEither({ ...options, lists: [list] })).pipe(
        Effect.flatMap(([report]) => report!.result)
      )
    return { service, layer, sync }
  })

  const tables = Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    return sql.onDialectOrElse({
      pg: () =>
        sql<{ name: string }>`SELECT table_name AS name FROM information_schema.tables
          WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'`,
      orElse: () => sql<{ name: string }>`SELECT name FROM sqlite_schema WHERE type = 'table'`
    })
  }).pipe(Effect.flatten, Effect.map((rows) => rows.map(({ name }) => name)))

  /** Counts the rows that are written, by table: with triggers, which either database has. */
  const counted = Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const names = (yield* tables).filter((name) => !name.startsWith("sqlite_"))
    yield* sql`CREATE TABLE writes (name TEXT NOT NULL)`
    yield* sql.onDialectOrElse({
      pg: () =>
        sql`CREATE FUNCTION count_write () RETURNS trigger LANGUAGE plpgsql
          AS $$ BEGIN INSERT INTO writes VALUES (TG_TABLE_NAME); RETURN NULL; END $$`,
      orElse: () => Effect.void
    })
    for (const name of names) {
      for (const event of ["INSERT", "UPDATE", "DELETE"]) {
        yield* sql.onDialectOrElse({
          pg: () =>
            sql.unsafe(
              `CREATE TRIGGER "${name}_${event}" AFTER ${event} ON "${name}" FOR EACH ROW EXECUTE FUNCTION count_write()`
            ),
          orElse: () =>
            sql.unsafe(
              `CREATE TRIGGER "${name}_${event}" AFTER ${event} ON "${name}" BEGIN INSERT INTO writes VALUES ('${name}'); END`
            )
        })
      }
    }
  })

  const writes = Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{ name: string; count: number }>`SELECT name, COUNT(*) AS count FROM writes GROUP BY name`
    yield* sql`DELETE FROM writes`
    return Object.fromEntries(rows.map(({ count, name }) => [name, Number(count)]))
  })

  it.scopedLive("writes nothing but its state if a complete list is unchanged", () =>
    Effect.gen(function*() {
      const { layer, service, sync } = yield* setup
      yield* Effect.gen(function*() {
        service.lists.set("/contacts", range(1, 6000).map((number) => contact(number)))
        yield* sync("contacts")
        yield* counted
        assert.include(yield* sync("contacts"), { unchanged: 6000 })
        // It begins, and it ends.
        assert.deepStrictEqual(yield* writes, { mirror_lists: 2 })
        // Far apart from each other.
        const isChanged = (number: number) => number === 77 || number === 5900
        service.lists.set(
          "/contacts",
          range(1, 6000).map((number) => contact(number, { unsubscribed: isChanged(number) }))
        )
        assert.include(yield* sync("contacts"), { updated: 2, unchanged: 5998 })
        const { contacts, mirror_changes: changes } = yield* writes
        // The new changes, and the old ones, which now keep what they led to.
        assert.deepStrictEqual({ contacts, changes }, { contacts: 2, changes: 4 })
        // What did not change then is still recognized.
        assert.include(yield* sync("contacts"), { unchanged: 6000 })
        assert.deepStrictEqual(yield* writes, { mirror_lists: 2 })
      }).pipe(Effect.provide(layer))
    }), 60_000)

  it.scopedLive(
    "writes nothing but its state and the rows seen if a list in pages is unchanged",
    () =>
      Effect.gen(function*() {
        const { layer, service, sync } = yield* setup
        yield* Effect.gen(function*() {
          service.lists.set("/topics", range(1, 1000).map((number) => topic(number)))
          yield* sync("topics")
          yield* counted
          assert.include(yield* sync("topics"), { unchanged: 1000 })
          assert.hasAllKeys(yield* writes, ["mirror_lists", "mirror_seen"])
        }).pipe(Effect.provide(layer))
      }),
    60_000
  )

  it.scopedLive("finds an item that changes and changes back", () =>
    Effect.gen(function*() {
      const { layer, service, sync } = yield* setup
      yield* Effect.gen(function*() {
        const lists = (fields: object) => [
          ...range(1001, 3000).map((number) => contact(number)),
          contact(1000, fields),
          ...range(1, 999).map((number) => contact(number))
        ]
        service.lists.set("/contacts", lists({}))
        yield* sync("contacts")
        for (const name of ["A", "B", "A", "B"]) {
          service.lists.set("/contacts", lists({ first_name: name }))
          assert.include(yield* sync("contacts"), { updated: 1, unchanged: 2999, created: 0, deleted: 0 })
        }
        // Gone, and back again as it was.
        service.lists.set("/contacts", lists({}).filter(({ id }) => id !== contact(1000).id))
        assert.include(yield* sync("contacts"), { updated: 0, unchanged: 2999, created: 0, deleted: 1 })
        service.lists.set("/contacts", lists({ first_name: "B" }))
        assert.include(yield* sync("contacts"), { updated: 0, unchanged: 2999, created: 1, deleted: 0 })
        assert.include(yield* sync("contacts"), { unchanged: 3000, created: 0, updated: 0, deleted: 0 })
      }).pipe(Effect.provide(layer))
    }), 60_000)

  it.scopedLive("finds every change, however alike the old and the new item are", () =>
    Effect.gen(function*() {
      const { layer, service, sync } = yield* setup
      const fields: ReadonlyArray<object> = [
        { a: "ab", b: "c" },
        { a: "a", b: "bc" },
        { a: "abc", b: "" },
        { a: "abc" },
        { b: "abc" },
        { b: null },
        { b: "null" },
        { b: {} },
        { b: { value: null } },
        { b: true },
        { b: "true" },
        { b: false },
        { b: 0 },
        { b: -1 },
        { b: "-1" },
        { b: [-1] },
        { b: ["-1"] },
        { b: "[\"-1\"]" },
        { b: "é" },
        { b: "e\u0301" },
        { b: "日" },
        { b: "\u65e5\u65e5" },
        Object.fromEntries(range(1, 40).map((field) => [`field${field}`, field])),
        Object.fromEntries(range(1, 40).map((field) => [`field${field}`, 41 - field]))
      ]
      yield* Effect.gen(function*() {
        for (const [index, extra] of fields.entries()) {
          service.lists.set("/contacts", [contact(2, extra), contact(1)])
          const counts = index === 0 ? { created: 2 } : { created: 0, updated: 1, unchanged: 1 }
          assert.include(yield* sync("contacts"), counts, JSON.stringify(extra))
          assert.include(yield* sync("contacts"), { updated: 0, unchanged: 2 }, JSON.stringify(extra))
        }
      }).pipe(Effect.provide(layer))
    }))

  it.scopedLive("reports items with any field, and which of them differ", () =>
    Effect.gen(function*() {
      const { layer, service, sync } = yield* setup
      yield* Effect.gen(function*() {
        const mirror = yield* Mirror.Mirror
        for (const role of ["user", "admin"]) {
          const fields = Object.entries({ ...contact(1), role: { inherited: role } })
          const renamed = Object.create(null)
          for (const [name, value] of fields) renamed[name === "role" ? "__proto__" : name] = value
          service.lists.set("/contacts", [renamed])
          yield* sync("contacts")
        }
        const [created, updated] = yield* Stream.runCollect(mirror.changes(contacts))
        assert(created?._tag === "Created" && updated?._tag === "Updated")
        assert.deepStrictEqual(updated.fields, ["__proto__"])
        for (const [change, role] of [[created, "user"], [updated, "admin"]] as const) {
          assert.notProperty(change.item, "inherited")
          assert.deepStrictEqual(Object.getOwnPropertyDescriptor(change.item, "__proto__")?.value, { inherited: role })
        }
      }).pipe(Effect.provide(layer))
    }))

  it.scopedLive("finds what changed back after a pass that failed", () =>
    Effect.gen(function*() {
      const { layer, service, sync } = yield* setup
      yield* Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        // Commits after every 2,000 items.
        const pass = sync("contacts", { pageSize: 20 })
        const original = range(1, 9000).map((number) => contact(number))
        service.lists.set("/contacts", original)
        yield* pass
        const others = range(1, 8999).map((number) => contact(number, { first_name: "Other" }))
        service.lists.set("/contacts", [...others.slice(0, 8500), { id: "not a contact" }])
        assert.strictEqual((yield* Effect.flip(pass))._tag, "UnexpectedResponse")
        const count = sql<{ count: number }>`SELECT COUNT(*) AS count FROM current_contacts WHERE first_name = 'Other'`
        assert.isAbove(Number((yield* count)[0]?.count), 4000)
        service.lists.set("/contacts", original)
        assert.include(yield* pass, { created: 0, deleted: 0 })
        assert.strictEqual(Number((yield* count)[0]?.count), 0)
      }).pipe(Effect.provide(layer))
    }), 60_000)

  it.scopedLive("brings back rows that somebody else has dropped", () =>
    Effect.gen(function*() {
      const { layer, service, sync } = yield* setup
      yield* Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        service.lists.set("/contacts", range(1, 3000).map((number) => contact(number)))
        yield* sync("contacts")
        yield* sql`DELETE FROM contacts WHERE email LIKE '%77%'`
        yield* sync("contacts")
        const [row] = yield* sql<{ count: number }>`SELECT COUNT(*) AS count FROM current_contacts`
        assert.strictEqual(Number(row?.count), 3000)
      }).pipe(Effect.provide(layer))
    }), 60_000)

  it.scopedLive(
    "notices what somebody else has dropped, whatever the service has dropped meanwhile",
    () =>
      Effect.gen(function*() {
        const { layer, service, sync } = yield* setup
        yield* Effect.gen(function*() {
          const sql = yield* SqlClient.SqlClient
          const all = range(1, 3000).map((number) => contact(number))
          const drop = (...numbers: ReadonlyArray<number>) =>
            sql`DELETE FROM contacts WHERE id IN ${sql.in(numbers.map((number) => uuid(number)))}`
          const list = (...without: ReadonlyArray<number>) =>
            service.lists.set("/contacts", all.filter(({ id }) => !without.map(uuid).includes(String(id))))
          list()
          yield* sync("contacts")
          // As many rows as items; and twice, the sum of their places is the same, too.
          yield* drop(100)
          list(1900)
          const expected = { created: 1, updated: 0, deleted: 1, unchanged: 2998 }
          assert.deepStrictEqual(yield* sync("contacts", { dryRun: true }), expected)
          assert.deepStrictEqual(yield* sync("contacts"), expected)
          list()
          assert.include(yield* sync("contacts"), { created: 1, unchanged: 2999 })
          yield* drop(201, 204)
          list(202, 203)
          assert.include(yield* sync("contacts"), { created: 2, deleted: 2 })
          yield* sql`DELETE FROM contacts WHERE deleted_at IS NULL`
          assert.include(yield* sync("contacts", { dryRun: true }), { created: 2998, unchanged: 0 })
          assert.include(yield* sync("contacts"), { created: 2998, unchanged: 0 })
          const rows = yield* sql<{ id: string }>`SELECT id FROM current_contacts`
          assert.sameMembers(rows.map(({ id }) => id), service.lists.get("/contacts")!.map(({ id }) => String(id)))
        }).pipe(Effect.provide(layer))
      }),
    60_000
  )

  it.scopedLive("counts what a pass has done before it had to start over", () =>
    Effect.gen(function*() {
      const { layer, service, sync } = yield* setup
      yield* Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const items = range(1, 2000).map((number) => contact(number))
        service.lists.set("/contacts", items)
        yield* sync("contacts")
        yield* sql`DELETE FROM contacts WHERE id = ${uuid(700)}`
        const changed = items.map((item, index) => index === 3 ? { ...item, email: "new@example.com" } : item)
        service.lists.set("/contacts", [contact(2001), ...changed])
        assert.deepStrictEqual(yield* sync("contacts"), { created: 2, updated: 1, deleted: 0, unchanged: 1998 })
      }).pipe(Effect.provide(layer))
    }), 60_000)

  it.scopedLive("marks a row that somebody else has inserted", () =>
    Effect.gen(function*() {
      const { layer, service, sync } = yield* setup
      yield* Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        service.lists.set("/contacts", range(1, 20).map((number) => contact(number)))
        yield* sync("contacts")
        yield* sql`INSERT INTO contacts (account, id, json, ordinal, last_change, first_seen_at, changed_at)
          SELECT account, 'inserted', json, 999999, last_change, first_seen_at, changed_at
          FROM contacts WHERE id = ${uuid(1)}`
        assert.include(yield* sync("contacts"), { deleted: 1, unchanged: 20 })
        assert.include(yield* sync("contacts"), { deleted: 0, unchanged: 20 })
      }).pipe(Effect.provide(layer))
    }), 60_000)

  it.scopedLive("asks for the attachments of an email that exists again", () =>
    Effect.gen(function*() {
      const { layer, service, sync } = yield* setup
      yield* Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const emails = range(1, 3).map((number) => ({ id: uuid(number), from: "a@example.com", subject: `${number}` }))
        service.lists.set("/emails/receiving", emails)
        for (const { id } of emails) service.lists.set(`/emails/receiving/${id}/attachments`, [{ id: uuid(10) }])
        const both = Effect.zipRight(sync("received-emails"), sync("received-email-attachments"))
        assert.include(yield* both, { created: 3 })
        service.lists.set("/emails/receiving", emails.slice(1))
        assert.include(yield* both, { created: 0, deleted: 1 })
        service.lists.set("/emails/receiving", emails)
        assert.include(yield* both, { created: 1, deleted: 0 })
        const rows = yield* sql`SELECT email_id FROM current_received_email_attachments`
        assert.strictEqual(rows.length, 3)
      }).pipe(Effect.provide(layer))
    }), 60_000)

  it.scopedLive("copies a list for the first time that has an item twice", () =>
    Effect.gen(function*() {
      const { layer, service, sync } = yield* setup
      yield* Effect.gen(function*() {
        const items = range(1, 9000).map((number) => contact(number))
        // Far enough apart that the walk does not notice.
        service.lists.set("/contacts", [...items.slice(0, 8500), items[3]!, ...items.slice(8500)])
        assert.deepStrictEqual(Either.getOrThrow(yield* Effect.either(sync("contacts"))), {
          created: 9000,
          updated: 0,
          deleted: 0,
          unchanged: 0
        })
        assert.include(yield* sync("contacts"), { unchanged: 9000 })
      }).pipe(Effect.provide(layer))
    }), 60_000)
})

import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Server, SqlStore, Store } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import * as Migrations from "@mailstream/sql/Migrations"
import * as Sqlite from "@mailstream/sql/Sqlite"
import { Array, Context, Effect, Layer, Stream } from "effect"
import { createHash, randomUUID } from "node:crypto"
import { send } from "./support/http.ts"
import { freshDatabase, temporaryFile } from "./support/stores.ts"

/** The tables as they were before there were accounts. */
const tables = [
  `CREATE TABLE mailstream_items (list TEXT NOT NULL, seq BIGINT NOT NULL, id TEXT NOT NULL, live INTEGER NOT NULL,
    json TEXT, PRIMARY KEY (list, id))`,
  "CREATE UNIQUE INDEX mailstream_items_live ON mailstream_items (list, seq) WHERE live = 1",
  `CREATE TABLE mailstream_members (segment TEXT NOT NULL, seq BIGINT NOT NULL, contact TEXT NOT NULL,
    live INTEGER NOT NULL, PRIMARY KEY (segment, contact))`,
  "CREATE UNIQUE INDEX mailstream_members_live ON mailstream_members (segment, seq) WHERE live = 1",
  "CREATE INDEX mailstream_members_contact ON mailstream_members (contact)",
  "CREATE TABLE mailstream_counters (list TEXT NOT NULL PRIMARY KEY, seq BIGINT NOT NULL)",
  "CREATE TABLE mailstream_secrets (prefix TEXT NOT NULL, hash TEXT NOT NULL PRIMARY KEY, id TEXT NOT NULL)",
  "CREATE INDEX mailstream_secrets_prefix ON mailstream_secrets (prefix)"
]

const segment = SampleData.segment(0)
const contacts = Array.makeBy(1200, (number) => SampleData.contact(number))
const deleted = contacts[600]!.id
const hash = createHash("sha256").update("re_old").digest("hex")
const key = { id: randomUUID(), name: "Old", created_at: segment.created_at, last_used_at: null }

/** A database of an earlier version, with contacts of which one is deleted, a segment with two of them, and a key. */
const earlier = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const create = Effect.forEach(tables, (table) => sql.unsafe(table), { discard: true })
  yield* Migrations.run("mailstream_migrations", { "0001_create": create })
  const row = (list: string, item: { readonly id: string }, seq: number) => ({
    list,
    seq,
    id: item.id,
    live: item.id === deleted ? 0 : 1,
    json: item.id === deleted ? null : JSON.stringify(item)
  })
  const rows = [
    ...contacts.map((contact, index) => row("contacts", contact, index + 1)),
    row("segments", segment, 1),
    row("api-keys", key, 1)
  ]
  for (const batch of Array.chunksOf(rows, 1000)) yield* sql`INSERT INTO mailstream_items ${sql.insert(batch)}`
  yield* sql`INSERT INTO mailstream_members ${
    sql.insert([0, 1].map((index) => ({ segment: segment.id, seq: index + 1, contact: contacts[index]!.id, live: 1 })))
  }`
  yield* sql`INSERT INTO mailstream_counters ${
    sql.insert([
      { list: "contacts", seq: contacts.length },
      { list: `contacts/${segment.id}`, seq: 2 },
      { list: "segments", seq: 1 },
      { list: "api-keys", seq: 1 }
    ])
  }`
  yield* sql`INSERT INTO mailstream_secrets ${sql.insert({ prefix: hash.slice(0, 16), hash, id: key.id })}`
})

const databases = [
  ["SQLite", Effect.map(temporaryFile, (filename) => Layer.orDie(Sqlite.layer({ filename })))],
  ["PostgreSQL", Effect.map(freshDatabase, (url) => Layer.orDie(PgClient.layer({ url })))]
] as const

const idsOf = (path: string) =>
  Effect.map(send(path, { key: "Bearer re_old" }), ({ status, text }) => {
    assert.strictEqual(status, 200, text)
    return Array.map(JSON.parse(text).data as ReadonlyArray<{ readonly id: string }>, ({ id }) => id)
  })

describe.each(databases)("a database without accounts on %s", (_, place) => {
  it.scopedLive("is migrated in place, and belongs to the default account", () =>
    Effect.gen(function*() {
      const client = yield* place
      yield* Effect.provide(earlier, client)
      const store = Layer.orDie(Layer.provideMerge(SqlStore.layer, Layer.fresh(client)))
      // Several services that start at once migrate it once.
      const services = yield* Effect.replicateEffect(
        Layer.build(Layer.fresh(Server.layerTest({ store }))),
        3,
        { concurrency: 3 }
      )
      for (const service of services) {
        yield* Effect.gen(function*() {
          assert.deepStrictEqual(
            yield* idsOf("/contacts"),
            contacts.map(({ id }) => id).filter((id) => id !== deleted).reverse()
          )
          assert.deepStrictEqual(yield* idsOf(`/segments/${segment.id}/contacts`), [contacts[1]!.id, contacts[0]!.id])
          // The place of a deleted item is still known.
          assert.deepStrictEqual(yield* idsOf(`/contacts?limit=1&after=${deleted}`), [contacts[599]!.id])
          assert.include(yield* idsOf("/api-keys"), key.id)
          const { forAccount } = yield* Store
          const others = yield* forAccount("account-1").all({ name: "contacts" }, {})
          assert.strictEqual(yield* Stream.runCount(others), 0)
        }).pipe(Effect.provide(service))
      }
      // What is inserted afterwards takes the next place.
      const service = services[0]!
      yield* Effect.provide(SampleData.insert({ topics: 1 }), service)
      assert.strictEqual((yield* Effect.provide(idsOf("/topics"), service)).length, 1)
      const sql = Context.get(yield* Layer.build(client), SqlClient.SqlClient)
      assert.deepStrictEqual(
        yield* sql`SELECT DISTINCT account FROM mailstream_items UNION SELECT account FROM mailstream_counters`,
        [{ account: "default" }]
      )
    }), 60_000)
})

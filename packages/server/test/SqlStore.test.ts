import { SqlClient, Statement } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it, layer } from "@effect/vitest"
import { EmailId, Resource, TopicId } from "@mailstream/core"
import { Auth, SqlStore, Store } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import * as Migrations from "@mailstream/sql/Migrations"
import * as Sqlite from "@mailstream/sql/Sqlite"
import { Array, Context, Deferred, Effect, Fiber, Layer, Option, Redacted, Stream } from "effect"
import { randomUUID } from "node:crypto"
import { freshDatabase, temporaryFile } from "./support/stores.ts"

/** A store on each database, and the client to inspect it. */
const sqlite = Layer.unwrapScoped(
  Effect.map(temporaryFile, (file) => Layer.provideMerge(SqlStore.layer, Sqlite.layer({ filename: file })))
)

const postgres = Layer.unwrapEffect(
  Effect.map(freshDatabase, (url) => Layer.provideMerge(SqlStore.layer, PgClient.layer({ url })))
)

const databases = [
  ["SQLite", Layer.orDie(sqlite)],
  ["PostgreSQL", Layer.orDie(postgres)]
] as const

const contacts = 5000

/** The statements that an effect sends. */
const statementsOf = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const sent: Array<readonly [sql: string, params: ReadonlyArray<unknown>]> = []
    return effect.pipe(
      Statement.withTransformer((statement) => {
        sent.push(statement.compile())
        return Effect.succeed(statement)
      }),
      Effect.as(sent)
    )
  })

/** The database's plan for a statement. */
const explain = (sql: string, params: ReadonlyArray<unknown>) =>
  Effect.flatMap(SqlClient.SqlClient, (client) =>
    client.onDialectOrElse({
      pg: () =>
        Effect.map(
          client.unsafe<{ "QUERY PLAN": string }>(
            `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, BUFFERS OFF) ${sql}`,
            params
          ),
          (rows) => rows.map((row) => row["QUERY PLAN"])
        ),
      orElse: () =>
        Effect.map(
          client.unsafe<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, params),
          (rows) => rows.map((row) => row.detail)
        )
    }))

describe.each(databases)("%s", (name, database) => {
  layer(database, { timeout: "60 seconds" })((it) => {
    it.effect(
      "reads the emails of a campaign along an index, and counts them without reading any",
      () =>
        Effect.gen(function*() {
          const sql = yield* SqlClient.SqlClient
          const store = yield* Store
          const emails = Array.makeBy(6000, (index) => ({
            ...SampleData.email(index),
            id: EmailId.make(`campaign-${index}`),
            text: "x".repeat(500),
            tags: index % 10 < 3 ? [{ name: "mailstream", value: `c${index % 10}_ff_${index}` }] : []
          }))
          yield* store.insert(Resource.emails, emails)
          // SQLite has no statistics yet, as in the files of the server.
          if (name === "PostgreSQL") yield* sql`ANALYZE`
          const list = { name: "emails", campaign: "c1" }
          for (
            const request of [{ limit: 10 }, { limit: 10, after: "campaign-3001" }, {
              limit: 10,
              before: "campaign-11"
            }]
          ) {
            for (const [statement, params] of yield* statementsOf(store.page(list, request))) {
              const text = (yield* explain(statement, params)).join("\n")
              assert.include(text, "mailstream_items_campaign")
              assert.notMatch(text, /Seq Scan|Sort|TEMP B-TREE/, text)
              for (const [, rows, loops] of text.matchAll(/actual rows=([\d.]+) loops=(\d+)/g)) {
                assert.isAtMost(Number(rows) * Number(loops), 11, text)
              }
            }
          }
          const [labels] = yield* statementsOf(store.campaignsOf(["campaign-1", "campaign-3"]))
          assert.notMatch(
            (yield* explain(...labels!)).join("\n"),
            /Seq Scan|SCAN|mailstream_items_(campaign|recipient|state)/
          )
          for (const [statement, params] of yield* statementsOf(store.campaigns({ limit: 10 }))) {
            const text = (yield* explain(statement, params)).join("\n")
            if (name === "SQLite" && !/\bjson\b/.test(statement)) {
              assert.match(text, /USING COVERING INDEX mailstream_items_/)
            }
            assert.notMatch(statement, /\bdetails\b/)
            assert.notMatch(text, /^SCAN mailstream_items$/m)
            if (statement.includes("state")) assert.notMatch(text, /TEMP B-TREE/)
          }
        }),
      60_000
    )

    it.effect("reads every page along an index, at any depth and after any deletions", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const store = yield* Store
        yield* SampleData.insert({ contacts, segments: 2 })
        const gone = Array.range(1000, 3999).map((number) => SampleData.contact(number).id)
        yield* store.delete(Resource.contacts, gone)
        yield* sql`ANALYZE`
        const segment = SampleData.segment(0).id
        const cursors = [0, 500, 2000, 4500].map((number) => SampleData.contact(number * 2 % contacts).id)
        for (const list of [{ name: "contacts" }, { name: "contacts", within: segment }]) {
          for (const cursor of cursors) {
            // In a segment, only its members are cursors.
            if (list.within !== undefined && cursor !== SampleData.contact(0).id) continue
            for (const request of [{ limit: 10 }, { limit: 10, after: cursor }, { limit: 10, before: cursor }]) {
              for (const [statement, params] of yield* statementsOf(store.page(list, request))) {
                assert.notMatch(statement, /\bOFFSET\b/i)
                const plan = yield* explain(statement, params)
                const text = plan.join("\n")
                if (name === "SQLite") {
                  assert.isTrue(
                    plan.every((line) => /^(SEARCH \w+ USING (COVERING )?INDEX|SCALAR SUBQUERY)/.test(line)),
                    text
                  )
                } else {
                  assert.notMatch(text, /Seq Scan|Sort|Hash Join|Bitmap|Filter: .*seq/, text)
                  assert.include(text, "Index")
                  // No part of the plan handles more rows than the page needs.
                  for (const [, rows, loops] of text.matchAll(/actual rows=([\d.]+) loops=(\d+)/g)) {
                    assert.isAtMost(Number(rows) * Number(loops), 11, text)
                  }
                  for (const [, removed] of text.matchAll(/Rows Removed by Filter: (\d+)/g)) {
                    assert.isAtMost(Number(removed), 11, text)
                  }
                }
              }
            }
          }
        }
      }), 60_000)

    it.effect("stores only a hash of a secret", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        yield* Auth.insertKey({ secret: Redacted.make("re_very_secret"), name: "mine" })
        const rows = yield* Effect.forEach(
          ["items", "secrets", "counters"],
          (table) =>
            sql`SELECT * FROM ${sql(`mailstream_${table}`)} WHERE ${
              table === "items" ? sql`list = 'api-keys'` : sql`1 = 1`
            }`
        )
        const dump = JSON.stringify(rows)
        assert.notInclude(dump, "re_very_secret")
        assert.include(dump, "mine")

        assert.match(JSON.stringify(rows[1]), /"hash":"[0-9a-f]{64}"/)
      }))

    it.effect("erases the content of a deleted item", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const store = yield* Store
        const contact = { ...SampleData.contact(contacts), email: "forget.me@example.com", values: { secret: 1 } }
        yield* store.insert(Resource.contacts, [contact])
        yield* store.delete(Resource.contacts, [contact.id])
        const rows = yield* sql`SELECT json, details, name, due FROM mailstream_items WHERE id = ${contact.id}`
        assert.deepStrictEqual(rows.map((row) => ({ ...row })), [{ json: null, details: null, name: null, due: null }])
      }))
  })
})

const places = [
  ["SQLite", Effect.map(temporaryFile, (filename) => Sqlite.layer({ filename }))],
  ["PostgreSQL", Effect.map(freshDatabase, (url) => PgClient.layer({ url }))]
] as const

describe.each(places)("%s", (_, place) => {
  it.scopedLive("gets its tables once from several stores that start at once", () =>
    Effect.gen(function*() {
      const client: Layer.Layer<SqlClient.SqlClient> = Layer.orDie(yield* place)
      const open = Layer.build(Layer.fresh(Layer.provideMerge(SqlStore.layer, Layer.fresh(client))))
      const opened = yield* Effect.replicateEffect(open, 3, { concurrency: 3 })
      yield* Effect.provide(SampleData.insert({ topics: 2 }), opened[0]!)
      for (const context of opened) {
        const { items } = yield* Context.get(context, Store).page(Resource.topics, { limit: 10 })
        assert.strictEqual(items.length, 2)
      }
      const sql = Context.get(opened[1]!, SqlClient.SqlClient)
      const versions = (yield* sql`SELECT migration_id FROM mailstream_migrations`.values).flat().map(Number)
      assert.deepStrictEqual(versions, [1, 2, 3, 4])
    }), 60_000)

  it.scopedLive(
    "keeps what a database had that knew lists alone, and finds it by its names",
    () =>
      Effect.gen(function*() {
        const client: Layer.Layer<SqlClient.SqlClient> = Layer.orDie(yield* place)
        const old = Layer.effectDiscard(Migrations.run("mailstream_migrations", { "0001_create": firstVersion }))
        const context = yield* Layer.build(Layer.provideMerge(SqlStore.layer, Layer.provideMerge(old, client)))
        const store = Context.get(context, Store)
        assert.deepStrictEqual(
          (yield* store.page({ name: "contacts" }, { limit: 2 })).items.map((json) => JSON.parse(json)),
          [contact]
        )
        assert.deepStrictEqual(yield* store.find({ name: "contacts" }, "ada@example.com"), contact)
        assert.deepStrictEqual(yield* store.find({ name: "templates" }, "welcome"), template)
        const secrets = yield* store.findSecrets("0123456789abcdef")
        assert.deepStrictEqual(secrets.map(({ id, permission }) => [String(id), permission]), [["key", null]])
      }),
    60_000
  )
})

describe.each(places)("%s", (_, place) => {
  it.scopedLive(
    "finds the campaigns of emails that a database had before it knew of any",
    () =>
      Effect.gen(function*() {
        const client: Layer.Layer<SqlClient.SqlClient> = Layer.orDie(yield* place)
        const open = Layer.build(Layer.fresh(Layer.provideMerge(SqlStore.layer, Layer.fresh(client))))
        const emails = Array.makeBy(250, (index) => ({
          ...SampleData.email(index),
          id: EmailId.make(`email-${index}`),
          to: [index === 7 ? "Six <6@example.com>" : `${index}@example.com`],
          last_event: "delivered",
          text: index % 5 === 4 ? "Not \"mailstream\"" : "x".repeat(5000),
          tags: index % 5 === 4 ? [] : [{ name: "mailstream", value: `${index % 5 === 0 ? "b" : "a"}_ff_${index}` }]
        }))
        yield* Effect.scoped(Effect.gen(function*() {
          const context = yield* open
          const store = Context.get(context, Store)
          yield* store.insert(Resource.emails, emails.slice(0, 200))
          yield* store.forAccount("other").insert(Resource.emails, emails.slice(200))
          yield* store.delete(Resource.emails, [EmailId.make("email-1")])
          const sql = Context.get(context, SqlClient.SqlClient)
          yield* sql`DROP INDEX mailstream_items_campaign`
          yield* sql`DROP INDEX mailstream_items_recipient`
          yield* sql`DROP INDEX mailstream_items_state`
          for (const column of ["campaign", "recipient", "state"]) {
            yield* sql`ALTER TABLE mailstream_items DROP COLUMN ${sql(column)}`
          }
          yield* sql`DELETE FROM mailstream_migrations WHERE migration_id = 4`
        }))
        const store = Context.get(yield* open, Store)
        const { items } = yield* store.campaigns({ limit: 10 })
        assert.deepStrictEqual(
          items.map(({ emails, events, name, repeated }) => [name, emails, events, repeated]),
          [["a", 119, { delivered: 119 }, 1], ["b", 40, { delivered: 40 }, 0]]
        )
        const other = yield* store.forAccount("other").campaign("a")
        assert.strictEqual(other?.emails, 30)
        assert.deepStrictEqual(
          yield* store.campaignsOf(["email-0", "email-1", "email-2", "email-4"]),
          new Map([["email-0", "b"], ["email-2", "a"]])
        )
      }),
    60_000
  )
})

const contact = { id: "c1", email: "Ada@Example.com" }
const template = { id: "t1", alias: "welcome" }

/** The tables as they were before there were operations on single objects, with an object of each kind that has a name. */
const firstVersion = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE mailstream_items (account TEXT NOT NULL, list TEXT NOT NULL, seq BIGINT NOT NULL,
    id TEXT NOT NULL, live INTEGER NOT NULL, json TEXT, PRIMARY KEY (account, list, id))`
  yield* sql`CREATE TABLE mailstream_members (account TEXT NOT NULL, segment TEXT NOT NULL, seq BIGINT NOT NULL,
    contact TEXT NOT NULL, live INTEGER NOT NULL, PRIMARY KEY (account, segment, contact))`
  yield* sql`CREATE TABLE mailstream_counters (account TEXT NOT NULL, list TEXT NOT NULL, seq BIGINT NOT NULL,
    PRIMARY KEY (account, list))`
  yield* sql`CREATE TABLE mailstream_secrets (account TEXT NOT NULL, prefix TEXT NOT NULL,
    hash TEXT NOT NULL PRIMARY KEY, id TEXT NOT NULL)`
  yield* sql`INSERT INTO mailstream_items ${
    sql.insert([
      { account: "default", list: "contacts", seq: 1, id: contact.id, live: 1, json: JSON.stringify(contact) },
      { account: "default", list: "contacts", seq: 2, id: "c2", live: 0, json: null },
      { account: "default", list: "templates", seq: 1, id: template.id, live: 1, json: JSON.stringify(template) }
    ])
  }`
  yield* sql`INSERT INTO mailstream_secrets ${
    sql.insert({ account: "default", prefix: "0123456789abcdef", hash: "0123456789abcdef0", id: "key" })
  }`
})

describe("PostgreSQL", () => {
  it.scopedLive("cancels interrupted work at once, and nothing else on the connections that others share", () =>
    Effect.gen(function*() {
      const store = yield* Store
      const sql = yield* SqlClient.SqlClient
      const topic = () => ({ id: TopicId.make(randomUUID()), name: "x" })
      yield* store.insert(Resource.topics, [topic()])
      // A transaction that blocks the others.
      const locked = yield* Deferred.make<void>()
      const go = yield* Deferred.make<void>()
      const holder = yield* sql`UPDATE mailstream_counters SET seq = seq`.pipe(
        Effect.zipRight(Deferred.succeed(locked, void 0)),
        Effect.zipRight(Deferred.await(go)),
        sql.withTransaction,
        Effect.fork
      )
      yield* Deferred.await(locked)
      const late = topic()
      const insert = yield* Effect.fork(store.insert(Resource.topics, [late]))
      const waiting =
        sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
      yield* Effect.repeat(waiting, { until: (waiting) => waiting.length > 0 })
      yield* Fiber.interrupt(insert)
      yield* Effect.repeat(waiting, { until: (waiting) => waiting.length === 0 })
      yield* Deferred.succeed(go, void 0)
      yield* Fiber.join(holder)
      const others = Array.makeBy(20, topic)
      yield* Effect.forEach(others, (other) => store.insert(Resource.topics, [other]), { concurrency: "unbounded" })
      const { items } = yield* store.page({ name: Resource.topics.name }, { limit: 21 })
      const ids = items.map((json): string => JSON.parse(json).id)
      assert.includeMembers(ids, others.map(({ id }) => id))
      assert.notInclude(ids, late.id)
    }).pipe(Effect.provide(postgres)))

  it.scopedLive(
    "can be shared by several stores, which agree on the order, without gaps for a follower",
    () =>
      Effect.gen(function*() {
        const url = yield* freshDatabase
        const open = Effect.map(Layer.build(Layer.fresh(SqlStore.layerPostgres({ url }))), Context.get(Store))
        // All start at once, on an empty database.
        const [a, b, reader] = yield* Effect.all([open, open, open], { concurrency: "unbounded" })
        const topic = () => ({ id: TopicId.make(randomUUID()), name: "x" })
        const first = topic()
        yield* a.insert(Resource.topics, [first])

        const writers = 6
        const inserts = Effect.forEach(
          Array.range(1, writers),
          (writer) =>
            Effect.forEach(
              Array.range(1, 40),
              (round) => (writer % 2 === 0 ? a : b).insert(Resource.topics, Array.makeBy(1 + (round % 5), topic))
            ),
          { concurrency: "unbounded", discard: true }
        )
        const written = yield* Effect.fork(inserts)
        // Follows the list as a client does: always requesting items newer than the last one it has.
        const followed: Array<string> = [first.id]
        const more = Effect.gen(function*() {
          const { items } = yield* reader.page({ name: "topics" }, { limit: 100, before: followed.at(-1)! })
          followed.push(...items.map((json): string => JSON.parse(json).id).reverse())
          return items.length
        })
        while (Option.isNone(yield* written.poll)) yield* more
        yield* written
        while ((yield* more) > 0);

        const all = Effect.flatMap(a.all({ name: "topics" }, {}), Stream.runCollect)
        const order = Array.fromIterable(yield* all).map((json): string => JSON.parse(json).id)
        assert.strictEqual(order.length, 1 + writers * 40 * 3)
        assert.deepStrictEqual(followed.reverse(), order)
      }),
    60_000
  )
})

describe("two stores in one graph of layers", () => {
  it.scoped("have a database each", () =>
    Effect.gen(function*() {
      class First extends Context.Tag("First")<First, number>() {}
      class Second extends Context.Tag("Second")<Second, number>() {}
      const counted = Effect.map(
        Effect.flatMap(Store, (store) => store.page(Resource.topics, { limit: 10 })),
        ({ items }) => items.length
      )
      const filled = Layer.provideMerge(
        SampleData.layer({ topics: 3 }),
        SqlStore.layerSqlite({ filename: yield* temporaryFile })
      )
      const empty = SqlStore.layerSqlite({ filename: yield* temporaryFile })
      const app = Layer.merge(
        Layer.provide(Layer.effect(First, counted), filled),
        Layer.provide(Layer.effect(Second, counted), empty)
      )
      assert.deepStrictEqual(yield* Effect.provide(Effect.all([First, Second]), app), [3, 0])
    }))
})

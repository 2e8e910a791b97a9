import { SqlClient } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import { InvalidOption } from "@mailstream/core/InvalidOption"
import { Mirror, OtherService, TableInUse } from "@mailstream/mirror"
import { contacts } from "@mailstream/stream"
import {
  Cause,
  Chunk,
  Clock,
  Effect,
  Either,
  Exit,
  Fiber,
  identity,
  Layer,
  Logger,
  LogLevel,
  Ref,
  Schedule,
  Stream,
  TestClock
} from "effect"
import { changes } from "./support/copying.ts"
import { databases } from "./support/databases.ts"
import { contact, type Item, make, type Service, topic, uuid } from "./support/service.ts"
import { anHourLater, until } from "./support/waiting.ts"

const segment = { id: uuid(900), name: "VIP" }

const some = (count: number) => Array.from({ length: count }, (_, index) => contact(count - index))

describe.each(databases)("a copy in %s", (name, open) => {
  const on = (service: Service, database: Layer.Layer<SqlClient.SqlClient>, options?: Mirror.Options) =>
    Layer.merge(service.client, Layer.provideMerge(Mirror.layer(options), database))

  const sync = (options: Mirror.SyncOptions = {}) =>
    Effect.flatMap(Mirror.Mirror, (mirror) => mirror.syncEither({ lists: ["contacts"], ...options })).pipe(
      Effect.map(([report]) => report!.result)
    )

  const status = Effect.flatMap(Mirror.Mirror, (mirror) => mirror.status)

  const count = (table: string) =>
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      Effect.map(
        sql.unsafe<{ count: number | string }>(`SELECT COUNT(*) AS count FROM ${table}`),
        ([row]) => Number(row?.count)
      ))

  const setup = Effect.gen(function*() {
    const service = yield* make
    service.lists.set("/contacts", some(5))
    return { service, database: Layer.succeedContext(yield* open) }
  })

  it.scopedLive("keeps accounts and prefixes apart", () =>
    Effect.gen(function*() {
      const { database, service } = yield* setup
      for (const options of [{}, { account: "b" }, { prefix: "mail_" }]) {
        assert.include(Either.getOrThrow(yield* Effect.provide(sync(), on(service, database, options))), { created: 5 })
      }
      assert.strictEqual(yield* Effect.provide(count("contacts"), database), 10)
      assert.strictEqual(yield* Effect.provide(count("mail_current_contacts"), database), 5)
      if (name === "PostgreSQL") {
        yield* Effect.provide(sync(), on(service, database, { schema: "mail", prefix: "x_" }))
        assert.strictEqual(yield* Effect.provide(count("mail.x_contacts"), database), 5)
      }
    }))

  it.scopedLive("hands out all other changes if another program has deleted or damaged a row", () =>
    Effect.gen(function*() {
      const { database, service } = yield* setup
      yield* Effect.gen(function*() {
        const mirror = yield* Mirror.Mirror
        yield* sync()
        const sql = yield* SqlClient.SqlClient
        yield* sql`DELETE FROM contacts WHERE id = ${uuid(2)}`
        const handled: Array<string> = []
        const handle = mirror.process(contacts, "crm", ({ _tag, item }) =>
          Effect.sync(() => {
            handled.push(`${_tag} ${item.id}`)
          }))
        yield* handle
        const created = (id: number) => `Created ${uuid(id)}`
        assert.sameMembers(handled, [1, 3, 4, 5].map(created))
        // The next pass finds that it is missing.
        assert.include(Either.getOrThrow(yield* sync()), { created: 1 })
        yield* handle
        assert.sameMembers(handled, [1, 2, 3, 4, 5].map(created))
        yield* sql`UPDATE contacts SET json = '{}' WHERE id = ${uuid(3)}`
        const read = Effect.map(
          Stream.runCollect(mirror.changes(contacts)),
          (changes) => Chunk.toReadonlyArray(changes).map(({ _tag, item }) => `${_tag} ${item.id}`)
        )
        // Both changes about the second one are about the row that it has now.
        assert.sameMembers(yield* read, [1, 2, 2, 4, 5].map(created))
        // What the row held was no item: once it is repaired, the item is there again.
        assert.include(Either.getOrThrow(yield* sync({ full: true })), { updated: 1 })
        yield* handle
        assert.sameMembers(handled, [1, 2, 3, 3, 4, 5].map(created))
        assert.sameMembers(yield* read, [1, 2, 2, 3, 4, 5].map(created))
      }).pipe(Effect.provide(on(service, database)))
    }))

  it.scopedLive("is repaired by a full pass if another program has edited it", () =>
    Effect.gen(function*() {
      const { database, service } = yield* setup
      yield* Effect.gen(function*() {
        yield* sync()
        const sql = yield* SqlClient.SqlClient
        const before = yield* sql`SELECT json FROM contacts WHERE id = ${uuid(3)}`
        yield* sql`UPDATE contacts SET json = ${
          JSON.stringify({ ...contact(3), email: "edited@example.com" })
        } WHERE id = ${uuid(3)}`
        assert.include(Either.getOrThrow(yield* sync()), { updated: 0, unchanged: 5 })
        assert.include(Either.getOrThrow(yield* sync({ full: true, dryRun: true })), { updated: 1, unchanged: 4 })
        assert.include(Either.getOrThrow(yield* sync({ full: true })), { updated: 1, unchanged: 4 })
        assert.deepStrictEqual(yield* sql`SELECT json FROM contacts WHERE id = ${uuid(3)}`, before)
        assert.include(Either.getOrThrow(yield* sync({ full: true })), { updated: 0, unchanged: 5 })
      }).pipe(Effect.provide(on(service, database)))
    }))

  it.scopedLive("rejects invalid options", () =>
    Effect.gen(function*() {
      const { database, service } = yield* setup
      const long = name === "PostgreSQL" ? [{ prefix: "p".repeat(25) }] : []
      for (
        const options of [{ account: "" }, { prefix: "Mail-" }, { schema: "a\"b" }, { schema: "x".repeat(64) }, {
          schema: "pg_mail"
        }, ...long]
      ) {
        const error = yield* Effect.flip(Effect.provide(status, on(service, database, options)))
        assert.instanceOf(error, InvalidOption)
      }
      const wrong: ReadonlyArray<Mirror.SyncOptions> = [
        { pageSize: 0 },
        { pageSize: 1.5 },
        { pageSize: 101 },
        { lanes: 0 },
        { maxDeleted: 2 },
        { patience: "0 seconds" }
      ]
      for (const options of wrong) {
        assert.instanceOf(yield* Effect.flip(Effect.provide(sync(options), on(service, database))), InvalidOption)
      }
    }))

  it.scopedLive("rejects a selection of no list, instead of succeeding without a copy", () =>
    Effect.gen(function*() {
      const { database, service } = yield* setup
      yield* Effect.gen(function*() {
        const mirror = yield* Mirror.Mirror
        const none = { lists: [] }
        const owned = { lists: ["segment-contacts"] } as const
        for (const method of [mirror.sync, mirror.syncEither, mirror.poll, mirror.pollEither, mirror.run]) {
          const error = yield* Effect.flip<unknown, unknown, Layer.Layer.Success<Service["client"]>>(method(none))
          assert.instanceOf(error, InvalidOption)
          assert.match(error.message, /^lists must have at least one of .*contacts/)
        }
        // These are read within their owners, and only by passes.
        for (const method of [mirror.poll, mirror.pollEither]) {
          const error = yield* Effect.flip<unknown, unknown, Layer.Layer.Success<Service["client"]>>(method(owned))
          assert.instanceOf(error, InvalidOption)
          assert.notInclude(error.message, "segment-contacts")
        }
        assert.deepStrictEqual(service.requests, [])
      }).pipe(Effect.provide(on(service, database)))
    }))

  it.scopedLive("does not share a table with a copy under another prefix", () =>
    Effect.gen(function*() {
      const { database, service } = yield* setup
      yield* Effect.provide(sync(), on(service, database))
      // Its emails would be the other copy's received emails.
      const error = yield* Effect.flip(Effect.provide(status, on(service, database, { prefix: "received_" })))
      assert.instanceOf(error, TableInUse)
      assert.include(error.message, "received_emails")
    }))

  it.scopedLive("finds items again whose ids a database cannot hold", () =>
    Effect.gen(function*() {
      const { database, service } = yield* setup
      service.lists.set("/segments", [{ id: "a\u0000b" }, { id: "🙈" }])
      yield* Effect.gen(function*() {
        assert.include(Either.getOrThrowWith(yield* sync({ lists: ["segments"] }), identity), { created: 2 })
        assert.include(Either.getOrThrowWith(yield* sync({ lists: ["segments"] }), identity), {
          unchanged: 2,
          deleted: 0
        })
      }).pipe(Effect.provide(on(service, database)))
    }))

  if (name === "PostgreSQL") {
    it.scopedLive("does not depend on how the session shows points in time", () =>
      Effect.gen(function*() {
        const { database, service } = yield* setup
        yield* Effect.gen(function*() {
          yield* sync()
          const sql = yield* SqlClient.SqlClient
          yield* sql.withTransaction(Effect.gen(function*() {
            const mirror = yield* Mirror.Mirror
            yield* sql`SET LOCAL datestyle = 'German, DMY'`
            yield* sql`SET LOCAL timezone = 'Asia/Tokyo'`
            const now = yield* Clock.currentTimeMillis
            const [change] = Chunk.toReadonlyArray(yield* Stream.runCollect(mirror.changes(contacts)))
            assert.isBelow(Math.abs(now - change!.at.getTime()), 60_000)
            const [status] = (yield* mirror.status).filter(({ list }) => list === "contacts")
            assert.isBelow(Math.abs(now - Date.parse(status!.completedAt!)), 60_000)
          }))
        }).pipe(Effect.provide(on(service, database)))
      }))
  }

  it.scopedLive("does not touch a table that is not a copy", () =>
    Effect.gen(function*() {
      const { database, service } = yield* setup
      yield* Effect.provide(
        Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE TABLE topics (mine TEXT)`),
        database
      )
      const error = yield* Effect.flip(Effect.provide(status, on(service, database)))
      assert.instanceOf(error, TableInUse)
      assert.include(error.message, "topics")
      // Nor does it leave anything behind that would be in the way.
      yield* Effect.provide(Effect.flatMap(SqlClient.SqlClient, (sql) => sql`DROP TABLE topics`), database)
      assert.isTrue(Either.isRight(yield* Effect.provide(sync(), on(service, database))))
    }))

  it.scopedLive("gets the columns that a newer version knows", () =>
    Effect.gen(function*() {
      const { database, service } = yield* setup
      yield* Effect.provide(sync(), on(service, database))
      const all = Effect.provide(
        Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT email, last_name FROM current_contacts ORDER BY id`),
        database
      )
      const before = yield* all
      yield* Effect.provide(
        Effect.gen(function*() {
          const sql = yield* SqlClient.SqlClient
          yield* sql`DROP VIEW current_contacts`
          yield* sql`ALTER TABLE contacts DROP COLUMN email`
          yield* sql`ALTER TABLE contacts DROP COLUMN last_name`
          yield* sql`CREATE VIEW current_contacts AS SELECT account, id, json, first_seen_at, changed_at, first_name,
            created_at, unsubscribed FROM contacts WHERE deleted_at IS NULL`
        }),
        database
      )
      assert.include(Either.getOrThrow(yield* Effect.provide(sync(), on(service, database))), { unchanged: 5 })
      assert.deepStrictEqual(yield* all, before)
    }))

  it.scopedLive("belongs to its service", () =>
    Effect.gen(function*() {
      const { database, service } = yield* setup
      yield* Effect.provide(sync(), on(service, database))
      const other = yield* make
      other.lists.set("/contacts", [])
      const error = Either.getOrThrow(Either.flip(yield* Effect.provide(sync({ maxDeleted: 1 }), on(other, database))))
      assert.instanceOf(error, OtherService)
      assert.include(error.message, service.baseUrl)
      assert.include(error.message, other.baseUrl)
      assert.strictEqual(yield* Effect.provide(count("current_contacts"), database), 5)
    }))

  it.scopedLive("reports what failed, and copies the rest", () =>
    Effect.gen(function*() {
      const { database, service } = yield* setup
      service.lists.set("/topics", [topic(1)])
      yield* Effect.gen(function*() {
        const mirror = yield* Mirror.Mirror
        const reports = yield* mirror.syncEither({ lists: ["domains", "contacts", "topics"] })
        assert.deepStrictEqual(
          reports.map(({ list, result }) => [list, Either.isRight(result)]),
          [["domains", false], ["contacts", true], ["topics", true]]
        )
        const [domains] = yield* Effect.map(mirror.status, (all) => all.filter(({ list }) => list === "domains"))
        assert.include(domains?.error, "No such list.")
        service.lists.set("/domains", [])
        yield* mirror.syncEither({ lists: ["domains"] })
        const [again] = yield* Effect.map(mirror.status, (all) => all.filter(({ list }) => list === "domains"))
        assert.isUndefined(again?.error)
      }).pipe(Effect.provide(on(service, database)))
    }))

  it.scopedLive("fails if a list could not be copied, once all have been tried", () =>
    Effect.gen(function*() {
      const { database, service } = yield* setup
      yield* Effect.gen(function*() {
        const mirror = yield* Mirror.Mirror
        const error = yield* Effect.flip(mirror.sync({ lists: ["domains", "contacts", "segments"] }))
        assert(error._tag === "SyncFailed")
        assert.deepStrictEqual(error.failures.map(({ list }) => list), ["domains", "segments"])
        assert.strictEqual(
          error.message,
          "2 of 3 lists of account \"default\" could not be copied. " +
            `domains, segments: ${error.failures[0]?.error.message}`
        )
        assert.strictEqual(yield* count("current_contacts"), 5)
        // What comes after a sync relies on it.
        service.lists.delete("/contacts")
        const polled = yield* Effect.flip(Effect.zipRight(mirror.poll({ lists: ["contacts"] }), Effect.die("reached")))
        assert.propertyVal(polled, "_tag", "SyncFailed")
        service.lists.set("/contacts", some(5))
        service.lists.set("/domains", [])
        service.lists.set("/segments", [])
        const none = { created: 0, updated: 0, deleted: 0, unchanged: 0 }
        assert.deepStrictEqual(yield* mirror.sync({ lists: ["domains", "contacts", "segments"] }), [
          { list: "domains", ...none },
          { list: "segments", ...none },
          { list: "contacts", ...none, unchanged: 5 }
        ])
      }).pipe(Effect.provide(on(service, database)))
    }))

  it.scopedLive("keeps text that a database cannot hold, replaced", () =>
    Effect.gen(function*() {
      const { database, service } = yield* setup
      const odd = { last_name: "a\u0000b\ud800c\\u0000d\\", email: "O'Brien \"x\" 🙈 ? $1 %s" }
      service.lists.set("/contacts", [contact(1, odd)])
      yield* Effect.gen(function*() {
        const mirror = yield* Mirror.Mirror
        assert.include(Either.getOrThrow(yield* sync()), { created: 1 })
        assert.include(Either.getOrThrow(yield* sync()), { unchanged: 1 })
        const [change] = Chunk.toReadonlyArray(yield* Stream.runCollect(mirror.changes(contacts)))
        assert.strictEqual(change?.item.email, odd.email)
        assert.strictEqual(change?.item.last_name, "a\ufffdb\ufffdc\\u0000d\\")
      }).pipe(Effect.provide(on(service, database)))
    }))

  it.scopedLive("copies new items between passes, without a pass", () =>
    Effect.gen(function*() {
      const { database, service } = yield* setup
      yield* Effect.gen(function*() {
        const mirror = yield* Mirror.Mirror
        yield* sync()
        service.lists.set("/contacts", [contact(7), contact(6), ...some(5)])
        service.requests.length = 0
        const [report] = yield* mirror.pollEither({ lists: ["contacts"] })
        assert.include(Either.getOrThrow(report!.result), { created: 2 })
        assert.strictEqual(service.requests.length, 1)
        assert.include(service.requests[0], "before=")
        assert.strictEqual(yield* count("current_contacts"), 7)
        // The newest ones are gone, and there are newer ones.
        service.lists.set("/contacts", [contact(8), ...some(5)])
        yield* mirror.pollEither({ lists: ["contacts"] })
        assert.strictEqual(yield* count("current_contacts"), 8)
        assert.include(Either.getOrThrow(yield* sync()), { created: 0, deleted: 2 })
      }).pipe(Effect.provide(on(service, database)))
    }))

  it.scopedLive("continues a pass that has failed when it looks for new items", () =>
    Effect.gen(function*() {
      const { database, service } = yield* setup
      yield* Effect.gen(function*() {
        const mirror = yield* Mirror.Mirror
        const lists = { lists: ["contacts"], retry: Schedule.stop } as const
        yield* mirror.sync(lists)
        service.lists.delete("/contacts")
        assert.propertyVal(yield* Effect.flip(mirror.sync(lists)), "_tag", "SyncFailed")
        assert.propertyVal(yield* Effect.flip(mirror.poll(lists)), "_tag", "SyncFailed")
        service.lists.set("/contacts", [contact(6), ...some(5)])
        assert.deepStrictEqual(yield* mirror.poll(lists), [
          { list: "contacts", created: 1, updated: 0, deleted: 0, unchanged: 5 }
        ])
      }).pipe(Effect.provide(on(service, database)))
    }))

  it.scopedLive("copies new items between passes although many of the newest are gone", () =>
    Effect.gen(function*() {
      const { database, service } = yield* setup
      yield* Effect.gen(function*() {
        const mirror = yield* Mirror.Mirror
        service.lists.set("/contacts", some(60))
        yield* sync({ pageSize: 1 })
        service.lists.set("/contacts", [contact(61), ...some(20)])
        service.requests.length = 0
        const [report] = yield* mirror.pollEither({ lists: ["contacts"] })
        assert.include(Either.getOrThrow(report!.result), { created: 1 })
        assert.isTrue(service.requests.every((url) => url.includes("before=")))
      }).pipe(Effect.provide(on(service, database)))
    }))

  it.scopedLive("hands each change to each consumer once", () =>
    Effect.gen(function*() {
      const { database, service } = yield* setup
      yield* Effect.gen(function*() {
        const mirror = yield* Mirror.Mirror
        yield* sync()
        const handled = yield* Ref.make<ReadonlyArray<string>>([])
        const handle = (name: string) =>
          mirror.process(contacts, name, ({ _tag, item }) =>
            Ref.update(handled, (all) => [...all, `${name} ${_tag} ${item.email}`]), { concurrency: 2 })
        yield* handle("crm")
        yield* handle("crm")
        assert.strictEqual((yield* Ref.get(handled)).length, 5)
        yield* handle("log")
        assert.strictEqual((yield* Ref.get(handled)).length, 10)
        service.lists.set("/contacts", [contact(5, { unsubscribed: true }), ...some(4)])
        yield* sync()
        yield* Ref.set(handled, [])
        // A handler that fails commits nothing.
        yield* Effect.flip(mirror.process(contacts, "crm", () =>
          Effect.fail("no")))
        yield* handle("crm")
        assert.deepStrictEqual(yield* Ref.get(handled), ["crm Updated user5@example.com"])
        const status = (yield* mirror.status).find(({ list }) =>
          list === "contacts"
        )
        assert.deepStrictEqual(status?.consumers, { crm: 6, log: 5 })
        // What a consumer has yet to see is not pruned.
        const prune = anHourLater(mirror.prune("30 minutes"))
        assert.strictEqual(yield* prune, 5)
        yield* handle("log")
        assert.strictEqual(yield* prune, 1)
      }).pipe(Effect.provide(on(service, database)))
    }))

  it.scopedLive.each([1, 4])(
    "ends process as a handler ends that dies, interrupts itself or returns no Effect, %s at a time",
    (concurrency) =>
      Effect.gen(function*() {
        const { database, service } = yield* setup
        yield* Effect.gen(function*() {
          const mirror = yield* Mirror.Mirror
          yield* sync()
          const failing = {
            interrupted: Effect.interrupt,
            parts: Effect.all([Effect.die("broken"), Effect.never], { concurrency: 2 }),
            finalizer: Effect.ensuring(Effect.interrupt, Effect.die("broken")),
            promise: Promise.resolve() as unknown as Effect.Effect<unknown>,
            nothing: undefined as unknown as Effect.Effect<unknown>
          }
          for (const [consumer, handler] of Object.entries(failing)) {
            const handle = ({ item }: { readonly item: { readonly id: string } }): Effect.Effect<unknown> =>
              item.id === uuid(3) ? handler : Effect.void
            // With `poll`, it would never end by itself.
            const exit = yield* mirror.process(contacts, consumer, handle, { concurrency, poll: "10 millis" }).pipe(
              Effect.fork,
              Effect.flatMap(Fiber.await)
            )
            assert(Exit.isFailure(exit), consumer)
            assert.strictEqual(
              consumer === "interrupted",
              Exit.isInterrupted(exit) && Cause.isInterruptedOnly(exit.cause)
            )
            const handled: Array<string> = []
            yield* mirror.process(contacts, consumer, ({ item }) => Effect.sync(() => handled.push(item.id)))
            assert.include(handled, uuid(3), consumer)
          }
        }).pipe(Effect.provide(on(service, database)))
      })
  )

  it.scopedLive("refuses the commit of a consumer that another process has moved", () =>
    Effect.gen(function*() {
      const { database, service } = yield* setup
      yield* Effect.gen(function*() {
        const mirror = yield* Mirror.Mirror
        yield* sync()
        const error = yield* Effect.flip(
          mirror.processPages(contacts, "crm", (pages) =>
            Stream.runForEach(pages, ({ commit }) =>
              Effect.zipRight(
                mirror.process(contacts, "crm", () => Effect.void),
                commit
              )))
        )
        assert.propertyVal(error, "_tag", "ConsumerMoved")
      }).pipe(Effect.provide(on(service, database)))
    }))

  it.scopedLive("commits changes together with the work on them, or not at all", () =>
    Effect.gen(function*() {
      const { database, service } = yield* setup
      yield* Effect.gen(function*() {
        const mirror = yield* Mirror.Mirror
        yield* sync()
        const sql = yield* SqlClient.SqlClient
        yield* sql`CREATE TABLE sent (email TEXT)`
        const send = (fails: boolean) =>
          mirror.processPages(contacts, "sender", (pages) =>
            Stream.runForEach(pages, ({ changes, commit }) =>
              sql.withTransaction(Effect.gen(function*() {
                yield* Effect.forEach(changes, ({ item }) =>
                  sql`INSERT INTO sent VALUES (${item.email})`)
                yield* commit
                if (fails) {
                  return yield* Effect.fail("crash")
                }
              }))))
        assert.isTrue(Exit.isFailure(yield* Effect.exit(send(true))))
        assert.strictEqual(yield* count("sent"), 0)
        yield* send(false)
        yield* send(false)
        assert.strictEqual(yield* count("sent"), 5)
      }).pipe(Effect.provide(on(service, database)))
    }))

  it.scopedLive(
    "has each effect once, whatever transactions are rolled back, and in whatever order",
    () =>
      Effect.gen(function*() {
        const { database, service } = yield* setup
        service.lists.set("/contacts", some(300))
        yield* Effect.gen(function*() {
          const mirror = yield* Mirror.Mirror
          yield* sync()
          const sql = yield* SqlClient.SqlClient
          yield* sql`CREATE TABLE sent (email TEXT)`
          const batches = (
            consumer: string,
            use: (index: number, work: Effect.Effect<void, unknown>) => Effect.Effect<unknown, unknown>
          ) =>
            mirror.processPages(contacts, consumer, (pages) =>
              Stream.runForEach(Stream.zipWithIndex(pages), ([{ changes, commit }, index]) =>
                use(
                  index,
                  Effect.zipRight(
                    Effect.forEach(changes, ({ item }) =>
                      sql`INSERT INTO sent VALUES (${item.email})`, {
                      discard: true
                    }),
                    commit
                  )
                )))
          const all = (consumer: string) =>
            batches(consumer, (_, work) =>
              sql.withTransaction(work))
          const rolledBack = (work: Effect.Effect<void, unknown>) =>
            Effect.ignore(sql.withTransaction(Effect.zipRight(work, Effect.fail("crash"))))
          const check = (consumer: string) =>
            Effect.gen(function*() {
              yield* all(consumer)
              assert.strictEqual(yield* count("sent"), 300, consumer)
              assert.strictEqual(yield* count("(SELECT DISTINCT email FROM sent) AS s"), 300, consumer)
              yield* sql`DELETE FROM sent`
            })
          // The first batch fails, and the others go on.
          yield* batches("a", (index, work) => index === 0 ? rolledBack(work) : sql.withTransaction(work))
          yield* check("a")
          // The last ones are done, then it stops.
          yield* Effect.exit(batches("b", (index, work) => index === 0 ? Effect.void : sql.withTransaction(work)))
          yield* check("b")
          // The first attempt at every batch is rolled back.
          yield* batches("c", (_, work) => Effect.zipRight(rolledBack(work), sql.withTransaction(work)))
          yield* check("c")
        }).pipe(Effect.provide(on(service, database)))
      }),
    30_000
  )

  it.scopedLive("keeps what a new consumer has yet to see", () =>
    Effect.gen(function*() {
      const { database, service } = yield* setup
      service.lists.set("/contacts", some(300))
      yield* Effect.gen(function*() {
        const mirror = yield* Mirror.Mirror
        yield* sync()
        let handled = 0
        yield* mirror.process(contacts, "late", () =>
          Effect.suspend(() =>
            handled++ === 0 ? anHourLater(mirror.prune("30 minutes")) : Effect.void
          ))
        assert.strictEqual(handled, 300)
      }).pipe(Effect.provide(on(service, database)))
    }))

  it.scopedLive("is not emptied by a wrong key that is tried twice", () =>
    Effect.gen(function*() {
      const { database, service } = yield* setup
      yield* Effect.gen(function*() {
        yield* sync()
        service.lists.set("/contacts", some(5).map((_, index) => contact(100 - index)))
        for (let attempt = 0; attempt < 3; attempt++) assert.isTrue(Either.isLeft(yield* sync()))
        service.lists.set("/contacts", some(5))
        yield* sync({ maxDeleted: 1 })
        assert.strictEqual(yield* count("current_contacts"), 5)
      }).pipe(Effect.provide(on(service, database)))
    }))

  it.scopedLive("belongs to its service when it is polled, and within owners", () =>
    Effect.gen(function*() {
      const { database, service } = yield* setup
      service.lists.set("/segments", [segment])
      service.lists.set(`/segments/${segment.id}/contacts`, some(2))
      const lists = ["contacts", "segments", "segment-contacts"] as const
      yield* Effect.provide(sync({ lists }), on(service, database))
      const other = yield* make
      other.lists.set("/contacts", [contact(6), ...some(5)])
      other.lists.set("/segments", [segment])
      other.lists.set(`/segments/${segment.id}/contacts`, [])
      const reports = yield* Effect.flatMap(Mirror.Mirror, (mirror) =>
        Effect.zipWith(mirror.syncEither({ lists }), mirror.pollEither({ lists }), (a, b) => [...a, ...b])).pipe(
          Effect.provide(on(other, database))
        )
      for (const { result } of reports) {
        assert.instanceOf(Either.getOrThrow(Either.flip(result)), OtherService)
      }
      assert.strictEqual(yield* Effect.provide(count("current_segment_contacts"), database), 2)
      assert.strictEqual(yield* Effect.provide(count("current_contacts"), database), 5)
    }))

  it.scopedLive("asks for attachments again if their email was gone", () =>
    Effect.gen(function*() {
      const { database, service } = yield* setup
      const email = (id: string) => ({ id, subject: id })
      const path = (id: string) => `/emails/receiving/${id}/attachments`
      service.lists.set("/emails/receiving", [email("b"), email("a")])
      for (const id of ["a", "b"]) service.lists.set(path(id), [{ id: `file of ${id}` }])
      const lists = ["received-emails", "received-email-attachments"] as const
      const syncBoth = Effect.flatMap(Mirror.Mirror, (mirror) => mirror.sync({ lists, maxDeleted: 1 }))
      yield* Effect.gen(function*() {
        service.lists.delete(path("b"))
        yield* syncBoth
        assert.strictEqual(yield* count("current_received_email_attachments"), 1)
        // The first time, the service did not find the email.
        service.lists.set(path("b"), [{ id: "file of b" }])
        yield* syncBoth
        assert.strictEqual(yield* count("current_received_email_attachments"), 2)
        service.requests.length = 0
        yield* syncBoth
        assert.deepStrictEqual(service.requests, ["/emails/receiving"])
        service.lists.set("/emails/receiving", [email("b")])
        yield* syncBoth
        assert.strictEqual(yield* count("current_received_email_attachments"), 1)
        service.lists.set("/emails/receiving", [email("b"), email("a")])
        yield* syncBoth
        assert.strictEqual(yield* count("current_received_email_attachments"), 2)
      }).pipe(Effect.provide(on(service, database)))
    }))

  it.scopedLive("does not lose items that the service lists twice, in several lanes", () =>
    Effect.gen(function*() {
      const { database, service } = yield* setup
      const topics = Array.from({ length: 60 }, (_, index) => topic(60 - index))
      service.lists.set("/topics", topics)
      yield* Effect.gen(function*() {
        yield* sync({ lists: ["topics"], pageSize: 5 })
        // Every page begins with items of others, so that each lane meets items that others have seen, or even where they began.
        for (
          const [repeats, overlap] of [[[3], 0], [[3, 50], 0], [[], 3]] as const
        ) {
          service.repeats = repeats.map((index) => topics[index]!)
          service.overlap = overlap
          for (const lanes of [3, 4]) {
            assert.deepStrictEqual(
              Either.getOrThrow(yield* sync({ lists: ["topics"], lanes, pageSize: 5 })),
              { created: 0, updated: 0, deleted: 0, unchanged: 60 },
              `${repeats.length} repeated, overlap ${overlap}, ${lanes} lanes`
            )
          }
        }
      }).pipe(Effect.provide(on(service, database)))
    }))

  it.scopedLive("can lose all of what has come back since the last pass, if it may lose everything", () =>
    Effect.gen(function*() {
      const { database, service } = yield* setup
      const topics = Array.from({ length: 40 }, (_, index) => topic(40 - index))
      const pass = (items: ReadonlyArray<Item>) => {
        service.lists.set("/topics", items)
        return Effect.map(sync({ lists: ["topics"], pageSize: 10, maxDeleted: 1 }), Either.getOrThrow)
      }
      yield* Effect.gen(function*() {
        yield* pass(topics)
        yield* pass(topics.slice(38))
        // They are back, and gone again while they are walked.
        service.onRequest = (url) => {
          if (url.includes(`after=${topics[19]!.id}`)) service.lists.set("/topics", topics.slice(38))
        }
        yield* pass(topics)
        assert.strictEqual(yield* count("current_topics"), 2)
      }).pipe(Effect.provide(on(service, database)))
    }))

  it.scopedLive("is complete after a pass in lanes that begin next to each other", () =>
    Effect.gen(function*() {
      const { database, service } = yield* setup
      service.turns = 100
      const list = (numbers: ReadonlyArray<number>) => service.lists.set("/topics", numbers.map((n) => topic(n)))
      const newest = (count: number) => Array.from({ length: count }, (_, index) => count - index)
      const pass = (lanes: number) => Effect.map(sync({ lists: ["topics"], lanes, pageSize: 5 }), Either.getOrThrow)
      yield* Effect.gen(function*() {
        // A list is cut evenly in the order in which its items were first seen. Two of the places are next to each other:
        // the last item of the third pass, and the first one of the second.
        for (const count of [10, 15, 21, 30]) {
          list(newest(count))
          yield* pass(1)
        }
        for (let round = 0; round < 5; round++) {
          assert.deepStrictEqual(yield* pass(8), { created: 0, updated: 0, deleted: 0, unchanged: 30 })
        }
        // What was between two beginnings is gone.
        list(newest(100))
        yield* pass(1)
        list(newest(100).filter((n) => n < 22 || n > 40))
        assert.include(yield* pass(5), { deleted: 19 })
        assert.strictEqual(yield* count("current_topics"), 81)
      }).pipe(Effect.provide(on(service, database)))
    }))

  it.scopedLive("is not changed by a dry run, not even for a list that was never copied", () =>
    Effect.gen(function*() {
      const { database, service } = yield* setup
      yield* Effect.gen(function*() {
        assert.include(Either.getOrThrow(yield* sync({ dryRun: true })), { created: 5 })
        assert.strictEqual(yield* count("mirror_lists"), 0)
      }).pipe(Effect.provide(on(service, database)))
    }))

  it.scopedLive("does not replace a view of somebody else", () =>
    Effect.gen(function*() {
      const { database, service } = yield* setup
      yield* Effect.provide(
        Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE VIEW current_contacts AS SELECT 1 AS mine`),
        database
      )
      assert.instanceOf(yield* Effect.flip(Effect.provide(status, on(service, database))), TableInUse)
      assert.strictEqual(yield* Effect.provide(count("current_contacts"), database), 1)
    }))

  it.scopedLive("is not purged while a pass is under way, nor for invalid ages", () =>
    Effect.gen(function*() {
      const { database, service } = yield* setup
      yield* Effect.gen(function*() {
        const mirror = yield* Mirror.Mirror
        yield* sync()
        service.lists.set("/contacts", some(3))
        yield* sync()
        for (const age of [NaN, -1, Infinity]) assert.instanceOf(yield* Effect.flip(mirror.purge(age)), InvalidOption)
        service.onRequest = () => false
        const pass = yield* Effect.fork(sync())
        yield* until(() => service.requests.length > 2)
        const purge = anHourLater(mirror.purge("30 minutes"))
        assert.strictEqual(yield* purge, 0)
        yield* Fiber.interrupt(pass)
        service.onRequest = () => {}
        yield* sync()
        assert.strictEqual(yield* purge, 2)
      }).pipe(Effect.provide(on(service, database)))
    }))

  it.scopedLive("drops what was deleted long ago, but not its changes", () =>
    Effect.gen(function*() {
      const { database, service } = yield* setup
      yield* Effect.gen(function*() {
        const mirror = yield* Mirror.Mirror
        yield* sync()
        service.lists.set("/contacts", some(4))
        yield* sync()
        assert.strictEqual(yield* mirror.purge("1 hour"), 0)
        assert.strictEqual(yield* anHourLater(mirror.purge("30 minutes")), 1)
        assert.strictEqual(yield* count("contacts"), 4)
        const log = Chunk.toReadonlyArray(yield* Stream.runCollect(mirror.changes(contacts)))
        assert.deepStrictEqual(log.map(({ _tag }) => _tag), [...Array(5).fill("Created"), "Deleted"])
        // It may come back.
        service.lists.set("/contacts", some(5))
        assert.include(Either.getOrThrow(yield* sync()), { created: 1 })
      }).pipe(Effect.provide(on(service, database)))
    }))

  it.scoped("says what could not be copied while it is kept current", () =>
    Effect.gen(function*() {
      const { database, service } = yield* setup
      service.lists.delete("/contacts")
      const warnings: Array<string> = []
      const logger = Logger.make(({ logLevel, message }) => {
        if (logLevel === LogLevel.Warning) warnings.push(String(message))
      })
      yield* Effect.gen(function*() {
        const mirror = yield* Mirror.Mirror
        const running = yield* Effect.fork(mirror.run({ lists: ["contacts"], retry: Schedule.stop }))
        yield* until(() => warnings.length > 0)
        assert.match(warnings[0]!, /^contacts could not be copied: /)
        yield* Fiber.interrupt(running)
      }).pipe(Effect.provide([on(service, database), Logger.replace(Logger.defaultLogger, logger)]))
    }), 20_000)

  it.scoped("stays current until it is interrupted", () =>
    Effect.gen(function*() {
      const { database, service } = yield* setup
      yield* Effect.gen(function*() {
        const mirror = yield* Mirror.Mirror
        const reports = yield* Ref.make(0)
        const running = yield* Effect.fork(mirror.run({
          lists: ["contacts"],
          every: "1 minute",
          onReport: () => Ref.update(reports, (count) => count + 1)
        }))
        const holds = (expected: number) => Effect.map(count("current_contacts"), (count) => count === expected)
        const later = (isSo: ReturnType<typeof holds>) => Effect.zipRight(TestClock.adjust("5 seconds"), isSo)
        yield* until(holds(5))
        // What is new is found by looking for it every five seconds, what is gone by the next pass.
        service.lists.set("/contacts", [contact(6), ...some(5)])
        yield* until(later(holds(6)))
        assert.isTrue(service.requests.some((url) => url.includes("before=")))
        service.lists.set("/contacts", some(4))
        yield* until(later(holds(4)))
        assert.isAtLeast(yield* Ref.get(reports), 2)
        yield* Fiber.interrupt(running)
      }).pipe(Effect.provide(on(service, database)))
    }), 20_000)

  it.scopedLive("is created once, however many start at once", () =>
    Effect.gen(function*() {
      const { database, service } = yield* setup
      const results = yield* Effect.replicateEffect(
        Effect.provide(sync(), Layer.fresh(on(service, database))),
        4,
        { concurrency: "unbounded" }
      )
      for (const result of results) assert.isTrue(Either.isRight(result))
      assert.strictEqual(yield* Effect.provide(count("contacts"), database), 5)
      const log = yield* Effect.provide(Stream.runCollect(changes(contacts)), on(service, database))
      assert.strictEqual(log.length, 5)
    }), 20_000)
})

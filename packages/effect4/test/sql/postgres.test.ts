import * as Campaign from "@mailstream/effect4/Campaign"
import * as PostgresClient from "@mailstream/effect4/Postgres"
import { StatementTimeout } from "@mailstream/effect4/sql/StatementTimeout"
import * as Postgres from "@mailstream/testing/Postgres"
import * as Provided from "@mailstream/testing/Provided"
import * as Tcp from "@mailstream/testing/Tcp"
import { Deferred, Effect, Fiber, Layer, Redacted, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { Effect as Effect3, Redacted as Redacted3 } from "effect3"
import { inspect } from "node:util"
import { assert, describe } from "vitest"
import { client4, line4, people, type Place, service } from "../campaign/support.ts"
import { fromEffect3, scoped } from "../support/service.ts"

const newUrl = Effect.map(
  Effect.suspend(() => fromEffect3(Effect3.suspend(() => Postgres.createSchema(Provided.postgres())))),
  (url) => Redacted3.value(url)
)

const clientOf = (url: string, options: Omit<PostgresClient.Options, "url"> = {}) =>
  Effect.flatMap(
    Layer.build(PostgresClient.layer({ url: Redacted.make(url), maxConnections: 2, ...options })),
    (context) => Effect.provide(SqlClient.SqlClient, context)
  )

/** A way to PostgreSQL that can be cut. */
const through = (url: string) =>
  Effect.gen(function*() {
    const direct = new URL(url)
    const tcp = yield* fromEffect3(Effect3.suspend(() => Tcp.make("127.0.0.1", Number(direct.port))))
    return {
      url: Object.assign(direct, { port: String(tcp.port) }).href,
      cut: Effect.promise(() => Effect3.runPromise(tcp.cut)),
      freeze: Effect.promise(() => Effect3.runPromise(tcp.freeze)),
      delayOld: Effect.promise(() => Effect3.runPromise(tcp.delayOld)),
      thaw: Effect.promise(() => Effect3.runPromise(tcp.thaw))
    }
  })

describe("PostgreSQL", () => {
  scoped("refuses a password that is not percent-encoded, and does not show it", () =>
    Effect.gen(function*() {
      for (const password of ["s3cret@", "s3cret#", "12/s3cret", "s3cret?"]) {
        const error = yield* Effect.flip(clientOf(`postgres://me:${password}@127.0.0.1:1/mail`))
        assert.match(error.message, /must have a percent-encoded user name and password: @ is %40, # is %23/)
        assert.notInclude(`${error}${JSON.stringify(error)}`, "s3cret")
      }
    }))

  scoped("fails for a URL that cannot be read, and does not show its password", () =>
    Effect.gen(function*() {
      for (
        const url of [
          "postgres://me:s3cret@127.0.0.1:99999/x",
          "postgres://me:s3cret@[::1/x",
          "mysql://me:s3cret@x",
          ""
        ]
      ) {
        const error = yield* Effect.flip(clientOf(url))
        assert.strictEqual(error._tag, "SqlError")
        assert.notInclude(`${inspect(error, { depth: 9, showHidden: true })}${JSON.stringify(error)}`, "s3cret")
      }
    }))

  scoped("keeps what is committed, and says what kind of failure there is", () =>
    Effect.gen(function*() {
      const sql = yield* clientOf(yield* newUrl)
      yield* sql`CREATE TABLE items (id BIGINT PRIMARY KEY, text TEXT)`
      yield* sql.withTransaction(sql`INSERT INTO items ${sql.insert([{ id: 1, text: "a" }, { id: 2, text: "b" }])}`)
      const failed = sql.withTransaction(Effect.andThen(sql`DELETE FROM items`, Effect.fail("no")))
      assert.strictEqual(yield* Effect.flip(failed), "no")
      yield* sql.withTransaction(Effect.andThen(
        sql`UPDATE items SET text = 'c' WHERE id = 1`,
        Effect.ignore(sql.withTransaction(Effect.andThen(sql`DELETE FROM items`, Effect.fail("no"))))
      ))
      assert.deepStrictEqual(yield* sql`SELECT id, text FROM items ORDER BY id`.values, [["1", "c"], ["2", "b"]])
      const tagOf = (statement: Effect.Effect<unknown, { readonly reason: { readonly _tag: string } }>) =>
        Effect.map(Effect.flip(statement), ({ reason }) => reason._tag)
      assert.strictEqual(yield* tagOf(sql`INSERT INTO items (id) VALUES (1)`), "UniqueViolation")
      assert.strictEqual(yield* tagOf(sql`INSERT INTO items (text) VALUES ('x')`), "ConstraintError")
      assert.strictEqual(yield* tagOf(sql`SELECT * FROM nowhere`), "SqlSyntaxError")
      assert.deepStrictEqual(yield* sql`SELECT current_setting('application_name') AS name`, [{ name: "mailstream" }])
    }))

  scoped("does not wait for a lock longer than is said, and says who holds it", () =>
    Effect.gen(function*() {
      const url = yield* newUrl
      const [one, other] = [yield* clientOf(url), yield* clientOf(url, { lock: "300 millis" })]
      yield* one`CREATE TABLE items (id BIGINT)`
      yield* one`INSERT INTO items VALUES (1)`
      const locked = yield* Deferred.make<void>()
      yield* Effect.forkScoped(one.withTransaction(
        Effect.andThen(one`UPDATE items SET id = 2`, Effect.andThen(Deferred.succeed(locked, undefined), Effect.never))
      ))
      yield* Deferred.await(locked)
      const error = yield* Effect.flip(other`UPDATE items SET id = 3`)
      assert.strictEqual(error.reason._tag, "LockTimeoutError")
      const { cause } = error.reason
      assert.isTrue(cause instanceof StatementTimeout && cause.reason === "Lock" && cause.code === "55P03")
      assert.match(
        error.message,
        /^Waited .* for a lock on a row, which another session \(process \d+, mailstream\) holds$/
      )
      assert.deepStrictEqual(yield* other`SELECT id FROM items`, [{ id: "1" }])
    }), 60_000)

  scoped(
    "ends a statement when its time is over, or its caller is interrupted, and the connection can be used again",
    () =>
      Effect.gen(function*() {
        const sql = yield* clientOf(yield* newUrl, { maxConnections: 1, statement: "300 millis" })
        const late = yield* Effect.flip(sql`SELECT pg_sleep(60)`)
        assert.strictEqual(late.reason._tag, "StatementTimeoutError")
        assert.deepStrictEqual(yield* PostgresClient.allow("10 seconds")(sql`SELECT pg_sleep(0.6)::text AS text`), [{
          text: ""
        }])
        for (const run of [sql`SELECT pg_sleep(60)`, sql.withTransaction(sql`SELECT pg_sleep(60)`)]) {
          const running = yield* Effect.forkChild(PostgresClient.allow("1 minute")(run))
          yield* Effect.sleep("200 millis")
          yield* Fiber.interrupt(running)
          const began = performance.now()
          assert.deepStrictEqual(yield* sql`SELECT 1 AS one`, [{ one: 1 }])
          assert.isBelow(performance.now() - began, 20_000)
        }
      }),
    60_000
  )

  scoped("is connected to again after its connections were lost", () =>
    Effect.gen(function*() {
      const { cut, url } = yield* through(yield* newUrl)
      const sql = yield* clientOf(url)
      const running = yield* Effect.forkChild(Effect.flip(sql`SELECT pg_sleep(60)`))
      yield* Effect.sleep("200 millis")
      yield* cut
      assert.strictEqual((yield* Fiber.join(running)).reason._tag, "ConnectionError")
      const [row] = yield* Effect.retry(sql`SELECT 1 AS one`, { times: 20, schedule: Schedule.spaced("100 millis") })
      assert.deepStrictEqual(row, { one: 1 })
    }), 60_000)

  scoped("is given up if it does not respond, and closed in a bounded time", () =>
    Effect.gen(function*() {
      const { freeze, url } = yield* through(yield* newUrl)
      const began = performance.now()
      yield* Effect.scoped(Effect.gen(function*() {
        const sql = yield* clientOf(url, { silence: "300 millis" })
        const running = yield* Effect.forkChild(Effect.flip(sql`SELECT pg_sleep(60)`))
        yield* Effect.sleep("100 millis")
        yield* freeze
        const { message, reason } = yield* Fiber.join(running)
        assert.strictEqual(reason._tag, "ConnectionError")
        assert.isTrue(reason.cause instanceof StatementTimeout && reason.cause.reason === "Silent")
        assert.match(message, /^PostgreSQL has not responded for /)
      }))
      assert.isBelow(performance.now() - began, 25_000)
    }), 60_000)

  scoped("has a connection for nobody who waits too long, or at another address", () =>
    Effect.gen(function*() {
      const sql = yield* clientOf(yield* newUrl, { maxConnections: 1, lock: "200 millis" })
      yield* Effect.forkScoped(sql.withTransaction(Effect.never))
      yield* Effect.sleep("100 millis")
      const error = yield* Effect.flip(sql`SELECT 1`)
      assert.strictEqual(error.reason._tag, "ConnectionError")
      const nowhere = yield* Effect.flip(Effect.scoped(clientOf("postgres://a:secret@127.0.0.1:1/x")))
      assert.strictEqual(nowhere.reason._tag, "ConnectionError")
      assert.notInclude(nowhere.message, "secret")
    }), 60_000)

  scoped("keeps no session on which a transaction may have begun that was given up", () =>
    Effect.gen(function*() {
      const direct = yield* newUrl
      const { delayOld, thaw, url } = yield* through(direct)
      const sql = yield* clientOf(url, { maxConnections: 1, statement: "300 millis" })
      const other = yield* clientOf(direct)
      yield* sql`CREATE TABLE items (id BIGINT PRIMARY KEY)`
      for (let id = 0; id < 5; id++) {
        yield* delayOld
        const begun = yield* Effect.forkChild(Effect.exit(sql.withTransaction(Effect.void)))
        // By then it was given up, and its cancellation has had nothing to cancel.
        yield* Effect.sleep(400 + 100 * id)
        yield* thaw
        yield* Fiber.await(begun)
        yield* Effect.retry(sql`INSERT INTO items VALUES (${id})`, {
          times: 20,
          schedule: Schedule.spaced("100 millis")
        })
        assert.deepStrictEqual(yield* other`SELECT id FROM items WHERE id = ${id}`, [{ id: String(id) }])
      }
    }), 60_000)

  scoped(
    "has a limit for connecting, and another one for those who wait for a connection",
    () =>
      Effect.gen(function*() {
        const { freeze, url } = yield* through(yield* newUrl)
        const sql = yield* clientOf(url, { maxConnections: 1, connectTimeout: "500 millis" })
        yield* Effect.forkScoped(sql.withTransaction(Effect.sleep("1500 millis")))
        yield* Effect.sleep("100 millis")
        assert.deepStrictEqual(yield* sql`SELECT 1 AS one`, [{ one: 1 }])
        yield* freeze
        const error = yield* Effect.flip(Effect.scoped(clientOf(url, { connectTimeout: "500 millis" })))
        assert.strictEqual(error.reason._tag, "ConnectionError")
        assert.match(error.message, /onnect.* to PostgreSQL/)
        const patient = yield* clientOf(yield* newUrl, { connectTimeout: Infinity, lock: "100 days" })
        assert.deepStrictEqual(yield* patient`SELECT 1 AS one`, [{ one: 1 }])
      }),
    60_000
  )

  scoped("gets its tables once, although several clients begin at the same time", () =>
    Effect.gen(function*() {
      const url = yield* newUrl
      const clients = yield* Effect.forEach([1, 2, 3, 4], () => clientOf(url))
      const lists = yield* Effect.forEach(
        clients,
        (sql) => Effect.provideService(Campaign.list, SqlClient.SqlClient, sql),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(lists, [[], [], [], []])
      assert.deepStrictEqual(
        yield* clients[0]!`SELECT migration_id, name FROM mailstream_campaign_migrations`,
        [{ migration_id: 1, name: "create" }]
      )
    }), 60_000)
})

/** Lets the first commit of a change wait for a second, and tells whether it does. */
const firstCommitOf = (sql: SqlClient.SqlClient, change: string) =>
  Effect.gen(function*() {
    // Creates the tables.
    yield* Effect.provideService(Campaign.list, SqlClient.SqlClient, sql)
    yield* sql`CREATE SEQUENCE commits`
    yield* sql.unsafe(`CREATE FUNCTION wait_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('commits') = 1 THEN PERFORM pg_sleep(1); END IF;
      RETURN NULL;
    END $$`)
    yield* sql.unsafe(`CREATE CONSTRAINT TRIGGER late AFTER ${change}
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wait_once()`)
    return Effect.map(
      sql<{ readonly waits: boolean }>`SELECT is_called AS waits FROM commits`,
      ([commits]) => commits?.waits === true
    )
  })

describe("a commit that PostgreSQL completes after its connection was lost", () => {
  for (
    const [what, change] of [
      ["a plan", "INSERT ON mailstream_units"],
      ["the outcome of a request", "UPDATE OF state ON mailstream_recipients"],
      ["the end", "UPDATE OF ended_at ON mailstream_campaigns"]
    ] as const
  ) {
    scoped(`is recognized: ${what}`, () =>
      Effect.gen(function*() {
        const direct = yield* newUrl
        const { cut, url } = yield* through(direct)
        const waits = yield* firstCommitOf(yield* clientOf(direct), change)
        const server = yield* service
        const place: Place = { baseUrl: server.baseUrl, database: url }
        const running = yield* Effect.forkChild(
          Effect.promise(() => line4.run(place, { people: people(12), lease: 10_000 }))
        )
        yield* Effect.repeat(Effect.delay(waits, "20 millis"), { until: (waits) => Effect.succeed(waits) })
        yield* cut
        assert.deepStrictEqual(yield* Fiber.join(running), {
          counts: { accepted: 12, planned: 0, rejected: 0, skipped: 0, undecided: 0 },
          isEnded: true
        })
        assert.deepStrictEqual([...server.addresses()].sort(), people(12).map(({ email }) => email).sort())
        const live = Layer.merge(client4(place), PostgresClient.layer({ url: Redacted.make(direct) }))
        assert.deepInclude(yield* Effect.provide(Campaign.status("news"), live), { accepted: 12, planned: 0 })
      }), 60_000)
  }
})

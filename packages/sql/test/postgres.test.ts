import { SqlClient, SqlError } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Availability, Postgres, StatementTimeout } from "@mailstream/sql"
import { found } from "@mailstream/testing/Eventually"
import * as Server from "@mailstream/testing/Postgres"
import * as Provided from "@mailstream/testing/Provided"
import * as Tcp from "@mailstream/testing/Tcp"
import {
  Context,
  Deferred,
  Duration,
  Effect,
  Exit,
  Fiber,
  Layer,
  Logger,
  LogLevel,
  Redacted,
  Schedule,
  Scope
} from "effect"
import { randomUUID } from "node:crypto"

type Client = SqlClient.SqlClient

/** A client of a new schema, as a program makes it, and one that the other sessions use. */
interface Clients {
  readonly sql: Client
  readonly other: Client
}

const clientOf = (layer: Layer.Layer<SqlClient.SqlClient, SqlError.SqlError>) =>
  Effect.map(Layer.build(layer), (context) => Context.get(context, SqlClient.SqlClient))

/** For statements that are to be given up. */
const limits = { lock: "200 millis", silence: "200 millis", statement: "20 seconds" } as const

/** The ways to a client with limits. */
const kinds: ReadonlyArray<
  readonly [
    name: string,
    make: (url: Redacted.Redacted, limits: Postgres.Limits) => Effect.Effect<Client, SqlError.SqlError, Scope.Scope>
  ]
> = [
  ["a client of its own", (url, limits) => clientOf(Postgres.layer({ url, ...limits }))],
  [
    "any other client",
    (url, limits) =>
      Effect.map(clientOf(PgClient.layer({ url, maxConnections: 2 })), (sql) => Postgres.bounded(sql, limits))
  ]
]

const setup = (make: (typeof kinds)[number][1], given: Postgres.Limits = limits) =>
  Effect.gen(function*() {
    const url = yield* Server.createSchema(Provided.postgres())
    const other = yield* clientOf(PgClient.layer({ url, applicationName: "other" }))
    yield* other`CREATE TABLE items (id int PRIMARY KEY)`
    yield* other`INSERT INTO items VALUES (1), (2)`
    const tcp = yield* Tcp.make("127.0.0.1", Number(new URL(Provided.postgres()).port))
    const through = Object.assign(new URL(Redacted.value(url)), { port: String(tcp.port) })
    return { other, tcp, sql: yield* make(Redacted.make(through.href), given) }
  })

/** Holds a lock on the table until the scope closes. */
const lock = ({ other }: Pick<Clients, "other">, statement = "LOCK TABLE items IN ACCESS EXCLUSIVE MODE") =>
  Effect.gen(function*() {
    const isLocked = yield* Deferred.make<void>()
    const hold = other.unsafe(statement).pipe(
      Effect.zipRight(Deferred.succeed(isLocked, undefined)),
      Effect.zipRight(Effect.never)
    )
    yield* Effect.forkScoped(other.withTransaction(hold))
    yield* Deferred.await(isLocked)
  })

/** The sessions that wait for a lock. */
const waiting = ({ other }: Pick<Clients, "other">) =>
  Effect.map(other`SELECT pid FROM pg_locks WHERE NOT granted AND relation = 'items'::regclass`, (rows) => rows.length)

const timeoutOf = (error: unknown): StatementTimeout => {
  const { cause } = error as SqlError.SqlError
  assert(cause instanceof StatementTimeout)
  return cause
}

for (const [name, make] of kinds) {
  describe(`PostgreSQL with ${name}`, () => {
    it.scopedLive("leaves the report of a failure to the caller: nothing is logged", () =>
      Effect.gen(function*() {
        const logged: Array<unknown> = []
        const recording = Logger.make<unknown, void>(({ message }) => void logged.push(message))
        yield* Effect.gen(function*() {
          const { sql } = yield* setup(make, {})
          yield* Effect.flip(sql`SELECT * FROM nowhere`)
          yield* Effect.flip(sql.withTransaction(sql`SELECT * FROM nowhere`))
        }).pipe(
          Effect.provide(Logger.replace(Logger.defaultLogger, recording)),
          Logger.withMinimumLogLevel(LogLevel.All)
        )
        assert.deepStrictEqual(logged, [])
      }))

    it.scopedLive("gives up a statement that waits for a lock, and says who holds it", () =>
      Effect.gen(function*() {
        const clients = yield* setup(make)
        yield* lock(clients)
        const error = yield* Effect.flip(clients.sql`SELECT * FROM items`)
        assert.strictEqual(timeoutOf(error).reason, "Lock")
        assert.match(
          error.message,
          /^Waited [\d.]+ s for a lock on table items, which another session \(process \d+, other\) holds$/
        )
        assert.isTrue(Availability.isUnavailable(error))
        assert.strictEqual(yield* waiting(clients), 0)
        assert.deepStrictEqual(yield* clients.sql`SELECT 1 AS one`, [{ one: 1 }])
      }))

    it.scopedLive("gives up a row that another transaction has locked", () =>
      Effect.gen(function*() {
        const clients = yield* setup(make)
        yield* lock(clients, "UPDATE items SET id = 3 WHERE id = 1")
        const { sql } = clients
        const error = yield* Effect.flip(sql.withTransaction(sql`UPDATE items SET id = 4 WHERE id = 1`))
        assert.match(
          error.message,
          /^Waited [\d.]+ s for a lock on a row, which another session \(process \d+, other\) holds$/
        )
      }))

    it.scopedLive("does not take a statement that works for one that waits", () =>
      Effect.gen(function*() {
        // It is looked at once, which may take as long again.
        const { sql } = yield* setup(make, { lock: "1500 millis", silence: "1500 millis" })
        assert.deepStrictEqual(yield* sql`SELECT 1 AS one FROM pg_sleep(1.8)`, [{ one: 1 }])
      }))

    it.scopedLive("cancels a statement that exceeds its limit, unless more is allowed", () =>
      Effect.gen(function*() {
        const { sql } = yield* setup(make, { lock: "30 seconds", statement: "200 millis" })
        const sleep = sql`SELECT 1 AS one FROM pg_sleep(0.5)`
        const error = yield* Effect.flip(sleep)
        assert.strictEqual(timeoutOf(error).reason, "Statement")
        assert.match(error.message, /^The statement took longer than [\d.]+ s, and was cancelled$/)
        assert.deepStrictEqual(yield* Postgres.allow("1 minute")(sleep), [{ one: 1 }])
      }))

    it.scopedLive("gives up a database that does not respond, and recovers", () =>
      Effect.gen(function*() {
        const { sql, tcp } = yield* setup(make)
        yield* sql`SELECT 1`
        yield* tcp.freeze
        const error = yield* Effect.flip(sql`SELECT * FROM items`)
        assert.strictEqual(timeoutOf(error).reason, "Silent")
        assert.match(error.message, /PostgreSQL has not responded for [\d.]+ s|No connection to PostgreSQL/)
        assert.isTrue(Availability.isUnavailable(error))
        const inTransaction = yield* Effect.flip(sql.withTransaction(sql`SELECT * FROM items`))
        assert.strictEqual(timeoutOf(inTransaction).reason, "Silent")
        yield* tcp.thaw
        assert.lengthOf(yield* Effect.retry(sql`SELECT * FROM items`, { times: 20 }), 2)
      }))

    it.scopedLive("gives up a session that the server does not have, while new ones work", () =>
      Effect.gen(function*() {
        const { other, sql, tcp } = yield* setup(make, { silence: "200 millis" })
        const [row] = yield* sql<{ readonly pid: number }>`SELECT pg_backend_pid() AS pid`
        yield* tcp.freezeOld
        yield* other`SELECT pg_terminate_backend(${row?.pid})`
        const error = yield* Effect.timeout(Effect.flip(sql`SELECT * FROM items`), "5 seconds")
        assert.strictEqual(timeoutOf(error).reason, "Silent")
        assert.lengthOf(yield* sql`SELECT * FROM items`, 2)
      }))

    it.scopedLive("gives up a session that has nothing to do, while new ones work", () =>
      Effect.gen(function*() {
        const { sql, tcp } = yield* setup(make, { silence: "1 second" })
        yield* sql`SELECT 1`
        yield* tcp.freezeOld
        const error = yield* Effect.timeout(Effect.flip(sql`SELECT * FROM items`), "9 seconds")
        assert.strictEqual(timeoutOf(error).reason, "Silent")
        assert.lengthOf(yield* sql`SELECT * FROM items`, 2)
      }))

    for (const [network, fail] of [["has forgotten its connections", "freezeOld"], ["loses all", "freeze"]] as const) {
      it.scopedLive(`has new connections at once after a reset, when a network ${network}`, () =>
        Effect.gen(function*() {
          const { other, sql, tcp } = yield* setup(make, {})
          const insert = (id: number) => sql`INSERT INTO items VALUES (${id})`
          // Two connections: the client that is not its own has no more.
          yield* Effect.all([sql`SELECT pg_sleep(0.05)`, sql`SELECT pg_sleep(0.05)`], { concurrency: 2 })
          yield* tcp[fail]
          const running = yield* Effect.fork(Effect.all([
            Effect.flip(sql`SELECT * FROM items`),
            Effect.flip(sql.withTransaction(Effect.zipRight(insert(7), insert(8)))),
            // Waits for a connection.
            ...(name === "any other client" ? [sql`SELECT * FROM items`] : [])
          ], { concurrency: "unbounded" }))
          yield* Effect.sleep("100 millis")
          assert.isNull(running.unsafePoll())
          yield* tcp.thaw
          yield* Effect.all([Postgres.reset(sql), Postgres.reset(sql)], { concurrency: 2 })
          assert.lengthOf(yield* Effect.timeout(sql`SELECT * FROM items`, "2 seconds"), 2)
          const [statement, transaction] = yield* Effect.timeout(Fiber.join(running), "2 seconds")
          for (const error of [statement, transaction]) {
            assert(error instanceof SqlError.SqlError)
            assert.isTrue(Availability.isUnavailable(error))
          }
          yield* Postgres.reset(sql)
          assert.lengthOf(yield* sql`SELECT * FROM items`, 2)
          assert.lengthOf(yield* other`SELECT * FROM items`, 2)
        }))
    }

    it.scopedLive("does not wait for a look when its connections are abandoned", () =>
      Effect.gen(function*() {
        const { sql, tcp } = yield* setup(make, { silence: "300 millis" })
        yield* sql`SELECT 1`
        yield* tcp.freeze
        const running = yield* Effect.fork(Effect.flip(sql`SELECT * FROM items`))
        yield* Effect.sleep("600 millis")
        assert.isNull(running.unsafePoll())
        const [elapsed] = yield* Effect.timed(Effect.zipRight(Postgres.reset(sql), Fiber.join(running)))
        assert.isBelow(Duration.toMillis(elapsed), 1000)
        yield* tcp.thaw
      }))

    for (const kind of ["a statement", "a transaction"]) {
      it.scopedLive(`interrupts ${kind} that waits for a lock, on the server, too`, () =>
        Effect.gen(function*() {
          const clients = yield* setup(make, {})
          yield* lock(clients)
          const select = clients.sql`SELECT * FROM items`
          const fiber = yield* Effect.fork(kind === "a statement" ? select : clients.sql.withTransaction(select))
          yield* found("the statement waits", waiting(clients), (count) => count === 1)
          assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(fiber)))
          assert.strictEqual(yield* waiting(clients), 0)
          assert.deepStrictEqual(yield* clients.sql`SELECT 1 AS one`, [{ one: 1 }])
        }))

      it.scopedLive(`interrupts ${kind} on a database that does not respond`, () =>
        Effect.gen(function*() {
          const { other, sql, tcp } = yield* setup(make, {})
          const mark = randomUUID()
          const select = sql.unsafe(`SELECT pg_sleep(60) /* ${mark} */`)
          const fiber = yield* Effect.fork(kind === "a statement" ? select : sql.withTransaction(select))
          const running = other`SELECT pid FROM pg_stat_activity WHERE state = 'active' AND query LIKE ${`%${mark}%`}
            AND pid <> pg_backend_pid()`
          yield* found("the statement runs", running, (rows) => rows.length === 1)
          yield* tcp.freeze
          assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(fiber)))
          yield* tcp.thaw
        }))
    }

    it.scopedLive("interrupts a transaction that begins or commits on a database that does not respond", () =>
      Effect.gen(function*() {
        const { sql, tcp } = yield* setup(make, {})
        yield* sql`SELECT 1`
        yield* tcp.freeze
        const beginning = yield* Effect.fork(sql.withTransaction(Effect.void))
        yield* Effect.yieldNow()
        assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(beginning)))
        yield* tcp.thaw
        const isCommitting = yield* Deferred.make<void>()
        const committing = yield* Effect.fork(sql.withTransaction(
          sql`INSERT INTO items VALUES (9)`.pipe(
            Effect.zipRight(tcp.freeze),
            Effect.zipRight(Deferred.succeed(isCommitting, undefined))
          )
        ))
        yield* Deferred.await(isCommitting)
        yield* Effect.yieldNow()
        assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(committing)))
        yield* tcp.thaw
      }))

    it.scopedLive("hangs up at a signal, also where it cannot be interrupted", () =>
      Effect.gen(function*() {
        const { other, sql: original, tcp } = yield* setup(make, {})
        const controller = new AbortController()
        const sql = Postgres.until(original, controller.signal)
        const insert = (id: number) => sql`INSERT INTO items VALUES (${id})`
        const isOpen = yield* Deferred.make<void>()
        const isAborted = yield* Deferred.make<void>()
        const waiting = yield* Effect.fork(Effect.uninterruptible(Effect.all([
          Effect.flip(sql`SELECT pg_sleep(60)`),
          Effect.flip(sql.withTransaction(
            Effect.all([insert(7), Deferred.succeed(isOpen, undefined), Deferred.await(isAborted)])
          )),
          // There are two connections at most, or those that are opened now.
          Effect.zipRight(Deferred.await(isOpen), Effect.flip(Effect.scoped(sql.reserve)))
        ], { concurrency: "unbounded" })))
        yield* Deferred.await(isOpen)
        yield* tcp.freeze
        yield* Effect.sleep("100 millis")
        assert.isNull(waiting.unsafePoll())
        controller.abort()
        yield* Deferred.succeed(isAborted, undefined)
        const errors = yield* Effect.timeout(Effect.disconnect(Fiber.join(waiting)), "5 seconds")
        for (const { message } of [...errors, yield* Effect.flip(sql`SELECT 1`)]) {
          assert.strictEqual(message, "The connections to PostgreSQL are being closed")
        }
        yield* tcp.thaw
        assert.deepStrictEqual(yield* other`SELECT id FROM items ORDER BY id`, [{ id: 1 }, { id: 2 }])
        assert.lengthOf(yield* Effect.retry(original`SELECT * FROM items`, { times: 20 }), 2)
      }))

    it.scopedLive("rolls back on failure, and reports a commit that fails", () =>
      Effect.gen(function*() {
        const { other, sql } = yield* setup(make, {})
        const insert = (id: number) => sql`INSERT INTO items VALUES (${id})`
        assert.strictEqual(yield* Effect.flip(sql.withTransaction(Effect.zipRight(insert(7), Effect.fail("no")))), "no")
        yield* sql.withTransaction(
          Effect.zipRight(insert(8), Effect.ignore(sql.withTransaction(Effect.zipRight(insert(9), Effect.fail("no")))))
        )
        assert.deepStrictEqual(yield* other`SELECT id FROM items ORDER BY id`, [{ id: 1 }, { id: 2 }, { id: 8 }])
        yield* other`CREATE TABLE later (id int REFERENCES items DEFERRABLE INITIALLY DEFERRED)`
        const error = yield* Effect.flip(sql.withTransaction(sql`INSERT INTO later VALUES (99)`))
        assert.strictEqual(error._tag, "SqlError")
      }))

    it.scopedLive("leaves the settings of the session as they were", () =>
      Effect.gen(function*() {
        const { sql } = yield* setup(make, {})
        const settings = sql`SELECT current_setting('lock_timeout') AS lock,
          current_setting('idle_in_transaction_session_timeout') AS idle`
        const before = yield* settings
        const within = yield* sql.withTransaction(settings)
        assert.notDeepEqual(within, [{ lock: "0", idle: "0" }])
        assert.deepStrictEqual(yield* settings, before)
      }))
  })
}

describe("Postgres.layer", () => {
  it.scopedLive(
    "keeps no session on which a transaction may have begun that was given up",
    () =>
      Effect.gen(function*() {
        const direct = yield* Server.createSchema(Provided.postgres())
        const url = new URL(Redacted.value(direct))
        const tcp = yield* Tcp.make("127.0.0.1", Number(url.port))
        const through = Redacted.make(Object.assign(url, { port: String(tcp.port) }).href)
        const sql = yield* clientOf(Postgres.layer({ url: through, maxConnections: 1, statement: "300 millis" }))
        const other = yield* clientOf(Postgres.layer({ url: direct }))
        yield* sql`CREATE TABLE items (id int PRIMARY KEY)`
        for (let id = 0; id < 5; id++) {
          yield* tcp.delayOld
          const begun = yield* Effect.fork(Effect.exit(sql.withTransaction(Effect.void)))
          // By then it was given up, and its cancellation has had nothing to cancel.
          yield* Effect.sleep(400 + 100 * id)
          yield* tcp.thaw
          yield* Fiber.await(begun)
          yield* Effect.retry(sql`INSERT INTO items VALUES (${id})`, {
            times: 20,
            schedule: Schedule.spaced("100 millis")
          })
          assert.deepStrictEqual(yield* other`SELECT id FROM items WHERE id = ${id}`, [{ id }])
        }
      }),
    60_000
  )

  it.scopedLive(
    "has a limit for connecting, and another one for those who wait for a connection",
    () =>
      Effect.gen(function*() {
        const url = new URL(Provided.postgres())
        const tcp = yield* Tcp.make("127.0.0.1", Number(url.port))
        const through = Redacted.make(Object.assign(url, { port: String(tcp.port) }).href)
        const options = { url: through, maxConnections: 1, connectTimeout: "500 millis" } as const
        const sql = yield* clientOf(Postgres.layer(options))
        const busy = yield* Effect.fork(sql.withTransaction(Effect.sleep("1500 millis")))
        yield* Effect.sleep("100 millis")
        assert.deepStrictEqual(yield* sql`SELECT 1 AS one`, [{ one: 1 }])
        yield* Fiber.join(busy)
        yield* tcp.cut
        yield* tcp.freeze
        const began = performance.now()
        const error = yield* Effect.flip(sql`SELECT 1`)
        assert.isTrue(Availability.isUnavailable(error), error.message)
        assert.isBelow(performance.now() - began, 20_000)
        const patient = { url: Redacted.make(Provided.postgres()), connectTimeout: Infinity, lock: "100 days" } as const
        assert.deepStrictEqual(yield* (yield* clientOf(Postgres.layer(patient)))`SELECT 1 AS one`, [{ one: 1 }])
      }),
    60_000
  )

  it.scopedLive("sets each of its sessions once", () =>
    Effect.gen(function*() {
      const sql = yield* clientOf(
        Postgres.layer({
          url: Redacted.make(Provided.postgres()),
          maxConnections: 1,
          lock: "3 seconds",
          settings: { TimeZone: "Asia/Tokyo" }
        })
      )
      const settings = sql`SELECT current_setting('lock_timeout') AS lock, current_setting('TimeZone') AS zone`
      assert.deepStrictEqual(yield* settings, [{ lock: "18s", zone: "Asia/Tokyo" }])
      yield* sql`SET lock_timeout = '7s'`
      assert.deepStrictEqual(yield* settings, [{ lock: "7s", zone: "Asia/Tokyo" }])
      assert.deepStrictEqual(yield* sql.withTransaction(settings), [{ lock: "7s", zone: "Asia/Tokyo" }])
      yield* Postgres.reset(sql)
      assert.deepStrictEqual(yield* settings, [{ lock: "18s", zone: "Asia/Tokyo" }])
    }))

  it.scopedLive("leaves no connection behind when it is closed, not even one that is dead", () =>
    Effect.gen(function*() {
      const url = new URL(Provided.postgres())
      const tcp = yield* Tcp.make("127.0.0.1", Number(url.port))
      const through = Redacted.make(Object.assign(url, { port: String(tcp.port) }).href)
      const scope = yield* Scope.make()
      const sql = yield* Scope.extend(clientOf(Postgres.layer({ url: through })), scope)
      yield* sql`SELECT 1`
      yield* tcp.freeze
      const running = yield* Effect.fork(Effect.flip(sql`SELECT 1`))
      yield* Effect.sleep("50 millis")
      yield* Scope.close(scope, Exit.void)
      yield* Effect.timeout(Fiber.join(running), "2 seconds")
      yield* tcp.thaw
      yield* found("no connection is left", tcp.open, (count) => count === 0, 5)
    }))
})

describe("Postgres.bounded", () => {
  it.scopedLive("limits statements in a transaction of the original client, and does not change its settings", () =>
    Effect.gen(function*() {
      const url = yield* Server.createSchema(Provided.postgres())
      const original = yield* clientOf(PgClient.layer({ url }))
      const other = yield* clientOf(PgClient.layer({ url }))
      yield* original`CREATE TABLE items (id int PRIMARY KEY)`
      yield* lock({ other })
      const sql = Postgres.bounded(original, limits)
      const timeout = original`SELECT current_setting('lock_timeout') AS lock`
      yield* original.withTransaction(Effect.gen(function*() {
        assert.deepStrictEqual(yield* sql.withTransaction(timeout), [{ lock: "0" }])
        assert.deepStrictEqual(yield* timeout, [{ lock: "0" }])
        const error = yield* Effect.flip(sql.withTransaction(sql`SELECT * FROM items`))
        assert.strictEqual(timeoutOf(error).reason, "Lock")
        assert.deepStrictEqual(yield* timeout, [{ lock: "0" }])
      }))
    }))

  it.scopedLive("waits for a connection no longer than for a lock", () =>
    Effect.gen(function*() {
      const original = yield* clientOf(PgClient.layer({ url: Redacted.make(Provided.postgres()), maxConnections: 1 }))
      const sql = Postgres.bounded(original, limits)
      yield* Effect.scoped(Effect.zipRight(
        original.reserve,
        Effect.gen(function*() {
          const error = yield* Effect.flip(sql`SELECT 1`)
          assert.strictEqual(error.message, "No connection to PostgreSQL within 200ms")
        })
      ))
      assert.deepStrictEqual(yield* sql`SELECT 1 AS one`, [{ one: 1 }])
    }))
})

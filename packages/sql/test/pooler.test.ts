/** A pooler between a program and PostgreSQL. */
import { SqlClient, type SqlError } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Availability, Postgres, SharedSessions } from "@mailstream/sql"
import * as PgBouncer from "@mailstream/testing/PgBouncer"
import * as Server from "@mailstream/testing/Postgres"
import * as Provided from "@mailstream/testing/Provided"
import { Context, Effect, Fiber, Layer } from "effect"

const database = Server.createDatabase(Provided.postgres())

const clientOf = (layer: Layer.Layer<SqlClient.SqlClient, SqlError.SqlError>) =>
  Effect.map(Layer.build(layer), (context) => Context.get(context, SqlClient.SqlClient))

describe("PgBouncer", () => {
  const test = it.scopedLive.skipIf(PgBouncer.missing !== undefined)

  test(`in session mode keeps settings and limits${PgBouncer.missing ?? ""}`, () =>
    Effect.gen(function*() {
      const direct = yield* database
      const url = yield* PgBouncer.start("session", direct)
      const sql = yield* clientOf(
        Postgres.layer({ url, lock: "500 millis", silence: "200 millis", settings: { TimeZone: "Asia/Tokyo" } })
      )
      yield* Postgres.ensureOwnSessions(sql)
      const settings = sql`SELECT current_setting('lock_timeout') AS lock, current_setting('TimeZone') AS zone`
      assert.deepStrictEqual(yield* settings, [{ lock: "15500ms", zone: "Asia/Tokyo" }])
      // It is looked at, and left alone.
      assert.deepStrictEqual(yield* sql`SELECT 1 AS one FROM pg_sleep(1)`, [{ one: 1 }])
      yield* sql`CREATE TABLE items (id int PRIMARY KEY)`
      const other = yield* clientOf(PgClient.layer({ url: direct, applicationName: "other" }))
      yield* Effect.scoped(Effect.gen(function*() {
        const holder = yield* other.reserve
        const run = (statement: string) => holder.executeUnprepared(statement, [], undefined)
        yield* run("BEGIN; LOCK TABLE items IN ACCESS EXCLUSIVE MODE")
        const error = yield* Effect.flip(sql`SELECT * FROM items`)
        assert.match(error.message, /for a lock on table items, which another session \(process \d+, other\) holds/)
        yield* run("ROLLBACK")
      }))
      const sleeping = yield* Effect.fork(sql`SELECT pg_sleep(60)`)
      yield* Effect.sleep("300 millis")
      yield* Fiber.interrupt(sleeping)
      assert.lengthOf(
        yield* other`SELECT 1 FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(60)' AND state = 'active'`,
        0
      )
      yield* Postgres.reset(sql)
      assert.deepStrictEqual(yield* settings, [{ lock: "15500ms", zone: "Asia/Tokyo" }])
    }))

  test(`in session mode gives another session for one that is gone${PgBouncer.missing ?? ""}`, () =>
    Effect.gen(function*() {
      const direct = yield* database
      const sql = yield* clientOf(
        Postgres.layer({ url: yield* PgBouncer.start("session", direct), silence: "1 second" })
      )
      const [row] = yield* sql<{ readonly pid: number }>`SELECT pg_backend_pid() AS pid`
      const other = yield* clientOf(PgClient.layer({ url: direct }))
      yield* other`SELECT pg_terminate_backend(${row?.pid})`
      // The end of the session is noticed before or by the next statement.
      const again = Effect.retry(sql`SELECT 1 AS one`, { while: Availability.isUnavailable, times: 3 })
      assert.deepStrictEqual(yield* again, [{ one: 1 }])
    }))

  for (const mode of ["transaction", "statement"] as const) {
    test(`in ${mode} mode is refused, with what to do${PgBouncer.missing ?? ""}`, () =>
      Effect.gen(function*() {
        const url = yield* PgBouncer.start(mode, yield* database)
        const error = yield* Effect.flip(clientOf(Postgres.layer({ url, settings: { TimeZone: "Asia/Tokyo" } })))
        assert.instanceOf(error.cause, SharedSessions)
        assert.match(error.message, /use pool_mode = session, or connect to PostgreSQL itself$/)
        assert.isFalse(Availability.isUnavailable(error))
        const foreign = yield* clientOf(PgClient.layer({ url }))
        assert.strictEqual((yield* Effect.flip(Postgres.ensureOwnSessions(foreign)))._tag, "SharedSessions")
        // Nobody else's sessions were set to anything.
        const [row] = yield* foreign<{ readonly zone: string }>`SELECT current_setting('TimeZone') AS zone`
        assert.notStrictEqual(row?.zone, "Asia/Tokyo")
        // What takes long there is left alone, too.
        const bounded = Postgres.bounded(foreign, { silence: "200 millis" })
        assert.deepStrictEqual(yield* bounded`SELECT 1 AS one FROM pg_sleep(1)`, [{ one: 1 }])
      }))
  }

  it.scopedLive("is not needed", () =>
    Effect.gen(function*() {
      const url = yield* database
      for (const layer of [PgClient.layer({ url }), Postgres.layer({ url })]) {
        yield* Postgres.ensureOwnSessions(yield* clientOf(layer))
      }
    }))
})

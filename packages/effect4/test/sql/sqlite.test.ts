import * as Campaign from "@mailstream/effect4/Campaign"
import * as Sqlite from "@mailstream/effect4/Sqlite"
import * as Temporary from "@mailstream/testing/Temporary"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { DatabaseSync } from "node:sqlite"
import { assert, describe } from "vitest"
import * as Errors from "../../src/sql/internal/errors.ts"
import { fromEffect3, scoped } from "../support/service.ts"

const newFile = Effect.suspend(() => fromEffect3(Temporary.file("test.db")))

const clientOf = (filename: string, options: Omit<Sqlite.Options, "filename"> = {}) =>
  Effect.flatMap(
    Layer.build(Sqlite.layer({ filename, ...options })),
    (context) => Effect.provide(SqlClient.SqlClient, context)
  )

describe("a SQLite file", () => {
  scoped("keeps what is committed, and nothing else", () =>
    Effect.gen(function*() {
      const filename = yield* newFile
      yield* Effect.scoped(Effect.gen(function*() {
        const sql = yield* clientOf(filename)
        yield* sql`CREATE TABLE items (id INTEGER PRIMARY KEY, big BIGINT, text TEXT)`
        yield* sql.withTransaction(sql`INSERT INTO items VALUES (1, ${2n ** 60n}, 'a'), (2, 3, ${null})`)
        const failed = sql.withTransaction(Effect.andThen(sql`DELETE FROM items`, Effect.fail("no")))
        assert.strictEqual(yield* Effect.flip(failed), "no")
        const nested = sql.withTransaction(Effect.andThen(
          sql`UPDATE items SET text = 'b' WHERE id = 1`,
          Effect.ignore(sql.withTransaction(Effect.andThen(sql`DELETE FROM items`, Effect.fail("no"))))
        ))
        yield* nested
        assert.deepStrictEqual(yield* sql`SELECT id, big FROM items`.values, [[1, 2n ** 60n], [2, 3]])
        const again = yield* Effect.flip(sql`INSERT INTO items (id) VALUES (1)`)
        assert.strictEqual(again.reason._tag, "ConstraintError")
      }))
      const sql = yield* clientOf(filename, { readonly: true })
      assert.deepStrictEqual(yield* sql`SELECT id, text FROM items`, [{ id: 1, text: "b" }, { id: 2, text: null }])
      assert.strictEqual((yield* Effect.flip(sql`DELETE FROM items`))._tag, "SqlError")
    }))

  scoped("is refused under a name that means something else to other programs", () =>
    Effect.gen(function*() {
      for (
        const [filename, problem] of [
          [":memory:", "in-memory databases are not supported: name a file"],
          ["", "the name of the file is missing"],
          ["file:test.db", "it must be the path of a file, not a URL"],
          ["/nowhere/test.db", "the directory /nowhere does not exist; create it first"]
        ] as const
      ) {
        const error = yield* Effect.flip(Effect.scoped(clientOf(filename)))
        assert.strictEqual(error._tag, "SqlError")
        assert.strictEqual(error.reason._tag, "ConnectionError")
        assert.include(error.message, problem)
      }
    }))

  scoped(
    "is waited for while another process has locked it, and no longer than its caller wants",
    () =>
      Effect.gen(function*() {
        const filename = yield* newFile
        const sql = yield* clientOf(filename)
        const other = new DatabaseSync(filename)
        yield* Effect.addFinalizer(() => Effect.sync(() => other.close()))
        other.exec("BEGIN IMMEDIATE")
        const locked = yield* Effect.flip(sql`CREATE TABLE items (id INTEGER)`)
        assert.strictEqual(locked.reason._tag, "LockTimeoutError")
        const listing = yield* Effect.forkChild(Effect.provideService(Campaign.list, SqlClient.SqlClient, sql))
        yield* Effect.sleep("200 millis")
        assert.isUndefined(listing.pollUnsafe())
        other.exec("COMMIT")
        assert.deepStrictEqual(yield* Fiber.join(listing), [])
        other.exec("BEGIN IMMEDIATE")
        const waiting = yield* Effect.forkChild(
          Effect.provideService(Campaign.forget("none", "planned"), SqlClient.SqlClient, sql)
        )
        yield* Fiber.interrupt(waiting)
        other.exec("ROLLBACK")
      })
  )

  scoped(
    "is used by one transaction at a time, and callers that wait can be interrupted",
    () =>
      Effect.gen(function*() {
        const sql = yield* clientOf(yield* newFile)
        yield* sql`CREATE TABLE items (id INTEGER)`
        const held = yield* Deferred.make<void>()
        const begun = yield* Deferred.make<void>()
        const holder = yield* Effect.forkChild(sql.withTransaction(
          Effect.andThen(
            sql`INSERT INTO items VALUES (1)`,
            Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(held))
          )
        ))
        yield* Deferred.await(begun)
        const statement = yield* Effect.forkChild(sql`SELECT * FROM items`)
        const transaction = yield* Effect.forkChild(sql.withTransaction(sql`INSERT INTO items VALUES (2)`))
        yield* Effect.sleep("20 millis")
        assert.deepStrictEqual([statement.pollUnsafe(), transaction.pollUnsafe()], [undefined, undefined])
        yield* Fiber.interrupt(transaction)
        yield* Deferred.succeed(held, undefined)
        yield* Fiber.join(holder)
        assert.deepStrictEqual(yield* Fiber.join(statement), [{ id: 1 }])
      })
  )

  scoped("gets its tables once, although several clients begin at the same time", () =>
    Effect.gen(function*() {
      const filename = yield* newFile
      const clients = yield* Effect.forEach([1, 2, 3, 4], () => clientOf(filename))
      const lists = yield* Effect.forEach(
        clients,
        (sql) => Effect.provideService(Campaign.list, SqlClient.SqlClient, sql),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(lists, [[], [], [], []])
      const [sql] = clients
      assert.deepStrictEqual(
        yield* sql!`SELECT migration_id, name FROM mailstream_campaign_migrations`,
        [{ migration_id: 1, name: "create" }]
      )
    }))
})

describe("a client of another package", () => {
  scoped("may say in its own way that a file is locked", () =>
    Effect.gen(function*() {
      const filename = yield* newFile
      const [one, other] = [new DatabaseSync(filename), new DatabaseSync(filename, { timeout: 0 })]
      one.exec("BEGIN IMMEDIATE")
      const thrown = yield* Effect.flip(Effect.try({
        try: () => other.exec("BEGIN IMMEDIATE"),
        catch: (error) => error as Error & { readonly code: string; readonly errcode: number }
      }))
      one.close()
      other.close()
      // As `@effect/sql-sqlite-node` does.
      const cause = Object.assign(new Error(thrown.message), { code: thrown.code, errno: thrown.errcode })
      const error = new SqlError.SqlError({ reason: SqlError.classifySqliteError(cause, { message: "Failed" }) })
      assert.strictEqual(thrown.code, "ERR_SQLITE_ERROR")
      assert.isTrue(Errors.isLocked(error))
      assert.isTrue(Errors.isUnavailable(error))
    }))
})

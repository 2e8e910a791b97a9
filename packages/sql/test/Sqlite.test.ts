import { SqlClient, type SqlError } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import * as Availability from "@mailstream/sql/Availability"
import * as Sqlite from "@mailstream/sql/Sqlite"
import * as Temporary from "@mailstream/testing/Temporary"
import { Array, Context, Deferred, Effect, Exit, Fiber, Layer, Scope, Stream, TestClock } from "effect"
import { chmodSync, copyFileSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { isWaiting } from "./support/checks.ts"

/** A client for a new file. */
const open = Effect.gen(function*() {
  const filename = yield* Temporary.file("test.db")
  return Context.get(yield* Layer.build(Sqlite.layer({ filename })), SqlClient.SqlClient)
})

describe("a client for a SQLite file", () => {
  it.scopedLive("waits for the disk before it acknowledges, even after a transaction", () =>
    Effect.gen(function*() {
      const sql = yield* open
      yield* sql.withTransaction(sql`CREATE TABLE t (a)`)
      assert.deepStrictEqual(yield* sql`PRAGMA journal_mode`, [{ journal_mode: "wal" }])
      assert.deepStrictEqual(yield* sql`PRAGMA synchronous`, [{ synchronous: 2 }])
    }))

  it.scopedLive.each([false, true])(
    "damages neither a file nor what replaces it beside its WAL; while another program reads the old one: %s",
    (isRead) =>
      Effect.gen(function*() {
        const filename = yield* Temporary.file("test.db")
        const old = `${filename}.old`
        const backup = yield* Temporary.file("backup.db")
        const using = <A>(file: string, use: (database: DatabaseSync) => A): A => {
          const database = new DatabaseSync(file)
          const result = use(database)
          database.close()
          return result
        }
        const fill = (file: string, rows: number) =>
          using(file, (database) =>
            database.exec(
              `CREATE TABLE t (a); WITH RECURSIVE n(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM n LIMIT ${rows})
               INSERT INTO t SELECT a FROM n`
            ))
        fill(filename, 10)
        fill(backup, 2000)
        const sql = Context.get(yield* Layer.build(Sqlite.layer({ filename })), SqlClient.SqlClient)
        const reader = new DatabaseSync(filename)
        yield* sql`INSERT INTO t VALUES (11)`
        if (isRead) {
          reader.exec("BEGIN")
          reader.prepare("SELECT * FROM t").all()
        }
        yield* sql`INSERT INTO t VALUES (12)`
        renameSync(filename, old)
        renameSync(backup, filename)
        const count = Effect.map(sql<{ n: number }>`SELECT count(*) AS n FROM t`, ([row]) => Number(row?.n))
        if (isRead) {
          for (const _ of [1, 2]) {
            assert.include((yield* Effect.flip(count)).message, "it has been replaced while it was open. Stop all")
          }
          reader.exec("COMMIT")
          reader.exec("PRAGMA wal_checkpoint(TRUNCATE)")
        }
        assert.strictEqual(yield* count, 2000)
        assert.deepStrictEqual(yield* sql`PRAGMA integrity_check`, [{ integrity_check: "ok" }])
        reader.close()
        const rows = using(old, (database) => database.prepare("SELECT count(*) AS n FROM t").all())
        assert.deepStrictEqual(rows, [{ n: 12 }])
      })
  )

  it.scopedLive("uses one connection for any number of transactions", () =>
    Effect.gen(function*() {
      const sql = yield* open
      yield* sql`CREATE TABLE t (a)`
      const files = () => readdirSync("/proc/self/fd").length
      const before = files()
      yield* Effect.forEach(
        Array.range(1, 50),
        (a) => sql.withTransaction(sql`INSERT INTO t VALUES (${a})`),
        { concurrency: 10 }
      )
      assert.isAtMost(files(), before + 5)
      assert.deepStrictEqual(yield* sql`SELECT COUNT(*) AS count FROM t`, [{ count: 50 }])
    }))

  it.scopedLive("yields to the event loop even if many callers wait", () =>
    Effect.gen(function*() {
      const sql = yield* open
      // Counts the turns of the event loop.
      let turns = 0
      const turn = () => {
        turns++
        next = setImmediate(turn)
      }
      let next = setImmediate(turn)
      yield* Effect.all(Array.replicate(sql`SELECT 1 AS one`, 100), { concurrency: "unbounded" })
      clearImmediate(next)
      assert.isAtLeast(turns, 100)
    }))

  it.scopedLive("binds every kind of value, and refuses what is none", () =>
    Effect.gen(function*() {
      const sql = yield* open
      yield* sql`CREATE TABLE t (a)`
      const at = new Date(1_700_000_000_000)
      for (const [value, stored] of [[true, 1], [false, 0], [null, null], ["é", "é"], [1.5, 1.5], [at, at.getTime()]]) {
        assert.deepStrictEqual(yield* sql`INSERT INTO t VALUES (${value}) RETURNING a`, [{ a: stored }])
      }
      const bytes = new Uint8Array([0, 1, 255])
      const [row] = yield* sql<{ a: ArrayBuffer }>`INSERT INTO t VALUES (${bytes}) RETURNING a`
      assert.deepStrictEqual(new Uint8Array(row!.a), bytes)
      for (const value of [undefined, { a: 1 }, Symbol.iterator]) {
        const error = yield* Effect.flip(sql.unsafe("INSERT INTO t VALUES (?)", [value]))
        assert.match(
          String(error.cause),
          /A parameter must be null, a number, a bigint, a string, a boolean, a Date or bytes, not/
        )
      }
      const invalid = yield* Effect.flip(sql.unsafe("INSERT INTO t VALUES (?)", [new Date(NaN)]))
      assert.match(String(invalid.cause), /An invalid date cannot be bound/)
      assert.deepStrictEqual(yield* sql.unsafe("SELECT typeof(?) AS type", [row!.a]), [{ type: "blob" }])
      assert.deepStrictEqual(
        yield* sql`SELECT typeof(${1}) AS one, typeof(${1.5}) AS more, ${7} / ${2} AS quotient`,
        [{ one: "integer", more: "real", quotient: 3 }]
      )
      assert.deepStrictEqual(yield* sql`SELECT 1 AS a, 2 AS a`.values, [[1, 2]])
      assert.deepStrictEqual(yield* sql`SELECT COUNT(*) AS count FROM t`, [{ count: 7 }])
    }))

  it.scopedLive("leaves a file that is complete by itself, and refuses what cannot be the name of one", () =>
    Effect.gen(function*() {
      const filename = yield* Temporary.file("test.db")
      const write = Effect.gen(function*() {
        const sql = Context.get(yield* Layer.build(Sqlite.layer({ filename })), SqlClient.SqlClient)
        yield* sql`CREATE TABLE t (a)`
        yield* sql`INSERT INTO t VALUES (${1})`
      })
      yield* Effect.scoped(write)
      copyFileSync(filename, `${filename}.copy`)
      const copy = yield* Layer.build(Sqlite.layer({ filename: `${filename}.copy` }))
      assert.deepStrictEqual(yield* Context.get(copy, SqlClient.SqlClient)`SELECT a FROM t`, [{ a: 1 }])
      const error = yield* Effect.flip(Layer.build(Sqlite.layer({ filename: `${filename}\0` })))
      assert.match(String(error.cause), /must not contain U\+0000/)
    }))

  it.scopedLive("says what is wrong with a file that cannot be opened", () =>
    Effect.gen(function*() {
      const folder = dirname(yield* Temporary.file("test.db"))
      const messageOf = (filename: string) =>
        Effect.map(Effect.flip(Layer.build(Sqlite.layer({ filename }))), ({ message }) => message)
      assert.strictEqual(
        yield* messageOf(join(folder, "none", "a.db")),
        `Failed to open ${folder}/none/a.db: the directory ${folder}/none does not exist; create it first`
      )
      assert.strictEqual(
        yield* messageOf(folder),
        `Failed to open ${folder}: it is a directory; name a file in it`
      )
      const text = join(folder, "text.db")
      writeFileSync(text, "this is a text. ".repeat(100))
      assert.strictEqual(yield* messageOf(text), `Failed to open ${text}: file is not a database`)
    }))

  it.scopedLive.each(
    [
      ["", "Failed to open \"\": the name of the file is missing"],
      [":memory:", "Failed to open \":memory:\": in-memory databases are not supported: name a file"]
    ] as const
  )("refuses a name that is not meant as that of a file: %j", ([filename, message]) =>
    Effect.gen(function*() {
      for (const readonly of [false, true]) {
        assert.strictEqual((yield* Effect.flip(Layer.build(Sqlite.layer({ filename, readonly })))).message, message)
      }
    }))

  it.scopedLive.each(["file:mail.db?mode=ro", "sqlite:mail.db"])(
    "refuses a URL: %s",
    (filename) =>
      Effect.gen(function*() {
        const { message } = yield* Effect.flip(Layer.build(Sqlite.layer({ filename })))
        assert.match(message, /: it must be the path of a file, not a URL$/)
      })
  )

  // Nothing is forbidden to root.
  it.scopedLive.skipIf(process.getuid?.() === 0)("says which permission is missing", () =>
    Effect.gen(function*() {
      const file = yield* Temporary.file("test.db")
      const folder = dirname(file)
      const message = Effect.map(Effect.flip(Layer.build(Sqlite.layer({ filename: file }))), ({ message }) => message)
      chmodSync(folder, 0o500)
      assert.strictEqual(yield* message, `Failed to open ${file}: no permission to write in ${folder}`)
      chmodSync(folder, 0o700)
      writeFileSync(file, "")
      chmodSync(file, 0o400)
      assert.strictEqual(yield* message, `Failed to open ${file}: no permission to write to it`)
      chmodSync(folder, 0o000)
      assert.strictEqual(yield* message, `Failed to open ${file}: no permission to search its folder`)
      chmodSync(folder, 0o700)
    }))

  it.scopedLive.skipIf(process.getuid?.() === 0)(
    "needs no permission to write if it only reads",
    () =>
      Effect.gen(function*() {
        const filename = yield* Temporary.file("test.db")
        const folder = dirname(filename)
        const using = <A>(readonly: boolean, use: (sql: SqlClient.SqlClient) => Effect.Effect<A, SqlError.SqlError>) =>
          Effect.provide(Effect.flatMap(SqlClient.SqlClient, use), Sqlite.layer({ filename, readonly }))
        yield* using(false, (sql) => sql`CREATE TABLE t AS SELECT 1 AS a`)
        chmodSync(filename, 0o400)
        chmodSync(folder, 0o500)
        assert.deepStrictEqual(yield* using(true, (sql) => sql`SELECT a FROM t`), [{ a: 1 }])
        chmodSync(folder, 0o700)
        chmodSync(filename, 0o600)
        const other = new DatabaseSync(filename)
        other.exec("PRAGMA journal_mode = WAL")
        other.close()
        rmSync(`${filename}-wal`, { force: true })
        rmSync(`${filename}-shm`, { force: true })
        chmodSync(folder, 0o500)
        const error = yield* Effect.flip(using(true, (sql) => sql`SELECT a FROM t`))
        assert.match(error.message, /it is in WAL mode/)
        chmodSync(folder, 0o700)
      })
  )

  it.scopedLive("rolls back a write that fails, and can still be used", () =>
    Effect.gen(function*() {
      const sql = yield* open
      yield* sql`CREATE TABLE t (a INTEGER PRIMARY KEY)`
      const insert = sql`INSERT INTO t VALUES (1), (2), (1)`
      for (const write of [insert, sql.withTransaction(insert), sql`INSERT INTO t VALUES (3), (3) RETURNING a`]) {
        assert.match(String((yield* Effect.flip(write)).cause), /UNIQUE constraint failed/)
      }
      assert.deepStrictEqual(yield* sql`SELECT a FROM t`, [])
      yield* sql.withTransaction(sql`INSERT INTO t VALUES (1)`)
      yield* sql`VACUUM`
      assert.deepStrictEqual(yield* sql`WITH one AS (SELECT 1 AS a) SELECT t.a FROM t JOIN one USING (a)`, [{ a: 1 }])
    }))

  it.scopedLive("meets the lock of another connection at once, and uses the file when it is free", () =>
    Effect.gen(function*() {
      const filename = yield* Temporary.file("test.db")
      const sql = Context.get(yield* Layer.build(Sqlite.layer({ filename })), SqlClient.SqlClient)
      yield* sql`CREATE TABLE t (a)`
      const other = new DatabaseSync(filename)
      const writes = [
        sql`INSERT INTO t VALUES (1)`,
        sql`INSERT INTO t VALUES (1) RETURNING a`,
        sql`WITH one AS (SELECT 1) INSERT INTO t SELECT * FROM one RETURNING a`,
        sql.withTransaction(sql`INSERT INTO t VALUES (1)`)
      ]
      other.exec("BEGIN IMMEDIATE; INSERT INTO t VALUES (0)")
      for (const write of writes) assert.isTrue(Availability.isLocked(yield* Effect.flip(write)))
      assert.deepStrictEqual(yield* sql`SELECT a FROM t`, [])
      other.exec("COMMIT")
      yield* Effect.all(writes)
      assert.deepStrictEqual(yield* sql`SELECT COUNT(*) AS count FROM t`, [{ count: 5 }])
      other.close()
    }))

  it.scopedLive("shows nothing of an open transaction", () =>
    Effect.gen(function*() {
      const sql = yield* open
      yield* sql`CREATE TABLE t (a)`
      const failing = sql.withTransaction(
        Effect.zipRight(sql`INSERT INTO t VALUES (1)`, Effect.zipRight(Effect.yieldNow(), Effect.fail("no")))
      )
      const [, seen] = yield* Effect.all([Effect.flip(failing), sql`SELECT a FROM t`], { concurrency: 2 })
      assert.deepStrictEqual(seen, [])
    }))

  it.scoped("leaves a file that can be read without permission to write in its folder", () =>
    Effect.gen(function*() {
      const filename = yield* Temporary.file("test.db")
      yield* Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE TABLE t AS SELECT 1 AS a`).pipe(
        Effect.provide(Sqlite.layer({ filename }))
      )
      assert.deepStrictEqual(readdirSync(dirname(filename)), ["test.db"])
      // In WAL mode, reading would create files beside it.
      const other = new DatabaseSync(filename)
      assert.deepStrictEqual(other.prepare("PRAGMA journal_mode").all(), [{ journal_mode: "delete" }])

      // Someone who still reads it does not keep a writer from opening it, only from opening it at once.
      other.exec("BEGIN; SELECT a FROM t")
      const opening = yield* Effect.fork(Layer.build(Sqlite.layer({ filename })))
      yield* isWaiting
      assert.isNull(opening.unsafePoll())
      other.exec("COMMIT")
      yield* TestClock.adjust("1 second")
      const sql = Context.get(yield* Fiber.join(opening), SqlClient.SqlClient)
      assert.deepStrictEqual(yield* sql`PRAGMA journal_mode`, [{ journal_mode: "wal" }])
      other.close()
    }))

  it.scopedLive.each(["when it is closed", "with its next statement"])(
    "does not touch the files of another one that has taken its place, %s",
    (when) =>
      Effect.gen(function*() {
        const filename = yield* Temporary.file("test.db")
        const scope = yield* Scope.make()
        const sql = Context.get(yield* Layer.buildWithScope(Sqlite.layer({ filename }), scope), SqlClient.SqlClient)
        yield* sql`CREATE TABLE mine AS SELECT 1 AS a`
        for (const suffix of ["", "-wal", "-shm"]) renameSync(`${filename}${suffix}`, `${filename}.backup${suffix}`)
        const other = new DatabaseSync(filename)
        other.exec("PRAGMA journal_mode = WAL; CREATE TABLE yours AS SELECT 2 AS a")
        const written = () => [readFileSync(filename), readFileSync(`${filename}-wal`)]
        const before = written()
        if (when === "when it is closed") yield* Scope.close(scope, Exit.void)
        else assert.deepStrictEqual(yield* sql`SELECT a FROM yours`, [{ a: 2 }])
        assert.deepStrictEqual(written(), before)
        yield* Scope.close(scope, Exit.void)
        other.close()
      })
  )

  it.scopedLive("rejects writes if it is opened read-only", () =>
    Effect.gen(function*() {
      const filename = yield* Temporary.file("test.db")
      const readonly = Effect.map(
        Layer.build(Sqlite.layer({ filename, readonly: true })),
        Context.get(SqlClient.SqlClient)
      )
      assert.match(String((yield* Effect.flip(readonly)).cause), /it does not exist/)
      assert.deepStrictEqual(readdirSync(dirname(filename)), [])

      yield* Effect.scoped(Effect.gen(function*() {
        const writer = Context.get(yield* Layer.build(Sqlite.layer({ filename })), SqlClient.SqlClient)
        yield* writer`CREATE TABLE t AS SELECT 1 AS a`
        const reader = yield* readonly
        const count = Effect.map(reader`SELECT a FROM t`, (rows) => rows.length)
        assert.strictEqual(yield* count, 1)
        const writes = [
          reader`INSERT INTO t VALUES (2)`,
          reader`DROP TABLE t`,
          reader.withTransaction(reader`DELETE FROM t`),
          reader`UPDATE t SET a = 2 RETURNING a`
        ]
        for (const write of writes) assert.match(String((yield* Effect.flip(write)).cause), /readonly/)
        yield* writer`INSERT INTO t VALUES (2)`
        assert.strictEqual(yield* count, 2)
        assert.strictEqual(yield* reader.withTransaction(Effect.zipRight(count, count)), 2)
      }))
    }))

  it.scopedLive("runs other statements while the rows of one are used", () =>
    Effect.gen(function*() {
      const sql = yield* open
      yield* sql`CREATE TABLE t (a)`
      yield* sql`INSERT INTO t VALUES (1), (2), (3)`
      const doubled = sql<{ a: number }>`SELECT a FROM t ORDER BY a`.stream.pipe(
        Stream.mapEffect(({ a }) => sql`INSERT INTO t VALUES (${a * 10}) RETURNING a`),
        Stream.runCount
      )
      assert.strictEqual(yield* doubled, 3)
      assert.strictEqual(yield* sql.withTransaction(doubled), 6)
      assert.deepStrictEqual(yield* sql`SELECT COUNT(*) AS count FROM t`, [{ count: 12 }])
    }))

  it.scopedLive("interrupts callers that wait for a transaction to end", () =>
    Effect.gen(function*() {
      const sql = yield* open
      const begun = yield* Deferred.make<void>()
      const end = yield* Deferred.make<void>()
      const holding = yield* Effect.fork(
        sql.withTransaction(Effect.zipRight(Deferred.succeed(begun, undefined), Deferred.await(end)))
      )
      yield* Deferred.await(begun)
      for (const waiting of [sql`SELECT 1 AS one`, sql.withTransaction(sql`SELECT 1 AS one`)]) {
        const fiber = yield* Effect.fork(waiting)
        yield* Effect.yieldNow()
        assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(fiber)))
      }
      yield* Deferred.succeed(end, undefined)
      yield* Fiber.join(holding)
      assert.deepStrictEqual(yield* sql`SELECT 1 AS one`, [{ one: 1 }])
    }))

  it.scopedLive("cannot be used once it is closed, and leaves nothing behind", () =>
    Effect.gen(function*() {
      const filename = yield* Temporary.file("test.db")
      const scope = yield* Scope.make()
      const sql = Context.get(yield* Layer.buildWithScope(Sqlite.layer({ filename }), scope), SqlClient.SqlClient)
      yield* sql`CREATE TABLE t (a)`
      yield* Scope.close(scope, Exit.void)
      for (const use of [sql`INSERT INTO t VALUES (1)`, sql.withTransaction(sql`SELECT a FROM t`)]) {
        assert.strictEqual(
          (yield* Effect.flip(use)).message,
          `${filename} is closed: use it while its layer is in scope`
        )
      }
      assert.deepStrictEqual(readdirSync(dirname(filename)), ["test.db"])
    }))

  it.scopedLive("reads a file that another program keeps in WAL mode, and leaves it as it is", () =>
    Effect.gen(function*() {
      const filename = yield* Temporary.file("test.db")
      const other = new DatabaseSync(filename)
      other.exec("PRAGMA journal_mode = WAL; CREATE TABLE t AS SELECT 1 AS a")
      other.close()
      const before = readFileSync(filename)
      assert.strictEqual(before[18], 2)
      const rows = yield* Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT a FROM t`).pipe(
        Effect.provide(Sqlite.layer({ filename, readonly: true }))
      )
      assert.deepStrictEqual(rows.map((row) => ({ ...row })), [{ a: 1 }])
      assert.deepStrictEqual(readFileSync(filename), before)
      assert.deepStrictEqual(readdirSync(dirname(filename)), ["test.db"])
    }))

  it.scopedLive("refuses to run nothing", () =>
    Effect.gen(function*() {
      const sql = yield* open
      for (const text of ["", " ", ";", "-- nothing", "/* nothing */"]) {
        assert.match(String((yield* Effect.flip(sql.unsafe(text))).cause), /There is no statement to run/)
      }
    }))
})

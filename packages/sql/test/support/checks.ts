/** What a SQLite file promises on every runtime. This also runs on Bun and Deno, from the built packages: see `runtimes/`. */
import { SqlClient, type SqlError } from "@effect/sql"
import * as Availability from "@mailstream/sql/Availability"
import * as Sqlite from "@mailstream/sql/Sqlite"
import { Chunk, Context, Effect, Fiber, Layer, Predicate, type Scope, TestClock, TestContext } from "effect"
import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { DatabaseSync } from "node:sqlite"

interface Surroundings {
  /** A file that does not exist yet, in a folder of its own. */
  readonly filename: string
  readonly folder: string
  readonly open: (
    options?: Partial<Sqlite.Options>
  ) => Effect.Effect<SqlClient.SqlClient, SqlError.SqlError, Scope.Scope>
}

type Check = (surroundings: Surroundings) => Effect.Effect<void, unknown, Scope.Scope>

/** What another program uses. It is loaded here, and not imported: on Node 22, that would warn. */
const another = (filename: string): DatabaseSync => new (process.getBuiltinModule("node:sqlite").DatabaseSync)(filename)

const editing = (filename: string, statements: string): void => {
  const database = another(filename)
  database.exec(statements)
  database.close()
}

const valueOf = (filename: string, statement: string): unknown => {
  const database = another(filename)
  const [value] = Object.values(database.prepare(statement).get() ?? {})
  database.close()
  return value
}

/** Whether the driver itself keeps what follows U+0000. */
const keepsNul = (): boolean => valueOf(":memory:", "SELECT 'a' || char(0) || 'b'") === "a\0b"

const lock = `
const { DatabaseSync } = process.getBuiltinModule("node:sqlite")
const database = new DatabaseSync(process.argv.at(-1))
database.exec("BEGIN IMMEDIATE; INSERT INTO t VALUES ('theirs')")
console.log("locked")
process.stdin.on("end", () => {
  database.exec("COMMIT")
  database.close()
  process.exit()
}).resume()
`

/** Another process that holds a lock until it is released. */
const lockingProcess = (folder: string, filename: string): Promise<{ readonly release: () => Promise<void> }> => {
  const program = join(folder, "lock.mjs")
  writeFileSync(program, lock)
  const args = process.versions["deno"] === undefined ? [] : ["run", "--allow-all"]
  const child = spawn(process.execPath, [...args, program, filename], { stdio: ["pipe", "pipe", "inherit"] })
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  const release = () => {
    child.stdin.end()
    return ended
  }
  return new Promise((resolve, reject) => {
    child.stdout.once("data", () => resolve({ release }))
    child.once("exit", (code) => reject(new Error(`the other process has ended with ${code}`)))
  })
}

const codeOf = ({ cause }: { readonly cause?: unknown }): unknown => Predicate.hasProperty(cause, "code") && cause.code

/** Lets the event loop turn once. */
const turn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

/** Waits until something waits for the test clock. */
export const isWaiting = Effect.repeat(Effect.zipRight(turn, TestClock.sleeps()), { until: Chunk.isNonEmpty })

const count = (sql: SqlClient.SqlClient) =>
  Effect.map(sql<{ n: number }>`SELECT COUNT(*) AS n FROM t`, ([row]) => row?.n)

/** Another connection holds a lock, and then releases it. */
const meetsLock = (sql: SqlClient.SqlClient, release: () => void | Promise<void>) =>
  Effect.gen(function*() {
    const writes = [
      sql`INSERT INTO t VALUES (1)`,
      sql`INSERT INTO t VALUES (1) RETURNING a`,
      sql.withTransaction(sql`INSERT INTO t VALUES (1)`)
    ]
    for (const write of writes) assert.ok(Availability.isLocked(yield* Effect.flip(write)))
    assert.equal(yield* count(sql), 0)
    yield* Effect.promise(async () => release())
    yield* Effect.all(writes)
    assert.equal(yield* count(sql), 4)
  })

const inOrder: Readonly<Record<string, Check>> = {
  "no warning": ({ open }) =>
    Effect.gen(function*() {
      const warnings: Array<string> = []
      const listener = ({ message }: Error) => void warnings.push(message)
      process.on("warning", listener)
      const { emitWarning } = process
      const sql = yield* open()
      yield* sql`SELECT 1`
      // Warnings are emitted before the event loop turns.
      yield* turn
      process.off("warning", listener)
      assert.deepEqual(warnings, [])
      assert.equal(process.emitWarning, emitWarning)
    }),
  "open, close": ({ filename, folder, open }) =>
    Effect.gen(function*() {
      yield* Effect.scoped(Effect.flatMap(open(), (sql) => sql`CREATE TABLE t AS SELECT 1 AS a`))
      // The file is complete by itself, and readers create no others beside it.
      assert.deepEqual(readdirSync(folder), ["test.db"])
      assert.equal(valueOf(filename, "PRAGMA journal_mode"), "delete")
      const sql = yield* open()
      assert.equal(yield* count(sql), 1)
      const missing = yield* Effect.flip(open({ filename: join(folder, "none", "test.db") }))
      assert.match(missing.message, /the directory .* does not exist; create it first$/)
      writeFileSync(join(folder, "text.db"), "this is a text. ".repeat(100))
      const text = yield* Effect.flip(open({ filename: join(folder, "text.db") }))
      assert.match(text.message, /text\.db: file is not a database$/)
      const long = yield* Effect.flip(open({ filename: join(folder, "a".repeat(300)) }))
      assert.equal(codeOf(long), "SQLITE_CANTOPEN")
      const nul = yield* Effect.flip(open({ filename: `${filename}\0` }))
      assert.match(nul.message, /must not contain U\+0000$/)
    }),
  "read-only": ({ filename, folder, open }) =>
    Effect.gen(function*() {
      assert.match((yield* Effect.flip(open({ readonly: true }))).message, /it does not exist$/)
      assert.deepEqual(readdirSync(folder), [])
      yield* Effect.scoped(Effect.gen(function*() {
        const writer = yield* open()
        yield* writer`CREATE TABLE t AS SELECT 1 AS a`
        const reader = yield* open({ readonly: true })
        for (const write of [reader`INSERT INTO t VALUES (2)`, reader.withTransaction(reader`DELETE FROM t`)]) {
          assert.match(String((yield* Effect.flip(write)).cause), /readonly/)
        }
        yield* writer`INSERT INTO t VALUES (2)`
        assert.equal(yield* count(reader), 2)
      }))
      assert.deepEqual(readdirSync(folder), ["test.db"])
      // A program that leaves a file in WAL mode, in which readers create others beside it.
      editing(filename, "PRAGMA journal_mode = WAL")
      yield* Effect.scoped(Effect.flatMap(open({ readonly: true }), count))
      assert.deepEqual(readdirSync(folder), ["test.db"])
    }),
  replaced: ({ filename, open }) =>
    Effect.gen(function*() {
      editing(filename, "CREATE TABLE t (a); INSERT INTO t VALUES (1)")
      editing(`${filename}.new`, "CREATE TABLE t (a); INSERT INTO t VALUES (1), (2), (3)")
      const sql = yield* open()
      yield* sql`INSERT INTO t VALUES (2)`
      renameSync(filename, `${filename}.old`)
      renameSync(`${filename}.new`, filename)
      assert.equal(yield* count(sql), 3)
      assert.deepEqual(yield* Effect.map(sql`PRAGMA integrity_check`.values, String), "ok")
      assert.equal(yield* Effect.flatMap(open({ filename: `${filename}.old` }), count), 2)
      rmSync(filename)
      assert.match((yield* Effect.flip(count(sql))).message, /it does not exist$/)
      assert.ok(!existsSync(filename))
    }),
  locks: ({ filename, open }) =>
    Effect.gen(function*() {
      const sql = yield* open()
      yield* sql`CREATE TABLE t (a)`
      // Waiting in the driver would block the event loop.
      assert.deepEqual(yield* sql`PRAGMA busy_timeout`.values, [[0]])
      const other = another(filename)
      other.exec("BEGIN IMMEDIATE; INSERT INTO t VALUES ('theirs')")
      yield* meetsLock(sql, () => other.exec("COMMIT"))
      other.close()
      // And between two clients. Effect would run all statements of one fiber in the transaction of the one.
      const second = yield* open()
      const met = Effect.promise(() => Effect.runPromise(Effect.flip(second`INSERT INTO t VALUES (6)`)))
      const error = yield* sql.withTransaction(Effect.zipRight(sql`INSERT INTO t VALUES (5)`, met))
      assert.ok(Availability.isLocked(error))
      yield* second`INSERT INTO t VALUES (6)`
      assert.equal(yield* count(sql), 6)
    }),
  "locks of a process": ({ filename, folder, open }) =>
    Effect.gen(function*() {
      const sql = yield* open()
      yield* sql`CREATE TABLE t (a)`
      const { release } = yield* Effect.promise(() => lockingProcess(folder, filename))
      yield* meetsLock(sql, release)
    }),
  "a file that is locked": ({ filename, open }) =>
    Effect.gen(function*() {
      editing(filename, "CREATE TABLE t (a)")
      const other = another(filename)
      other.exec("BEGIN EXCLUSIVE")
      // Waits without blocking: the lock is released meanwhile.
      const counting = yield* Effect.fork(Effect.flatMap(open(), count))
      yield* isWaiting
      other.close()
      yield* TestClock.adjust("1 second")
      assert.equal(yield* Fiber.join(counting), 0)
    }).pipe(Effect.provide(TestContext.TestContext)),
  descriptors: ({ open }) =>
    Effect.gen(function*() {
      const use = Effect.scoped(Effect.gen(function*() {
        const sql = yield* open()
        yield* sql`CREATE TABLE IF NOT EXISTS t (a)`
        yield* sql`INSERT INTO t VALUES (${1})`
        yield* count(sql)
      }))
      yield* use
      if (!existsSync("/proc/self/fd")) return
      const opened = () => readdirSync("/proc/self/fd").length
      const before = opened()
      yield* Effect.repeatN(use, 19)
      assert.ok(opened() <= before)
      // With another connection, the file stays in WAL mode, and nothing waits for the disk.
      yield* Effect.scoped(Effect.zipRight(open(), Effect.repeatN(use, 179)))
      assert.ok(opened() <= before)
    }),
  "invalid UTF-8": ({ filename, open }) =>
    Effect.gen(function*() {
      editing(filename, "CREATE TABLE t AS SELECT CAST(x'61ff62' AS TEXT) AS a, CAST(x'e282' AS TEXT) AS b")
      const sql = yield* open()
      assert.deepEqual(yield* sql`SELECT a, b FROM t`.values, [["a\ufffdb", "\ufffd"]])
      const [json] = yield* sql<{ json: string }>`SELECT json_group_array(json_array(a, b)) AS json FROM t`
      assert.deepEqual(JSON.parse(json!.json), [["a\ufffdb", "\ufffd"]])
      // Reading leaves the bytes as they are.
      assert.deepEqual(yield* sql`SELECT hex(a) FROM t`.values, [["61FF62"]])
    }),
  "U+0000": ({ open }) =>
    Effect.gen(function*() {
      const sql = yield* open()
      yield* sql`CREATE TABLE t (a)`
      const insertion = sql<{ a: string }>`INSERT INTO t VALUES (${"a\0b"}) RETURNING a`
      if (keepsNul()) {
        assert.equal((yield* insertion)[0]?.a, "a\0b")
        assert.deepEqual(yield* sql`SELECT a FROM t WHERE a = ${"a\0b"}`.values, [["a\0b"]])
      } else {
        assert.match(String((yield* Effect.flip(insertion)).cause), /A text must not contain U\+0000/)
        assert.equal(yield* count(sql), 0)
      }
    }),
  integers: ({ open }) =>
    Effect.gen(function*() {
      const sql = yield* open()
      yield* sql`CREATE TABLE t (a)`
      const safe = [0, 1, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 1.5]
      const unsafe = [2n ** 53n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 63n - 1n, -(2n ** 63n)]
      for (const value of [...safe, ...unsafe]) {
        // As the result of a write, which must not fail after it has written, and of a query.
        assert.deepEqual(yield* sql.unsafe("INSERT INTO t VALUES (?) RETURNING a", [value]).values, [[value]])
        assert.deepEqual(yield* sql.unsafe("SELECT a FROM t WHERE a = ?", [value]).values, [[value]])
      }
      const rows = yield* sql<{ a: unknown }>`SELECT a FROM t ORDER BY rowid`
      assert.deepEqual(rows.map(({ a }) => a), [...safe, ...unsafe])
      const error = yield* Effect.flip(sql.unsafe("INSERT INTO t VALUES (?)", [2n ** 63n]))
      assert.match(String(error.cause), /The integer 9223372036854775808 has more than 64 bits/)
      const types = sql.unsafe("SELECT typeof(?), typeof(?), typeof(?), ? / ?", [1, true, new Date(0), 7, 2])
      assert.deepEqual(yield* types.values, [["integer", "integer", "integer", 3]])
    }),
  "one statement": ({ open }) =>
    Effect.gen(function*() {
      const sql = yield* open()
      for (const end of ["", ";", "; -- done", " /* ; */ ;\n"]) {
        assert.deepEqual(yield* sql.unsafe(`SELECT 'é'${end}`).values, [["é"]])
      }
      for (const statements of ["SELECT 1; CREATE TABLE t (a)", "CREATE TABLE t (a);\nSELECT 1", "SELECT 1\0, 2"]) {
        const error = yield* Effect.flip(sql.unsafe(statements))
        assert.match(String(error.cause), /Only one statement can be run at a time/)
      }
      assert.deepEqual(yield* sql`SELECT name FROM sqlite_schema`, [])
    }),
  "large values": ({ open }) =>
    Effect.gen(function*() {
      const sql = yield* open()
      const most = 2 ** 29 - 24
      const lengthOf = (bytes: number) => sql`SELECT length(zeroblob(${bytes}))`.values
      assert.deepEqual(yield* lengthOf(most), [[most]])
      const memory = another(":memory:")
      const hasLimits = "limits" in memory
      memory.close()
      // Node 22 has none.
      if (!hasLimits) return
      const error = yield* Effect.flip(lengthOf(most + 1))
      assert.equal(codeOf(error), "SQLITE_TOOBIG")
    }),
  "changed tables": ({ filename, open }) =>
    Effect.gen(function*() {
      editing(filename, "CREATE TABLE t AS SELECT 1 AS a")
      const sql = yield* open()
      const all = Effect.map(sql`SELECT * FROM t`, ([row]) => ({ ...row }))
      assert.deepEqual(yield* all, { a: 1 })
      editing(filename, "ALTER TABLE t ADD COLUMN b DEFAULT 2")
      assert.deepEqual(yield* all, { a: 1, b: 2 })
      editing(filename, "ALTER TABLE t DROP COLUMN a")
      assert.deepEqual(yield* all, { b: 2 })
    })
}

const surroundings = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "mailstream-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  ),
  (folder): Surroundings => {
    const filename = join(folder, "test.db")
    return {
      filename,
      folder,
      open: (options) =>
        Effect.map(Layer.build(Sqlite.layer({ filename, ...options })), Context.get(SqlClient.SqlClient))
    }
  }
)

/** Each in a folder of its own. The first one has to be the first to use SQLite. */
export const checks: Readonly<Record<string, () => Promise<void>>> = Object.fromEntries(
  Object.entries(inOrder).map(([name, check]) => [
    name,
    () => Effect.runPromise(Effect.scoped(Effect.flatMap(surroundings, check)))
  ])
)

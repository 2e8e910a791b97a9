import { SqlClient } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import * as Sqlite from "@mailstream/sql/Sqlite"
import * as Temporary from "@mailstream/testing/Temporary"
import { Array, Context, Effect, Layer } from "effect"
import { readdirSync } from "node:fs"

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
})

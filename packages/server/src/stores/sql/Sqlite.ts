/** SQLite through libsql. */
import * as Reactivity from "@effect/experimental/Reactivity"
import { LibsqlClient } from "@effect/sql-libsql"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Statement from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"

/**
 * Gives the event loop a turn. The libsql client works synchronously behind its promises: without this, statements of
 * all waiting callers would run back to back, and the process would neither accept nor read connections meanwhile.
 */
const yieldToEventLoop: Effect.Effect<void> = Effect.async((resume) => void setImmediate(() => resume(Effect.void)))

/**
 * A SQLite file on one connection, used by one caller at a time.
 *
 * The libsql client itself opens a new connection for every transaction and never closes it, which leaks two open files
 * each time and loses the settings below; and after a transaction that could not begin, no other can.
 */
const make = (filename: string): Effect.Effect<SqlClient.SqlClient, SqlError, Reactivity.Reactivity | Scope.Scope> =>
  Effect.gen(function*() {
    const libsql = yield* LibsqlClient.make({ url: pathToFileURL(resolve(filename)).href })
    const connection = yield* libsql.reserve
    const turns = yield* Effect.makeSemaphore(1)
    // Statements and transactions alike hold the connection until their scope closes.
    const acquirer = Effect.acquireRelease(
      Effect.as(Effect.zipRight(turns.take(1), yieldToEventLoop), connection),
      () => turns.release(1)
    )
    const sql = yield* SqlClient.make({
      acquirer,
      compiler: Statement.makeCompilerSqlite(),
      beginTransaction: "BEGIN IMMEDIATE",
      spanAttributes: [["db.system.name", "sqlite"]]
    })
    yield* sql`PRAGMA journal_mode = WAL`
    // A commit is on the disk before it is acknowledged.
    yield* sql`PRAGMA synchronous = FULL`
    yield* sql`PRAGMA busy_timeout = 5000`
    return sql
  })

export const layer = (filename: string): Layer.Layer<SqlClient.SqlClient, SqlError> =>
  Layer.provide(Layer.scoped(SqlClient.SqlClient, make(filename)), Reactivity.layer)

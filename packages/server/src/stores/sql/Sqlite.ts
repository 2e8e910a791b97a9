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
 * Lets the process look at its other connections. The client of libsql answers at once, though by way of a promise: one
 * statement after the other would be carried out for all who wait, and nobody would be let in or heard meanwhile.
 */
const breath: Effect.Effect<void> = Effect.async((resume) => void setImmediate(() => resume(Effect.void)))

/**
 * A SQLite file on one connection, which everybody waits for.
 *
 * The client of libsql opens another connection for every transaction and never closes it: two open files more each
 * time, and settings that are lost. And where a transaction cannot begin, it lets nobody else begin one again.
 */
const make = (filename: string): Effect.Effect<SqlClient.SqlClient, SqlError, Reactivity.Reactivity | Scope.Scope> =>
  Effect.gen(function*() {
    const libsql = yield* LibsqlClient.make({ url: pathToFileURL(resolve(filename)).href })
    const connection = yield* libsql.reserve
    const turns = yield* Effect.makeSemaphore(1)
    // Statements and transactions alike have the connection until their scope is closed.
    const acquirer = Effect.acquireRelease(
      Effect.as(Effect.zipRight(turns.take(1), breath), connection),
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

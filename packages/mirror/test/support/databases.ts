/** A new database of each kind. */
import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import * as Sqlite from "@mailstream/sql/Sqlite"
import * as Postgres from "@mailstream/testing/Postgres"
import * as Provided from "@mailstream/testing/Provided"
import * as Temporary from "@mailstream/testing/Temporary"
import { Context, Effect, Layer, type Scope } from "effect"

export type Database = Context.Context<SqlClient.SqlClient>

const sqlite: Effect.Effect<Database, never, Scope.Scope> = Effect.gen(function*() {
  const filename = yield* Temporary.file("mail.db")
  return yield* Effect.orDie(Layer.build(Sqlite.layer({ filename })))
})

const postgres: Effect.Effect<Database, never, Scope.Scope> = Effect.gen(function*() {
  const url = yield* Postgres.createSchema(Provided.postgres())
  const context = yield* Effect.orDie(Layer.build(PgClient.layer({ url })))
  return Context.make(SqlClient.SqlClient, Context.get(context, SqlClient.SqlClient))
})

export const databases: ReadonlyArray<readonly [name: string, open: Effect.Effect<Database, never, Scope.Scope>]> = [
  ["SQLite", sqlite],
  ["PostgreSQL", postgres]
]

/** A new database of each kind. */
import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import * as Sqlite from "@mailstream/sql/Sqlite"
import * as Postgres from "@mailstream/testing/Postgres"
import * as Provided from "@mailstream/testing/Provided"
import * as Temporary from "@mailstream/testing/Temporary"
import { Context, Effect, Layer, Redacted, type Scope } from "effect"

export type Database = Context.Context<SqlClient.SqlClient>

const sqlite: Effect.Effect<Database, never, Scope.Scope> = Effect.gen(function*() {
  const filename = yield* Temporary.file("mail.db")
  return yield* Effect.orDie(Layer.build(Sqlite.layer({ filename })))
})

const connect = (url: Redacted.Redacted): Effect.Effect<Database, unknown, Scope.Scope> =>
  Effect.map(
    Layer.build(PgClient.layer({ url })),
    (context) => Context.make(SqlClient.SqlClient, Context.get(context, SqlClient.SqlClient))
  )

const postgres: Effect.Effect<Database, never, Scope.Scope> = Effect.gen(function*() {
  const url = yield* Postgres.createSchema(Provided.postgres())
  return yield* Effect.orDie(connect(url))
})

export const databases: ReadonlyArray<readonly [name: string, open: Effect.Effect<Database, never, Scope.Scope>]> = [
  ["SQLite", sqlite],
  ["PostgreSQL", postgres]
]

/** A database whose owner can write, and someone else who can only read. */
export interface Shared {
  readonly owner: Database
  /** Opens it for the other one, who may read what is there by now. */
  readonly reader: Effect.Effect<Database, unknown, Scope.Scope>
}

const sharedSqlite: Effect.Effect<Shared, unknown, Scope.Scope> = Effect.gen(function*() {
  const filename = yield* Temporary.file("mail.db")
  const owner = yield* Layer.build(Sqlite.layer({ filename }))
  return { owner, reader: Layer.build(Sqlite.layer({ filename, readonly: true })) }
})

const sharedPostgres: Effect.Effect<Shared, unknown, Scope.Scope> = Effect.gen(function*() {
  const url = yield* Postgres.createSchema(Provided.postgres())
  const owner = yield* connect(url)
  const reader = Effect.gen(function*() {
    const sql = Context.get(owner, SqlClient.SqlClient)
    const [row] = yield* sql<{ schema: string }>`SELECT current_schema() AS schema`
    const name = `reader_of_${row!.schema}`
    yield* Effect.acquireRelease(
      sql.unsafe(`
        CREATE ROLE "${name}" LOGIN PASSWORD 'reader';
        GRANT USAGE ON SCHEMA "${row!.schema}" TO "${name}";
        GRANT SELECT ON ALL TABLES IN SCHEMA "${row!.schema}" TO "${name}"`),
      () => Effect.orDie(sql.unsafe(`DROP OWNED BY "${name}"; DROP ROLE "${name}"`))
    )
    const readers = new URL(Redacted.value(url))
    readers.username = name
    readers.password = "reader"
    return yield* connect(Redacted.make(readers.href))
  })
  return { owner, reader }
})

export const shared: ReadonlyArray<readonly [name: string, share: Effect.Effect<Shared, unknown, Scope.Scope>]> = [
  ["SQLite", sharedSqlite],
  ["PostgreSQL", sharedPostgres]
]

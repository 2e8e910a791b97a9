import { SqlClient } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import { Migrations, Postgres, Sqlite } from "@mailstream/sql"
import * as Databases from "@mailstream/testing/Postgres"
import * as Provided from "@mailstream/testing/Provided"
import * as Temporary from "@mailstream/testing/Temporary"
import { Effect, Layer } from "effect"

const databases = [
  ["SQLite", Effect.map(Temporary.file("mail.db"), (filename) => Sqlite.layer({ filename }))],
  ["PostgreSQL", Effect.map(Databases.createSchema(Provided.postgres()), (url) => Postgres.layer({ url }))]
] as const

const table = "things_migrations"

const create = Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.asVoid(sql`CREATE TABLE things (name TEXT)`))
const extend = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => Effect.asVoid(sql`ALTER TABLE things ADD COLUMN size BIGINT`)
)

const older = { "0001_create": create }
const newer = { ...older, "0002_extend": extend }

describe.each(databases)("the tables of a newer version, in %s", (_, open) => {
  it.scopedLive("are used by it, and refused by an older one", () =>
    Effect.gen(function*() {
      yield* Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        assert.isFalse(yield* Migrations.areDone(table, older))
        yield* Migrations.run(table, older)
        yield* Migrations.run(table, older)
        assert.isTrue(yield* Migrations.areDone(table, older))
        assert.isFalse(yield* Migrations.areDone(table, newer))
        yield* Migrations.run(table, newer)
        assert.isTrue(yield* Migrations.areDone(table, newer))
        yield* sql`INSERT INTO things (name, size) VALUES (${"one"}, ${1})`
        for (const refused of [Migrations.run(table, older), Migrations.areDone(table, older)]) {
          const error = yield* Effect.flip<
            unknown,
            { readonly _tag: string; readonly message: string },
            SqlClient.SqlClient
          >(refused)
          assert.strictEqual(error._tag, "MigrationError")
          assert.include(
            error.message,
            "A newer version of Mailstream has changed the tables of this database (things_migrations is at 2"
          )
        }
        assert.lengthOf(yield* sql`SELECT size FROM things`, 1)
      }).pipe(Effect.provide(Layer.unwrapScoped(open)))
    }))
})

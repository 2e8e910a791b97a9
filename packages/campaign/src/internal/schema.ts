/** The tables of campaigns. */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Tables from "@mailstream/kernel/campaign/Tables"
import * as Database from "@mailstream/sql/Database"
import * as Migrations from "@mailstream/sql/Migrations"
import * as Effect from "effect/Effect"

const migrations: Migrations.Migrations = Object.fromEntries(
  Object.keys(Tables.statements(true)).map((name) => [
    name,
    Effect.gen(function*() {
      const { isPostgres, run, sql } = Database.make(yield* SqlClient.SqlClient)
      const statements = Tables.statements(isPostgres)[name] ?? []
      yield* Effect.forEach(statements, (statement) => run(sql.unsafe(statement)), { discard: true })
    })
  ])
)

/** Creates the tables, unless they are there. */
export const ensure = Effect.unlessEffect(
  Migrations.run(Tables.migrations, migrations),
  Migrations.areDone(Tables.migrations, migrations)
)

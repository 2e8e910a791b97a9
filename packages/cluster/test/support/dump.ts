/** Everything in a database, as text. */
import type { PgClient } from "@effect/sql-pg"
import type { SqlError } from "@effect/sql/SqlError"
import { Effect } from "effect"

export const dump = (sql: PgClient.PgClient): Effect.Effect<string, SqlError> =>
  Effect.gen(function*() {
    const tables = yield* sql<{ name: string }>`SELECT table_name AS name FROM information_schema.tables
      WHERE table_schema NOT IN ('pg_catalog', 'information_schema')`
    const texts = yield* Effect.forEach(tables, ({ name }) =>
      Effect.map(sql<{ text: string }>`SELECT t::text AS text FROM ${sql(name)} t`, (rows) =>
        [
          name,
          ...rows.map(({ text }) =>
            text
          )
        ].join("\n")))
    return texts.join("\n")
  })

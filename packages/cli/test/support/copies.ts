/** Places for a copy: a new database of each kind. */
import { SqlClient, type SqlError } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { Server } from "@mailstream/server"
import * as Sqlite from "@mailstream/sql/Sqlite"
import * as Postgres from "@mailstream/testing/Postgres"
import * as Provided from "@mailstream/testing/Provided"
import * as Temporary from "@mailstream/testing/Temporary"
import type { Layer } from "effect"
import { Effect, Redacted, type Scope } from "effect"

export interface Place {
  /** What `--to` and `MAILSTREAM_DATABASE_URL` name it. */
  readonly url: string
  /** Looks into the database with another client. */
  readonly query: (statement: string) => Effect.Effect<ReadonlyArray<Readonly<Record<string, unknown>>>>
}

const place = (url: string, client: Layer.Layer<SqlClient.SqlClient, SqlError.SqlError>): Place => ({
  url,
  query: (statement) =>
    Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe<Record<string, unknown>>(statement)).pipe(
      Effect.provide(client),
      Effect.orDie
    )
})

const sqlite: Effect.Effect<Place, never, Scope.Scope> = Effect.map(
  Temporary.file("mail.db"),
  (filename) => place(`sqlite:${filename}`, Sqlite.layer({ filename }))
)

const postgres: Effect.Effect<Place> = Effect.map(
  Effect.suspend(() => Postgres.createDatabase(Provided.postgres())),
  (url) => place(Redacted.value(url), PgClient.layer({ url }))
)

export const places: ReadonlyArray<readonly [name: string, make: Effect.Effect<Place, never, Scope.Scope>]> = [
  ["SQLite", sqlite],
  ["PostgreSQL", postgres]
]

/** The variables that name the service, and the database. */
export const environment = (
  { url }: Place
): Effect.Effect<Record<string, string>, never, Server.TestServer> =>
  Effect.map(Server.TestServer, ({ apiKey, baseUrl }) => ({
    MAILSTREAM_BASE_URL: baseUrl,
    MAILSTREAM_API_KEY: Redacted.value(apiKey),
    MAILSTREAM_DATABASE_URL: url
  }))

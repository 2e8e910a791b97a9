/** Where a campaign is kept, and what happens to that. */
import { SqlClient } from "@effect/sql"
import * as PostgresClient from "@mailstream/sql/Postgres"
import * as Sqlite from "@mailstream/sql/Sqlite"
import type { Dice } from "@mailstream/testing/Dice"
import * as Postgres from "@mailstream/testing/Postgres"
import type { Programs } from "@mailstream/testing/Programs"
import * as Temporary from "@mailstream/testing/Temporary"
import type { Layer } from "effect"
import { Effect, Redacted, type Scope } from "effect"
import type * as Service from "../../support/service.ts"
import { disturb } from "../mirror/disturbance.ts"

/** The campaign. */
export const name = "news"

export const layer = (target: string): Layer.Layer<SqlClient.SqlClient, unknown> =>
  target.startsWith("postgres")
    ? PostgresClient.layer({ url: Redacted.make(target), maxConnections: 4, connectTimeout: "1 minute" })
    : Sqlite.layer({ filename: target })

export interface Databases {
  /** Of the service. */
  readonly place: Service.Place
  /** Of the campaign. */
  readonly target: string
  /** Fails for a moment: PostgreSQL is killed and started again, with both databases; a file is locked by another process. */
  readonly fail: (dice: Dice) => Effect.Effect<void, unknown, Programs>
}

export type StoreName = "SQLite" | "PostgreSQL"

/** Two new databases. */
export const make: Record<StoreName, Effect.Effect<Databases, never, Scope.Scope>> = {
  SQLite: Effect.gen(function*() {
    const target = yield* Temporary.file("campaign.db")
    return {
      place: { store: "SQLite", target: yield* Temporary.file("store.db") },
      target,
      fail: (dice) => disturb(target, dice)
    }
  }),
  PostgreSQL: Effect.gen(function*() {
    const { restart, url } = yield* Postgres.running
    return {
      place: { store: "PostgreSQL", target: Redacted.value(yield* Postgres.createDatabase(url)) },
      target: Redacted.value(yield* Postgres.createDatabase(url)),
      fail: () => Effect.promise(restart)
    }
  })
}

/** Reads something of the campaign, as nobody who runs it. */
export const look = <A>(
  target: string,
  query: (sql: SqlClient.SqlClient) => Effect.Effect<A, unknown>
): Effect.Effect<A, unknown> => Effect.provide(Effect.flatMap(SqlClient.SqlClient, query), layer(target))

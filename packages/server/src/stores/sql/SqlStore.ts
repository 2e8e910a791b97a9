/**
 * A store in a SQL database: SQLite, a file that processes on one machine can share, or PostgreSQL.
 *
 * A page costs the same at any depth: the cursor's place is looked up by its id, and the page is read from there along
 * an index, in one statement.
 *
 * @since 1.0.0
 */
import { PgClient } from "@effect/sql-pg"
import type { MigrationError } from "@effect/sql/Migrator"
import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Sqlite from "@mailstream/sql/Sqlite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { Store, type StoreService } from "../Store.ts"
import * as Views from "../Views.ts"
import * as Database from "./Database.ts"
import * as Keys from "./Keys.ts"
import * as Migrations from "./Migrations.ts"
import * as Reading from "./Reading.ts"
import * as Writing from "./Writing.ts"

/**
 * A store in a database that has been migrated already; `layer` migrates it first.
 *
 * @since 1.0.0
 * @category constructors
 */
export const make: Effect.Effect<StoreService, never, SqlClient.SqlClient> = Effect.map(
  Database.make,
  (databaseOf) =>
    Views.toStore((account) => {
      const database = databaseOf(account)
      return {
        insert: Writing.insert(database),
        update: Writing.update(database),
        delete: Writing.remove(database),
        join: Writing.join(database),
        leave: Writing.leave(database),
        page: Reading.page(database),
        all: Reading.all(database),
        insertKey: Keys.insert(database),
        findSecrets: Keys.findSecrets(database),
        touchKey: Keys.touch(database)
      }
    })
)

/**
 * A store in the database of any SQL client. Migrates the database first.
 *
 * @since 1.0.0
 * @category layers
 */
export const layer: Layer.Layer<Store, SqlError | MigrationError, SqlClient.SqlClient> = Layer.fresh(
  // Layers are shared by reference: two databases in one app would be one store.
  Layer.effect(Store, Effect.zipRight(Migrations.run, make))
)

/**
 * A store in a SQLite file, which several processes on this machine may share. Acknowledged writes survive a crash of
 * the process. A writer waits for another process up to five seconds, then fails with the reason `Unavailable`.
 *
 * @since 1.0.0
 * @category layers
 */
export const layerSqlite = (options: {
  readonly filename: string
}): Layer.Layer<Store, SqlError | MigrationError> => Layer.provide(layer, Sqlite.layer(options))

/**
 * A store in a PostgreSQL database, which several processes may share.
 *
 * @since 1.0.0
 * @category layers
 */
export const layerPostgres = (options: {
  /** For example `postgres://user:password@localhost:5432/database`. */
  readonly url: Redacted.Redacted
}): Layer.Layer<Store, SqlError | MigrationError> =>
  // Without a limit, a caller would wait forever for a connection to a host that does not respond.
  Layer.provide(layer, PgClient.layer({ url: options.url, connectTimeout: "5 seconds" }))

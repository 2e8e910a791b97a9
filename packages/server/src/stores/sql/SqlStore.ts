/**
 * A store in a SQL database: SQLite, a file that processes on one machine can share, or PostgreSQL.
 *
 * A page costs the same at any depth: the cursor's place is looked up by its id, and the page is read from there along
 * an index, in one statement.
 *
 * @since 1.0.0
 */
import type { MigrationError } from "@effect/sql/Migrator"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as InvalidOption from "@mailstream/core/InvalidOption"
import * as Postgres from "@mailstream/sql/Postgres"
import * as Sqlite from "@mailstream/sql/Sqlite"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { Store, type StoreService } from "../Store.ts"
import * as Views from "../Views.ts"
import * as Database from "./Database.ts"
import * as Keys from "./Keys.ts"
import * as Migrations from "./Migrations.ts"
import * as Reading from "./Reading.ts"
import * as SqlCampaigns from "./SqlCampaigns.ts"
import * as SqlJournal from "./SqlJournal.ts"
import * as SqlObjects from "./SqlObjects.ts"
import * as Writing from "./Writing.ts"

/**
 * @since 1.0.0
 * @category models
 */
export interface Options {
  /**
   * How long an operation on PostgreSQL may take, with all that it waits for: a connection, a lock, a response. Then it
   * fails with the reason `Unavailable`, and the service responds with 503. Default: 5 seconds.
   */
  readonly timeout?: Duration.DurationInput | undefined
}

const defaultTimeout = Duration.seconds(5)

const timeoutOf = (
  { timeout = defaultTimeout }: Options
): Either.Either<Duration.Duration, InvalidOption.InvalidOption> =>
  InvalidOption.duration("timeout", timeout, { min: "100 millis" })

const storeIn = (timeout: Duration.Duration): Effect.Effect<StoreService, never, SqlClient.SqlClient> =>
  Effect.map(Database.make(timeout), (databaseOf) =>
    Views.toStore((account) => {
      const database = databaseOf(account)
      return {
        ...SqlObjects.make(database),
        insert: Writing.insert(database),
        update: Writing.update(database),
        delete: Writing.remove(database),
        join: Writing.join(database),
        leave: Writing.leave(database),
        page: Reading.page(database),
        all: Reading.all(database),
        insertKey: Keys.insert(database),
        findSecrets: Keys.findSecrets(database),
        touchKey: Keys.touch(database),
        ...SqlCampaigns.make(database),
        agenda: SqlJournal.agenda(database)
      }
    }))

/**
 * A store in a database that has been migrated already; `layer` migrates it first.
 *
 * @since 1.0.0
 * @category constructors
 */
export const make = (
  options: Options = {}
): Effect.Effect<StoreService, InvalidOption.InvalidOption, SqlClient.SqlClient> =>
  Effect.flatMap(timeoutOf(options), storeIn)

/** Migrates the database first. */
const opened = (timeout: Duration.Duration): Layer.Layer<Store, SqlError | MigrationError, SqlClient.SqlClient> =>
  Layer.effect(Store, Effect.zipRight(Migrations.run, storeIn(timeout))).pipe(
    Layer.provide(Layer.effect(
      SqlClient.SqlClient,
      Effect.map(SqlClient.SqlClient, (sql) => Postgres.bounded(sql, Database.limitsFor(timeout)))
    )),
    // Layers are shared by reference: two databases in one app would be one store.
    Layer.fresh
  )

/**
 * A store in the database of any SQL client. Migrates the database first.
 *
 * @since 1.0.0
 * @category layers
 */
export const layerWith = (
  options: Options
): Layer.Layer<Store, SqlError | MigrationError | InvalidOption.InvalidOption, SqlClient.SqlClient> =>
  Layer.unwrapEffect(Effect.map(timeoutOf(options), opened))

/**
 * The same, with the default options.
 *
 * @since 1.0.0
 * @category layers
 */
export const layer: Layer.Layer<Store, SqlError | MigrationError, SqlClient.SqlClient> = opened(defaultTimeout)

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
 * A store in a PostgreSQL database, which several processes may share. One that does not respond, or in which somebody has
 * locked a table, makes operations fail with the reason `Unavailable` after `timeout`, and is used again once it responds.
 *
 * @since 1.0.0
 * @category layers
 */
export const layerPostgres = (
  options: Options & {
    /** For example `postgres://user:password@localhost:5432/database`. */
    readonly url: Redacted.Redacted
  }
): Layer.Layer<Store, SqlError | MigrationError | InvalidOption.InvalidOption> =>
  Layer.unwrapEffect(Effect.map(timeoutOf(options), (timeout) =>
    Layer.provide(
      opened(timeout),
      Postgres.layer({ url: options.url, ...Database.limitsFor(timeout), connectTimeout: timeout })
    )))

/**
 * A copy of the service's lists in your own database, and a stream of what changes in them.
 *
 * @since 1.0.0
 */
import type { MigrationError } from "@effect/sql/Migrator"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { InvalidOption } from "@mailstream/core/InvalidOption"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Changes from "./internal/changes.ts"
import * as Database from "./internal/database.ts"
import * as Dropping from "./internal/dropping.ts"
import * as Erase from "./internal/erase.ts"
import * as Feeds from "./internal/feeds.ts"
import * as Looking from "./internal/looking.ts"
import * as Check from "./internal/options.ts"
import * as DatabaseSchema from "./internal/schema.ts"
import * as Syncing from "./internal/syncing.ts"
import type { TableInUse } from "./MirrorError.ts"
import type { MirrorService } from "./MirrorService.ts"
import type { SyncOptions } from "./Sync.ts"

export type { ChangesOptions, CommittableChanges } from "./Change.ts"
export * from "./Lists.ts"
export type * from "./MirrorService.ts"
export type * from "./Status.ts"
export * from "./Sync.ts"

/**
 * @since 1.0.0
 * @category models
 */
export interface Options {
  /** Tells the rows of several accounts apart; default: `default`. */
  readonly account?: string | undefined
  /** The PostgreSQL schema of the tables; default: the current one. Created if it does not exist. */
  readonly schema?: string | undefined
  /** What the names of all tables begin with; default: nothing. */
  readonly prefix?: string | undefined
}

/**
 * The copy in a database.
 *
 * @since 1.0.0
 * @category services
 * @example
 * ```ts
 * import { Mirror } from "@mailstream/mirror"
 * import { contacts } from "@mailstream/stream"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function*() {
 *   const mirror = yield* Mirror.Mirror
 *   yield* mirror.sync({ lists: ["contacts"] })
 *   yield* mirror.process(contacts, "crm", (change) => Effect.log(change._tag, change.item.email))
 * })
 * ```
 */
export class Mirror extends Context.Tag("@mailstream/mirror/Mirror")<Mirror, MirrorService>() {}

const make = (database: Database.Database, account: string): MirrorService => ({
  account,
  forAccount: (account) => Effect.map(Check.name("account", account), (account) => make(database, account)),
  ...Syncing.make(database, account),
  ...Changes.make(database, account),
  ...Looking.make(database, account),
  ...Dropping.make(database, account),
  ...Erase.make(database, account)
})

const databaseOf = (options: Options): Effect.Effect<Database.Database, InvalidOption, SqlClient.SqlClient> =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => Effect.map(Check.naming(sql, options), (naming) => Database.make(sql, naming))
  )

/**
 * The copy in the database of any SQL client: SQLite or PostgreSQL. Creates the tables that are missing.
 *
 * @since 1.0.0
 * @category layers
 */
export const layer = (
  options: Options = {}
): Layer.Layer<Mirror, SqlError | MigrationError | TableInUse | InvalidOption, SqlClient.SqlClient> =>
  Layer.effect(
    Mirror,
    Effect.gen(function*() {
      const account = yield* Check.name("account", options.account ?? "default")
      const database = yield* databaseOf(options)
      yield* DatabaseSchema.ensure(database, Feeds.all.map(({ table }) => table))
      return make(database, account)
    })
  )

/**
 * Checks options without a sync, for programs that keep them for later.
 *
 * @since 1.0.0
 * @category combinators
 */
export const validate = (options: SyncOptions): Either.Either<void, InvalidOption> =>
  Either.map(Either.all([Check.pass(options), Check.chosen(Feeds.all, options)]), () => undefined)

/**
 * Whether the database holds a copy, of whichever account. Unlike `layer`, it creates nothing.
 *
 * @since 1.0.0
 * @category combinators
 */
export const exists = (
  options: Omit<Options, "account"> = {}
): Effect.Effect<boolean, SqlError | InvalidOption, SqlClient.SqlClient> =>
  Effect.flatMap(
    databaseOf(options),
    (database) => Effect.map(DatabaseSchema.columnsIn(database, "mirror_lists"), (columns) => columns.size > 0)
  )

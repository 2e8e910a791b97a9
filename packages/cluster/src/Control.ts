/**
 * What can be done with accounts while workers run: each is a change of their rows, which they notice by themselves.
 *
 * @since 1.0.0
 */
import type { MigrationError } from "@effect/sql/Migrator"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { Fragment } from "@effect/sql/Statement"
import type { InvalidOption } from "@mailstream/core/InvalidOption"
import * as Mirror from "@mailstream/mirror/Mirror"
import type { TableInUse } from "@mailstream/mirror/MirrorError"
import * as Postgres from "@mailstream/sql/Postgres"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import { type AccountInUse, NoCluster, UnknownAccount } from "./ClusterError.ts"
import * as Changes from "./internal/changes.ts"
import * as Entries from "./internal/entries.ts"
import * as Erase from "./internal/erase.ts"
import * as Tables from "./internal/tables.ts"

/**
 * @since 1.0.0
 * @category models
 */
export interface Options {
  /** What the names of all tables begin with, as for the worker; default: nothing. */
  readonly prefix?: string | undefined
}

/**
 * Why an account cannot be changed.
 *
 * @since 1.0.0
 * @category errors
 */
export type ControlError = UnknownAccount | NoCluster | InvalidOption | SqlError

/**
 * Why an account cannot be erased.
 *
 * @since 1.0.0
 * @category errors
 */
export type EraseError = AccountInUse | ControlError | MigrationError | TableInUse

/** Changes the rows of these accounts: all of them, or none if one is unknown. */
const change = (
  ids: string | ReadonlyArray<string>,
  options: Options | undefined,
  set: (sql: SqlClient.SqlClient) => Fragment
): Effect.Effect<void, ControlError, SqlClient.SqlClient> =>
  Effect.gen(function*() {
    const names = yield* Tables.names(options ?? {})
    const sql = Postgres.bounded(yield* SqlClient.SqlClient).withoutTransforms()
    if (!(yield* Tables.exist(sql, names))) return yield* new NoCluster({ table: names.workers })
    const wanted = Arr.dedupe(Arr.ensure(ids))
    const changed = Effect.map(
      Changes.change(sql, names, wanted.filter(Entries.isId), set(sql)),
      (found) => new Set(found)
    )
    yield* sql.withTransaction(Effect.flatMap(changed, (found) => {
      const [account, ...others] = wanted.filter((id) => !found.has(id))
      return account === undefined ? Effect.void : new UnknownAccount({ account, others })
    }))
  })

/**
 * Stops copying an account until it is resumed. A pass in progress is interrupted within about two seconds, and continues from
 * its last page then. The copy is kept, and grows older. Takes several accounts, too: all are paused, or none if one of them is unknown.
 *
 * @since 1.0.0
 * @category combinators
 * @example
 * ```ts
 * import { Control, Database } from "@mailstream/cluster"
 * import { Effect, Redacted } from "effect"
 *
 * const program = Control.pause("acme").pipe(
 *   Effect.provide(Database.layer({ url: Redacted.make("postgres://localhost/mail") }))
 * )
 * ```
 */
export const pause = (
  ids: string | ReadonlyArray<string>,
  options?: Options
): Effect.Effect<void, ControlError, SqlClient.SqlClient> =>
  change(ids, options, (sql) => sql`paused_at = COALESCE(paused_at, now())`)

/**
 * Ends a pause. The account is copied when it is due, which is at once if it has been in the meantime. Takes several accounts, too,
 * as `pause` does.
 *
 * @since 1.0.0
 * @category combinators
 */
export const resume = (
  ids: string | ReadonlyArray<string>,
  options?: Options
): Effect.Effect<void, ControlError, SqlClient.SqlClient> => change(ids, options, (sql) => sql`paused_at = NULL`)

/**
 * @since 1.0.0
 * @category models
 */
export interface SyncOptions extends Options {
  /**
   * The share of a list that the next pass of this account may mark as deleted, from 0 to 1; default: that of the workers. For an
   * account that really has lost most of a list. It ends with that pass, whether it succeeds for all lists or not; only an outage of the
   * database does not use it up.
   */
  readonly maxDeleted?: number | undefined
}

/**
 * Makes an account due now, whether it has been copied recently or waits after a failure. If a pass is in progress, another one follows
 * it, whatever becomes of the worker, and it is that one which `maxDeleted` is for. An account that is paused stays paused.
 * Takes several accounts, too, as `pause` does.
 *
 * @since 1.0.0
 * @category combinators
 */
export const syncNow = (
  ids: string | ReadonlyArray<string>,
  options?: SyncOptions
): Effect.Effect<void, ControlError, SqlClient.SqlClient> => {
  const { maxDeleted } = options ?? {}
  return Effect.zipRight(
    Mirror.validate({ maxDeleted }),
    change(
      ids,
      options,
      (sql) => sql`${Changes.due(sql)}, max_deleted = COALESCE(${maxDeleted ?? null}, max_deleted)`
    )
  )
}

/**
 * Deletes everything that the tables hold about an account: its copy, its changes and consumers, its key, and what workers know about
 * it. Returns how many rows of which table there were.
 *
 * Remove the account from where workers read their accounts first; from the encrypted table, it is removed by this. A pass in progress is
 * stopped before anything is deleted. Fails with `AccountInUse` if workers still have the account after half a minute. What was
 * begun and not completed is completed by calling it again.
 *
 * @since 1.0.0
 * @category combinators
 */
export const erase = (
  id: string,
  options?: Options
): Effect.Effect<ReadonlyArray<Mirror.Erased>, EraseError, SqlClient.SqlClient> => Erase.erase(id, options ?? {})

/**
 * The workers of a cluster: one row for each, alive until a time of the database's clock that it moves on with every beat.
 *
 * A worker whose time has passed is reaped by any other one, and its accounts are free. Beat and reaping change the same row, so that
 * exactly one of them wins. Who was reaped, or has left, never comes back: its row stays for a while, so that whatever it claimed
 * with a statement that was still under way is freed, too.
 */
import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { Fragment } from "@effect/sql/Statement"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Changes from "./changes.ts"
import type * as Tables from "./tables.ts"
import type { Turn } from "./turn.ts"
import { version } from "./version.ts"

/** What a worker says about itself. */
export interface Settings {
  readonly name: string
  readonly lockExpiration: Duration.Duration
  readonly every: Duration.Duration
  readonly maxAccounts: number
}

/** A turn that the database says a worker has; it is not wanted any more if the account was paused or removed. */
export interface Held extends Turn {
  readonly isWanted: boolean
}

/** What a worker learns from a beat. */
export interface Beat {
  /** If not, the worker is lost: others may have its accounts. */
  readonly isAlive: boolean
  /** How many workers are alive. */
  readonly workers: number
  /** Whether this one has been for longest: it does what one worker does for all. */
  readonly isFirst: boolean
}

/** How many expirations ago a worker must be gone to be forgotten. */
const keep = 10

export type Members = ReturnType<typeof make>

export const make = (client: SqlClient.SqlClient, names: Tables.Names) => {
  const sql = client.withoutTransforms()
  const [accounts, workers] = [sql(names.accounts), sql(names.workers)]
  const expiry = sql`clock_timestamp() + lease * interval '1 second'`
  const isLive = sql`gone_at IS NULL AND alive_until > clock_timestamp()`
  const freed = sql`worker = NULL, claimed_at = NULL, next_at = LEAST(next_at, now())`
  /**
   * Locks the accounts of workers whose rows the same statement has changed, and returned: a change that nothing reads would be made last,
   * and everywhere the row of a worker is locked before those of its accounts.
   */
  const lockedOf = (ended: Fragment) => Changes.locked(sql, names, sql`worker IN (${ended})`)
  /** Ends an identity, and frees its accounts. */
  const leave = (id: string): Effect.Effect<void, SqlError> =>
    Effect.asVoid(sql`WITH left_ AS (
        UPDATE ${workers} SET gone_at = COALESCE(gone_at, clock_timestamp()), has_left = true WHERE id = ${id}::uuid
        RETURNING id
      ), ${lockedOf(sql`SELECT id FROM left_`)}
      UPDATE ${accounts} a SET ${freed} FROM locked WHERE a.id = locked.id`)
  return {
    leave,
    /** Takes part under a new identity. */
    join: ({ every, lockExpiration, maxAccounts, name }: Settings, upFor: number): Effect.Effect<string, SqlError> =>
      Effect.flatMap(
        sql<
          { readonly id: string }
        >`INSERT INTO ${workers} (name, version, lease, alive_until, up_for, every, max_accounts)
          SELECT ${name}, ${version}, lease, ${expiry}, ${upFor}, ${Duration.toSeconds(every)}, ${maxAccounts}
          FROM (SELECT ${Duration.toSeconds(lockExpiration)}::float8 AS lease) l RETURNING id::text AS id`,
        ([row]) => row === undefined ? Effect.dieMessage("INSERT returned nothing") : Effect.succeed(row.id)
      ),
    beat: (id: string, upFor: number): Effect.Effect<Beat, SqlError> =>
      Effect.map(
        sql<Beat>`WITH beat AS (
            UPDATE ${workers} SET alive_until = ${expiry}, up_for = ${upFor} WHERE id = ${id}::uuid AND ${isLive} RETURNING id
          ) SELECT EXISTS (SELECT FROM beat) AS "isAlive",
            (SELECT count(*)::int FROM ${workers} WHERE ${isLive}) AS workers,
            COALESCE((SELECT id FROM ${workers} WHERE ${isLive} ORDER BY joined_at, id LIMIT 1) = ${id}::uuid, false)
              AS "isFirst"`,
        ([row]) => row ?? { isAlive: false, workers: 0, isFirst: false }
      ),
    /**
     * Frees the accounts of workers that are gone, and returns what this one has. If the database's clock was set back, workers
     * that were lost before would be alive until it is where it was: from here on, they expire as usual.
     */
    reap: (id: string): Effect.Effect<ReadonlyArray<Held>, SqlError> =>
      sql<Held>`WITH lost AS (
          UPDATE ${workers} SET gone_at = clock_timestamp()
          WHERE gone_at IS NULL AND alive_until <= clock_timestamp() RETURNING id
        ), early AS (
          UPDATE ${workers} SET alive_until = ${expiry} WHERE gone_at IS NULL AND alive_until > ${expiry}
        ), ${lockedOf(sql`SELECT id FROM lost UNION ALL SELECT id FROM ${workers} WHERE gone_at IS NOT NULL`)},
        freed AS (UPDATE ${accounts} a SET ${freed} FROM locked WHERE a.id = locked.id)
        SELECT id, turn::float8 AS turn, paused_at IS NULL AND removed_at IS NULL AS "isWanted"
          FROM ${accounts} WHERE worker = ${id}::uuid`,
    /** Forgets workers that have been gone for long. */
    prune: sql`DELETE FROM ${workers} w WHERE NOT EXISTS (SELECT FROM ${accounts} WHERE worker = w.id) AND
      abs(extract(epoch FROM clock_timestamp() - gone_at)) > lease * ${keep}`
  }
}

/**
 * What a cluster is doing, read from its database: no worker has to respond.
 *
 * @since 1.0.0
 */
import * as Snowflake from "@effect/cluster/Snowflake"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { InvalidOption } from "@mailstream/mirror/MirrorError"
import * as Effect from "effect/Effect"
import { NoCluster } from "./ClusterError.ts"
import * as Tables from "./internal/tables.ts"

/**
 * A worker that takes part, or did until recently.
 *
 * @since 1.0.0
 * @category models
 */
export interface Runner {
  /** `host:port`. */
  readonly address: string
  /** Whether it was heard from in the last half minute, and the other workers reach it. */
  readonly isHealthy: boolean
  /** Seconds since it was last heard from. */
  readonly silentFor: number
  /** How many shards of the accounts it holds; all workers together: 300. */
  readonly shards: number
  /** How many passes it has in progress. */
  readonly working: number
  /** How many accounts wait on it until there is room for their passes. */
  readonly waiting: number
}

/**
 * An account that failed.
 *
 * @since 1.0.0
 * @category models
 */
export interface Failure {
  readonly account: string
  /** How often it has failed in a row. */
  readonly attempts: number
  readonly error: string
  /** Seconds until the next attempt. */
  readonly retryIn: number
}

/**
 * @since 1.0.0
 * @category models
 */
export interface Status {
  /** The time of the database, in ISO form. */
  readonly at: string
  readonly runners: ReadonlyArray<Runner>
  readonly accounts: {
    readonly total: number
    /** Accounts of which there is no complete copy yet. */
    readonly neverCopied: number
    /** Accounts that are due, and have not been given to a worker yet. */
    readonly due: number
    /** Accounts that have been given to a worker and wait for room there. */
    readonly waiting: number
    /** Passes in progress. */
    readonly working: number
    readonly failing: number
    /** Seconds for which the longest has been due without being given to a worker; if this grows, no worker schedules. */
    readonly longestDue: number
    /** The age of the oldest copy, in seconds; undefined as long as there is none. */
    readonly oldestCopy: number | undefined
  }
  /** Those that failed most often, 20 at most. */
  readonly failures: ReadonlyArray<Failure>
  readonly messages: {
    /** Messages about turns that have not ended. */
    readonly unprocessed: number
    /** Those among them that no worker has read. */
    readonly unread: number
    /** Seconds for which the oldest of these has been waiting; if this grows, workers do not consume. */
    readonly oldestUnread: number
    /** Messages about turns that have ended, until they are pruned. */
    readonly processed: number
  }
}

/** A worker that was not heard from for longer is lost: it refreshes its locks every ten seconds at the latest. */
const maxSilence = 30

/** How many failures are reported. */
const maxFailures = 20

interface Totals {
  readonly at: string
  readonly total: string
  readonly never_copied: string
  readonly due: string
  readonly waiting: string
  readonly working: string
  readonly failing: string
  readonly longest_due: string
  readonly oldest_copy: string | null
}

/**
 * Reads the status of the cluster with this prefix. Fails with `NoCluster` if there is none; creates nothing.
 *
 * @since 1.0.0
 * @category constructors
 */
export const read = (
  options: { readonly prefix?: string | undefined } = {}
): Effect.Effect<Status, SqlError | NoCluster | InvalidOption, SqlClient.SqlClient> =>
  Effect.gen(function*() {
    const names = yield* Tables.names(options)
    const sql = (yield* SqlClient.SqlClient).withoutTransforms()
    // The last one that a worker creates.
    const [found] = yield* sql<{ readonly exists: boolean }>`SELECT to_regclass(${names.locks}) IS NOT NULL AS exists`
    if (found?.exists !== true) return yield* new NoCluster({ table: names.locks })
    const [accounts, runners] = [sql(names.accounts), sql(names.runners)]
    // What a worker had in progress when it was lost is not in progress.
    const isWorking = sql`(is_working AND runner IN (SELECT address FROM ${runners}))`
    const [[totals], [messages], workers, failures] = yield* Effect.all([
      sql<Totals>`SELECT
          to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at,
          count(*) AS total,
          count(*) FILTER (WHERE last_succeeded IS NULL) AS never_copied,
          count(*) FILTER (WHERE notified_at IS NULL AND next_at <= now()) AS due,
          count(*) FILTER (WHERE notified_at IS NOT NULL AND NOT ${isWorking}) AS waiting,
          count(*) FILTER (WHERE ${isWorking}) AS working,
          count(*) FILTER (WHERE attempts > 0) AS failing,
          COALESCE(extract(epoch FROM now() - min(next_at) FILTER (WHERE notified_at IS NULL AND next_at <= now())), 0)
            AS longest_due,
          extract(epoch FROM now() - min(last_succeeded)) AS oldest_copy
        FROM ${accounts}`,
      sql<
        { readonly unprocessed: string; readonly unread: string; readonly oldest: string | null; readonly all: string }
      >`
        SELECT count(*) FILTER (WHERE NOT processed) AS unprocessed,
          count(*) FILTER (WHERE NOT processed AND last_read IS NULL) AS unread,
          extract(epoch FROM now()) * 1000 - ${Snowflake.constEpochMillis}::bigint -
            (min(id) FILTER (WHERE NOT processed AND last_read IS NULL) >> 22) AS oldest,
          count(*) AS all
        FROM ${sql(names.messages)}`,
      sql<{
        readonly address: string
        readonly healthy: boolean
        readonly silent: string
        readonly shards: string
        readonly working: string
        readonly waiting: string
      }>`SELECT r.address, r.healthy,
          extract(epoch FROM now() AT TIME ZONE current_setting('TimeZone') - r.last_heartbeat) AS silent,
          (SELECT count(*) FROM ${sql(names.locks)} l WHERE l.address = r.address) AS shards,
          (SELECT count(*) FROM ${accounts} a WHERE a.runner = r.address AND a.is_working) AS working,
          (SELECT count(*) FROM ${accounts} a WHERE a.runner = r.address AND NOT a.is_working) AS waiting
        FROM ${runners} r ORDER BY r.address`,
      sql<{
        readonly id: string
        readonly attempts: number
        readonly last_error: string | null
        readonly retry_in: string
      }>`SELECT id, attempts, last_error, GREATEST(0, extract(epoch FROM next_at - now())) AS retry_in
        FROM ${accounts} WHERE attempts > 0 ORDER BY attempts DESC, id LIMIT ${maxFailures}`
    ])
    const unprocessed = Number(messages?.unprocessed)
    return {
      at: totals?.at ?? "",
      runners: workers.map(({ address, healthy, shards, silent, waiting, working }) => ({
        address,
        isHealthy: healthy && Number(silent) <= maxSilence,
        silentFor: Number(silent),
        shards: Number(shards),
        working: Number(working),
        waiting: Number(waiting)
      })),
      accounts: {
        total: Number(totals?.total),
        neverCopied: Number(totals?.never_copied),
        due: Number(totals?.due),
        waiting: Number(totals?.waiting),
        working: Number(totals?.working),
        failing: Number(totals?.failing),
        longestDue: Number(totals?.longest_due),
        oldestCopy: totals?.oldest_copy === null ? undefined : Number(totals?.oldest_copy)
      },
      failures: failures.map(({ attempts, id, last_error, retry_in }) => ({
        account: id,
        attempts,
        error: last_error ?? "",
        retryIn: Number(retry_in)
      })),
      messages: {
        unprocessed,
        unread: Number(messages?.unread),
        oldestUnread: Math.max(0, Number(messages?.oldest ?? 0) / 1000),
        processed: Number(messages?.all) - unprocessed
      }
    }
  })

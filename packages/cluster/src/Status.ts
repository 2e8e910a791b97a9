/**
 * What a cluster is doing, read from its database: no worker has to respond.
 *
 * @since 1.0.0
 */
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { InvalidOption } from "@mailstream/core/InvalidOption"
import * as Postgres from "@mailstream/sql/Postgres"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import { NoCluster, UnknownAccount } from "./ClusterError.ts"
import * as Entries from "./internal/entries.ts"
import * as History from "./internal/history.ts"
import * as Tables from "./internal/tables.ts"

/**
 * A worker that takes part, or was lost recently.
 *
 * @since 1.0.0
 * @category models
 */
export interface Runner {
  /** Names this worker until it stops, or loses the database: then, it joins again under another one. */
  readonly id: string
  /** What people call it. */
  readonly name: string
  readonly version: string
  /** Whether it has confirmed recently that it works. If not, it was lost, and others may have its accounts. */
  readonly isHealthy: boolean
  /** Seconds since it was last heard from. */
  readonly silentFor: number
  /** How many passes it has in progress. */
  readonly working: number
  /** How many passes it can have in progress. */
  readonly maxAccounts: number
  /** Seconds since it was started. */
  readonly upFor: number
}

/**
 * How old the copies are, by when their accounts are due.
 *
 * @since 1.0.0
 * @category models
 */
export interface Copies {
  /** Seconds from pass to pass, the longest that a worker was started with; undefined while there is none. */
  readonly every: number | undefined
  /** How many copies were completed less than so many seconds ago, but not in the range before; the last range has no end. */
  readonly ages: ReadonlyArray<{ readonly below: number | undefined; readonly count: number }>
}

/**
 * How many passes ended over time, and how many requests were sent. A pass that was interrupted to make room for others has not ended.
 *
 * @since 1.0.0
 * @category models
 */
export interface Passes {
  /** Seconds of a slot. */
  readonly slotLength: number
  /** The current slot last; `from` is its beginning, in ISO form. */
  readonly slots: ReadonlyArray<{
    readonly from: string
    readonly completed: number
    readonly failed: number
    readonly requests: number
  }>
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
    /** Accounts that are due, and that no live worker has claimed. */
    readonly due: number
    /** Passes in progress. */
    readonly working: number
    /** Accounts that were paused. */
    readonly paused: number
    readonly failing: number
    /** Seconds for which the longest has been due without a live worker that has claimed it; if this grows, there are too few workers, or none. */
    readonly longestDue: number
    /** The age of the oldest copy, in seconds; undefined as long as there is none. */
    readonly oldestCopy: number | undefined
  }
  readonly copies: Copies
  /** The last twelve hours, by quarters of an hour. */
  readonly passes: Passes
  /** The last hour, by minutes. */
  readonly hour: Passes
  /** Those that failed most often, 20 at most. */
  readonly failures: ReadonlyArray<Failure>
}

/** How many failures are reported. */
const maxFailures = 20

type Totals = Omit<Status["accounts"], "oldestCopy"> & {
  readonly at: string
  readonly oldestCopy: number | null
}

/** The only row of an aggregate. */
const one = <A, E>(rows: Effect.Effect<ReadonlyArray<A>, E>): Effect.Effect<A, E> =>
  Effect.flatMap(rows, (rows) => Effect.orDie(Arr.head(rows)))

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
    const sql = Postgres.bounded(yield* SqlClient.SqlClient).withoutTransforms()
    if (!(yield* Tables.exist(sql, names))) return yield* new NoCluster({ table: names.workers })
    const history = History.make(sql, names)
    const [accounts, workers] = [sql(names.accounts), sql(names.workers)]
    const isLive = sql`(gone_at IS NULL AND alive_until > now())`
    // What a worker had in progress when it was lost is not in progress, but due from then on: there may be nobody who frees it.
    const live = sql`(SELECT id FROM ${workers} WHERE ${isLive})`
    const isWorking = sql`worker IN ${live}`
    const isDue = sql`(worker IS NULL OR worker NOT IN ${live}) AND paused_at IS NULL AND next_at <= now()`
    const dueAt = sql`CASE WHEN worker IS NULL THEN next_at
      ELSE GREATEST(next_at, (SELECT LEAST(alive_until, now()) FROM ${workers} w WHERE w.id = worker)) END`
    const { at, oldestCopy, ...totals } = yield* one(sql<Totals>`SELECT
        to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at,
        count(*)::int AS total,
        count(*) FILTER (WHERE last_succeeded IS NULL)::int AS "neverCopied",
        count(*) FILTER (WHERE ${isDue})::int AS due,
        count(*) FILTER (WHERE ${isWorking})::int AS working,
        count(*) FILTER (WHERE paused_at IS NOT NULL)::int AS paused,
        count(*) FILTER (WHERE attempts > 0)::int AS failing,
        COALESCE(extract(epoch FROM now() - min(${dueAt}) FILTER (WHERE ${isDue})), 0)::float8 AS "longestDue",
        CASE WHEN min(last_succeeded) IS NOT NULL THEN GREATEST(0, extract(epoch FROM now() - min(last_succeeded))) END::float8
          AS "oldestCopy"
      FROM ${accounts} WHERE removed_at IS NULL`)
    const seen = sql`(alive_until - lease * interval '1 second')`
    const all = yield* sql<Runner & { readonly every: number; readonly hasLeft: boolean }>`SELECT id::text AS id, name,
        version, has_left AS "hasLeft", ${isLive} AS "isHealthy", max_accounts AS "maxAccounts", every,
        GREATEST(0, extract(epoch FROM now() - ${seen}))::float8 AS "silentFor",
        up_for + GREATEST(0, extract(epoch FROM now() - ${seen}))::float8 AS "upFor",
        CASE WHEN ${isLive} THEN (SELECT count(*)::int FROM ${accounts} WHERE worker = w.id AND removed_at IS NULL)
          ELSE 0 END AS working
      FROM ${workers} w ORDER BY name, joined_at`
    const runners = all.filter(({ hasLeft }) => !hasLeft)
    // What was said by those that have left is better than nothing.
    const intervals = (runners.length === 0 ? all : runners).map(({ every }) => every)
    const every = intervals.length === 0 ? undefined : Math.max(...intervals)
    return {
      at,
      runners: runners.map(({ every: _, hasLeft: __, ...runner }) => runner),
      accounts: { ...totals, oldestCopy: oldestCopy ?? undefined },
      copies: { every, ages: every === undefined ? [] : yield* history.ages(every) },
      passes: yield* history.passes,
      hour: yield* history.hour,
      failures: yield* sql<Failure>`SELECT id AS account, attempts, COALESCE(last_error, '') AS error,
          GREATEST(0, extract(epoch FROM next_at - now()))::float8 AS "retryIn"
        FROM ${accounts} WHERE attempts > 0 AND removed_at IS NULL ORDER BY attempts DESC, id LIMIT ${maxFailures}`
    }
  })

/**
 * A pass of an account that has ended.
 *
 * @since 1.0.0
 * @category models
 */
export interface Pass {
  /** When it ended, in ISO form. */
  readonly at: string
  /** How long it took, without the time in which it made room for others. */
  readonly seconds: number
  /** Why it failed, if it did. */
  readonly error?: string | undefined
  /** How many items of all lists it found created, updated or deleted, if it did not fail. */
  readonly created?: number | undefined
  readonly updated?: number | undefined
  readonly deleted?: number | undefined
}

/**
 * What a cluster knows about one account.
 *
 * @since 1.0.0
 * @category models
 */
export interface AccountStatus {
  readonly account: string
  /** What a worker calls itself that has a pass of the account in progress. */
  readonly worker: string | undefined
  /** Seconds until it is due, at least; 0 if it is. Undefined during a pass or a pause. */
  readonly dueIn: number | undefined
  /** Seconds since it was paused, if it is. */
  readonly pausedFor: number | undefined
  /** The age of its copy, in seconds; undefined as long as there is none. */
  readonly copy: number | undefined
  /** How often it has failed in a row, and why it did last. */
  readonly attempts: number
  readonly error: string | undefined
  /** Whether its passes are long: those get half of the places of a worker. */
  readonly isLong: boolean
  /** The share of a list that its next pass may mark as deleted, if it was allowed to differ. */
  readonly maxDeleted: number | undefined
  /** Its last ten passes, the last one first. */
  readonly passes: ReadonlyArray<Pass>
}

type AccountRow = { readonly [key in keyof AccountStatus]: Exclude<AccountStatus[key], undefined> | null }

/**
 * Reads what a cluster knows about an account. Fails with `UnknownAccount` if it has no such account.
 *
 * @since 1.0.0
 * @category constructors
 */
export const account = (
  id: string,
  options: { readonly prefix?: string | undefined } = {}
): Effect.Effect<AccountStatus, UnknownAccount | NoCluster | InvalidOption | SqlError, SqlClient.SqlClient> =>
  Effect.gen(function*() {
    const names = yield* Tables.names(options)
    const sql = Postgres.bounded(yield* SqlClient.SqlClient).withoutTransforms()
    if (!(yield* Tables.exist(sql, names))) return yield* new NoCluster({ table: names.workers })
    if (!Entries.isId(id)) return yield* new UnknownAccount({ account: id })
    // GREATEST would take nothing for zero.
    const since = (column: string) =>
      sql`CASE WHEN ${sql(column)} IS NOT NULL THEN GREATEST(0, extract(epoch FROM now() - ${sql(column)})) END::float8`
    const [row] = yield* sql<AccountRow>`SELECT a.id AS account, w.name AS worker,
        CASE WHEN w.id IS NULL AND paused_at IS NULL THEN GREATEST(0, extract(epoch FROM next_at - now()))::float8 END
          AS "dueIn",
        ${since("paused_at")} AS "pausedFor", ${since("last_succeeded")} AS copy,
        attempts, last_error AS error, kind = 'long' AS "isLong", COALESCE(max_deleted, granted) AS "maxDeleted", h.passes
      FROM ${sql(names.accounts)} a LEFT JOIN ${sql(names.history)} h ON h.id = a.id LEFT JOIN ${
      sql(names.workers)
    } w ON w.id = a.worker
        AND w.gone_at IS NULL AND w.alive_until > now()
      WHERE a.id = ${id} AND removed_at IS NULL`
    if (row === undefined) return yield* new UnknownAccount({ account: id })
    return {
      account: id,
      worker: row.worker ?? undefined,
      dueIn: row.dueIn ?? undefined,
      pausedFor: row.pausedFor ?? undefined,
      copy: row.copy ?? undefined,
      attempts: row.attempts ?? 0,
      error: row.error ?? undefined,
      isLong: row.isLong === true,
      maxDeleted: row.maxDeleted ?? undefined,
      passes: row.passes ?? []
    }
  })

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
import { NoCluster } from "./ClusterError.ts"
import * as EngineTables from "./internal/engineTables.ts"
import * as History from "./internal/history.ts"
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
  /** How many accounts are on its shards, of those that have had a turn; undefined for a worker of an earlier version. */
  readonly accounts: number | undefined
  /** How many passes it can have in progress; undefined for a worker of an earlier version. */
  readonly maxAccounts: number | undefined
  /** Seconds since it was started; undefined for a worker of an earlier version. */
  readonly upFor: number | undefined
}

/**
 * How old the copies are, by when their accounts are due.
 *
 * @since 1.0.0
 * @category models
 */
export interface Copies {
  /** Seconds from pass to pass, the longest that a worker was started with; undefined as long as no worker has said so. */
  readonly every: number | undefined
  /** How many copies were completed less than so many seconds ago, but not in the range before; the last range has no end. */
  readonly ages: ReadonlyArray<{ readonly below: number | undefined; readonly count: number }>
}

/**
 * How many passes ended over time. A pass that was interrupted to make room for others has not ended.
 *
 * @since 1.0.0
 * @category models
 */
export interface Passes {
  /** Seconds of a slot. */
  readonly slotLength: number
  /** The last twelve hours, the current slot last; `from` is its beginning, in ISO form. Empty before workers count passes. */
  readonly slots: ReadonlyArray<{ readonly from: string; readonly completed: number; readonly failed: number }>
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
  readonly copies: Copies
  readonly passes: Passes
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

type Known = Omit<Runner, "accounts" | "maxAccounts" | "upFor">

type Totals = Omit<Status["accounts"], "oldestCopy"> & {
  readonly at: string
  readonly oldestCopy: number | null
}

/** The only row of an aggregate. */
const one = <A, E>(rows: Effect.Effect<ReadonlyArray<A>, E>): Effect.Effect<A, E> =>
  Effect.flatMap(rows, (rows) => Effect.orDie(Arr.head(rows)))

/** What workers have recorded, unless all of them are of an earlier version. */
const recorded = (history: History.History, tables: EngineTables.EngineTables) =>
  Effect.gen(function*() {
    if (!(yield* history.exists)) return { workers: [], ages: [], every: undefined, slots: [] }
    const workers = yield* history.workers(tables)
    const every = workers.length === 0 ? undefined : Math.max(...workers.map(({ every }) => every))
    return {
      workers,
      every,
      ages: every === undefined ? [] : yield* history.ages(every),
      slots: yield* history.passes
    }
  })

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
    const engine = EngineTables.make(sql, names)
    if (!(yield* engine.exists)) return yield* new NoCluster({ table: engine.lastTable })
    const accounts = sql(names.accounts)
    const isDue = sql`notified_at IS NULL AND next_at <= now()`
    // What a worker had in progress when it was lost is not in progress.
    const isWorking = sql`(is_working AND runner IN (SELECT address FROM ${engine.workers} w))`
    const { at, oldestCopy, ...totals } = yield* one(sql<Totals>`SELECT
        to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at,
        count(*)::int AS total,
        count(*) FILTER (WHERE last_succeeded IS NULL)::int AS "neverCopied",
        count(*) FILTER (WHERE ${isDue})::int AS due,
        count(*) FILTER (WHERE notified_at IS NOT NULL AND NOT ${isWorking})::int AS waiting,
        count(*) FILTER (WHERE ${isWorking})::int AS working,
        count(*) FILTER (WHERE attempts > 0)::int AS failing,
        COALESCE(extract(epoch FROM now() - min(next_at) FILTER (WHERE ${isDue})), 0)::float8 AS "longestDue",
        extract(epoch FROM now() - min(last_succeeded))::float8 AS "oldestCopy"
      FROM ${accounts}`)
    const runners = yield* sql<Known>`SELECT address, healthy AND silent <= ${maxSilence} AS "isHealthy",
        silent AS "silentFor", shards, COALESCE(working, 0) AS working, COALESCE(waiting, 0) AS waiting
      FROM ${engine.workers} w LEFT JOIN (
        SELECT runner, count(*) FILTER (WHERE is_working)::int AS working,
          count(*) FILTER (WHERE NOT is_working)::int AS waiting
        FROM ${accounts} WHERE runner IS NOT NULL GROUP BY runner
      ) a ON a.runner = w.address ORDER BY address`
    const { ages, every, slots, workers } = yield* recorded(History.make(sql, names), engine)
    return {
      at,
      runners: runners.map((runner) => {
        const worker = workers.find(({ address }) => address === runner.address)
        return { ...runner, accounts: worker?.accounts, maxAccounts: worker?.maxAccounts, upFor: worker?.upFor }
      }),
      accounts: { ...totals, oldestCopy: oldestCopy ?? undefined },
      copies: { every, ages },
      passes: { slotLength: History.slotLength, slots },
      failures: yield* sql<Failure>`SELECT id AS account, attempts, COALESCE(last_error, '') AS error,
          GREATEST(0, extract(epoch FROM next_at - now()))::float8 AS "retryIn"
        FROM ${accounts} WHERE attempts > 0 ORDER BY attempts DESC, id LIMIT ${maxFailures}`,
      messages: yield* one(engine.messages)
    }
  })

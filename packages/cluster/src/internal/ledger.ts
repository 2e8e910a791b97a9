/**
 * When each account is due, which worker has it, and what became of its last turn: one row per account.
 *
 * Whatever a worker writes names itself and its turn: the row of a turn that it has lost does not change. All times are
 * the database's, whose clock may be set: `repair` sees to it that nothing waits for longer than it would otherwise.
 */
import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { Fragment, Identifier } from "@effect/sql/Statement"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Changes from "./changes.ts"
import * as History from "./history.ts"
import * as Places from "./places.ts"
import * as Tables from "./tables.ts"
import type { Outcome, Turn } from "./turn.ts"

/** A turn that a worker has claimed. */
export interface Claim extends Turn {
  readonly kind: Places.Kind
  /** How many seconds earlier turns of the same pass took. */
  readonly spent: number
  /** How often the account has failed in a row. */
  readonly attempts: number
  /** The share of a list that its next pass may mark as deleted, if somebody has said so. */
  readonly maxDeleted: number | null
  /** For how many seconds nothing has been asked for it; null if that is not known, as after the loss of a worker. */
  readonly idle: number | null
}

/** How a turn ended. */
export interface Ending {
  readonly outcome: Outcome
  readonly kind: Places.Kind
  /** How many seconds the pass has taken so far. */
  readonly spent: number
}

/** What is set for a turn that has ended. */
const ended = (sql: SqlClient.SqlClient, outcome: Outcome, every: Duration.Duration, spent: number): Fragment => {
  const next = (then: Fragment) => sql`CASE WHEN asked_at IS NULL THEN ${then} ELSE now() END`
  // What is allowed to one pass is not allowed to those after it, and what was asked for during it is for the next one.
  const over = sql`in_pass = false, granted = NULL, asked_at = NULL, spent = 0, last_finished = now()`
  switch (outcome._tag) {
    case "Done":
      return sql`next_at = ${
        next(sql`GREATEST(now(), LEAST(last_started, now()) + ${Tables.seconds(every)}::interval)`)
      }, ${over}, attempts = 0, last_succeeded = now(), last_error = NULL`
    case "Yielded":
    case "Stopped":
      return sql`next_at = now(), spent = ${spent}`
    case "CutOff":
      return sql`next_at = now() + ${Tables.seconds(outcome.retryIn)}::interval, spent = ${spent}`
    case "Failed":
      return sql`next_at = ${next(sql`now() + ${Tables.seconds(outcome.retryIn)}::interval`)},
        ${over}, attempts = attempts + 1, last_error = ${outcome.error}`
  }
}

/**
 * For how many seconds nothing has been asked for an account; nothing is known of a pass that has not ended. Since the database's clock may
 * have been set back, the end of one may be in the future.
 */
const idle = `CASE WHEN last_started IS NULL THEN 1e9 WHEN NOT in_pass AND last_finished >= last_started
  THEN GREATEST(0, extract(epoch FROM now() - last_finished))::float8 END`

/** A text for each row. */
const texts = (sql: SqlClient.SqlClient, values: ReadonlyArray<string>): Fragment =>
  sql`SELECT value FROM jsonb_array_elements_text(${JSON.stringify(values)}::jsonb)`

const look = (sql: SqlClient.SqlClient, accounts: Identifier, isFree: Fragment, most: number) =>
  Effect.map(
    sql<{ readonly kind: Places.Kind; readonly count: number; readonly waited: number }>`SELECT k.kind,
        count(d.next_at)::int AS count, COALESCE(extract(epoch FROM now() - min(d.next_at)), 0)::float8 AS waited
      FROM (VALUES ('short'), ('new'), ('long')) k (kind) LEFT JOIN LATERAL (
        SELECT next_at FROM ${accounts} WHERE ${isFree} AND kind = k.kind AND next_at <= now()
        ORDER BY next_at LIMIT ${most}
      ) d ON true GROUP BY k.kind`,
    (rows) => {
      const of = (kind: Places.Kind) => rows.find((row) => row.kind === kind) ?? { count: 0, waited: 0 }
      return Places.each(of)
    }
  )

/** Whether an account may be claimed when it is due. */
const free = (sql: SqlClient.SqlClient): Fragment => sql`worker IS NULL AND paused_at IS NULL AND removed_at IS NULL`

/** Changes the accounts that fulfil a condition. */
const changing = (sql: SqlClient.SqlClient, names: Tables.Names) => (condition: Fragment, set: Fragment) =>
  sql`WITH ${Changes.locked(sql, names, condition)}
    UPDATE ${sql(names.accounts)} a SET ${set} FROM locked WHERE a.id = locked.id`

/** What is done to all accounts at once. */
const all = (sql: SqlClient.SqlClient, names: Tables.Names) => {
  const accounts = sql(names.accounts)
  const update = changing(sql, names)
  return {
    /** Adds the accounts that are new, and marks those that are not among these. */
    reconcile: (ids: ReadonlyArray<string>): Effect.Effect<void, SqlError> =>
      Effect.zipRight(
        sql`INSERT INTO ${accounts} AS a (id) ${texts(sql, ids)} ORDER BY value
          ON CONFLICT (id) DO UPDATE SET removed_at = NULL WHERE a.removed_at IS NOT NULL`,
        Effect.asVoid(
          update(sql`removed_at IS NULL AND id NOT IN (${texts(sql, ids)})`, sql`removed_at = now()`)
        )
      ),
    /** Deletes accounts that were removed. One that a worker still has is deleted when it has let go of it. */
    sweep: sql`WITH ${Changes.locked(sql, names, sql`removed_at IS NOT NULL AND worker IS NULL`)},
      gone AS (DELETE FROM ${accounts} a USING locked WHERE a.id = locked.id RETURNING a.id)
      DELETE FROM ${sql(names.history)} WHERE id IN (SELECT id FROM gone)`,
    /**
     * After the database's clock was set back, accounts would not be due until it is where it was. Those that wait for longer
     * than any account does wait for a random part of that instead. No copy is younger than now.
     */
    repair: (longest: Duration.Duration): Effect.Effect<unknown, SqlError> =>
      Effect.zipRight(
        update(
          sql`${free(sql)} AND kind IN ('short', 'new', 'long') AND next_at > now() + ${
            Tables.seconds(longest)
          }::interval`,
          sql`next_at = now() + random() * ${Tables.seconds(longest)}::interval`
        ),
        update(sql`last_succeeded > now()`, sql`last_succeeded = now()`)
      )
  }
}

export type Ledger = ReturnType<typeof make>

export const make = (client: SqlClient.SqlClient, names: Tables.Names) => {
  const sql = client.withoutTransforms()
  const [accounts, workers] = [sql(names.accounts), sql(names.workers)]
  const history = History.make(sql, names)
  const isFree = free(sql)
  const dueOf = (kind: Places.Kind, most: number) =>
    sql`${sql(kind)} AS MATERIALIZED (SELECT id, ${
      sql.literal(idle)
    } AS idle FROM ${accounts} WHERE ${isFree} AND kind = ${kind} AND next_at <= now()
      ORDER BY next_at LIMIT ${most} FOR UPDATE SKIP LOCKED)`
  return {
    ...all(sql, names),
    /** How many accounts of each kind are due, counted up to this many. */
    look: (most: number): Effect.Effect<Places.Due, SqlError> => look(sql, accounts, isFree, most),
    /**
     * Gives accounts that are due to a worker, the longest due first, if it is still alive. A turn continues the pass of the one before
     * unless that has ended it: also if its worker was lost.
     */
    claim: (
      worker: string,
      { long, new: added, short }: Places.Counts
    ): Effect.Effect<ReadonlyArray<Claim>, SqlError> =>
      sql<Claim>`WITH me AS (
          SELECT id FROM ${workers} WHERE id = ${worker}::uuid AND gone_at IS NULL AND alive_until > clock_timestamp()
        ), ${dueOf("short", short)}, ${dueOf("new", added)}, ${dueOf("long", long)},
        due AS (SELECT * FROM short UNION ALL SELECT * FROM new UNION ALL SELECT * FROM long)
        UPDATE ${accounts} a SET worker = me.id, turn = turn + 1, claimed_at = now(),
          in_pass = true, last_started = CASE WHEN in_pass THEN last_started ELSE now() END,
          asked_at = CASE WHEN in_pass THEN asked_at END, granted = CASE WHEN in_pass THEN granted ELSE max_deleted END,
          max_deleted = CASE WHEN in_pass THEN max_deleted END
        FROM me, due WHERE a.id = due.id
        RETURNING a.id, a.turn::float8 AS turn, a.kind, a.spent, a.attempts, a.granted AS "maxDeleted", due.idle`,
    /** Frees turns that a worker has, but does not work on: it was never told that it had claimed them. */
    returned: (worker: string, turns: ReadonlyArray<Turn>): Effect.Effect<unknown, SqlError> =>
      changing(sql, names)(
        sql`worker = ${worker}::uuid AND (id, turn) IN (
          SELECT id, turn FROM jsonb_to_recordset(${JSON.stringify(turns)}::jsonb) AS t (id text, turn bigint))`,
        sql`worker = NULL, claimed_at = NULL`
      ),
    /** Notes how a turn ended, and counts the pass that ended with it. */
    finish: (
      worker: string,
      { id, turn }: Claim,
      { kind, outcome, spent }: Ending,
      every: Duration.Duration
    ): Effect.Effect<unknown, SqlError> => {
      const row = sql`UPDATE ${accounts} SET worker = NULL, claimed_at = NULL, kind = ${kind},
          ${ended(sql, outcome, every, spent)}
        WHERE id = ${id} AND worker = ${worker}::uuid AND turn = ${turn}`
      switch (outcome._tag) {
        case "Done":
          return history.counting(row, { seconds: spent, counts: outcome.counts }, worker)
        case "Failed":
          return history.counting(row, { seconds: spent, error: outcome.error }, worker)
        default:
          return row
      }
    }
  }
}

/**
 * When each account is due, and what became of its last turn: one row per account.
 *
 * Whatever a worker writes names its turn: the row of a turn that has ended in the meantime does not change. All times are
 * the database's, whose clock may be set: `repair` sees to it that nothing waits for longer than it would otherwise.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { Fragment } from "@effect/sql/Statement"
import * as Migrations from "@mailstream/sql/Migrations"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { seconds } from "./engineTables.ts"
import * as History from "./history.ts"
import type * as Tables from "./tables.ts"
import type { Outcome, Turn } from "./turn.ts"

/** What a worker has to know about the turn that it was given. */
export interface Received {
  /** How many turns this pass has taken already. */
  readonly yields: number
  /** How often the account has failed in a row. */
  readonly attempts: number
}

export type Ledger = Effect.Effect.Success<ReturnType<typeof make>>

/**
 * The first turn of an account has the time as its number: an account that is removed and added again must not repeat the
 * numbers of turns that the engine still remembers.
 */
const create = (sql: SqlClient.SqlClient, name: string): Effect.Effect<void, SqlError> =>
  Effect.gen(function*() {
    const table = sql(name)
    yield* sql`CREATE TABLE ${table} (
      id text PRIMARY KEY,
      turn bigint NOT NULL DEFAULT floor(extract(epoch FROM clock_timestamp()) * 1000),
      next_at timestamptz NOT NULL DEFAULT now(),
      notified_at timestamptz,
      runner text,
      yields integer NOT NULL DEFAULT 0,
      attempts integer NOT NULL DEFAULT 0,
      is_working boolean NOT NULL DEFAULT false,
      last_started timestamptz,
      last_finished timestamptz,
      last_succeeded timestamptz,
      last_error text
    )`
    yield* sql`CREATE INDEX ${sql(`${name}_due`)} ON ${table} (next_at) WHERE notified_at IS NULL`
    yield* sql`CREATE INDEX ${sql(`${name}_notified`)} ON ${table} (notified_at) WHERE notified_at IS NOT NULL`
    yield* sql`CREATE INDEX ${sql(`${name}_failing`)} ON ${table} (attempts) WHERE attempts > 0`
    yield* sql`CREATE INDEX ${sql(`${name}_age`)} ON ${table} (last_succeeded NULLS FIRST)`
  })

/** Workers of an earlier version name the columns that they use: they work with whatever is added. */
const migrate = (sql: SqlClient.SqlClient, names: Tables.Names) =>
  Migrations.run(`${names.accounts}_migrations`, {
    "0001_create": create(sql, names.accounts),
    "0002_history": History.create(sql, names)
  })

/** What is set for a turn that has ended. */
const ended = (sql: SqlClient.SqlClient, outcome: Outcome, every: Duration.Duration): Fragment => {
  switch (outcome._tag) {
    case "Done":
      return sql`next_at = GREATEST(now(), LEAST(last_started, now()) + ${
        seconds(every)
      }::interval), yields = 0, attempts = 0,
        last_finished = now(), last_succeeded = now(), last_error = NULL`
    case "Yielded":
      return sql`next_at = now(), yields = yields + 1`
    case "Failed":
      return sql`next_at = now() + ${seconds(outcome.retryIn)}::interval, yields = 0, attempts = attempts + 1,
        last_finished = now(), last_error = ${outcome.error}`
  }
}

/** What several statements have in common. */
const parts = (sql: SqlClient.SqlClient) => {
  /** What is set for a turn that is over. */
  const next = sql`turn = turn + 1, notified_at = NULL, runner = NULL, is_working = false`
  return {
    next,
    /** What is set for a turn that has to be assigned once more. */
    again: sql`${next}, next_at = LEAST(next_at, now())`,
    texts: (values: ReadonlyArray<string>) =>
      sql`SELECT value FROM jsonb_array_elements_text(${JSON.stringify(values)}::jsonb)`,
    among: (turns: ReadonlyArray<Turn>) =>
      sql`(id, turn) IN (SELECT id, turn
        FROM jsonb_to_recordset(${JSON.stringify(turns)}::jsonb) AS t (id text, turn bigint))`
  }
}

/** The ledger, whose table is created if it does not exist. */
export const make = (names: Tables.Names) =>
  Effect.gen(function*() {
    const sql = (yield* SqlClient.SqlClient).withoutTransforms()
    const table = sql(names.accounts)
    const history = History.make(sql, names)
    yield* migrate(sql, names)
    const { again, among, next, texts } = parts(sql)
    return {
      /** Adds the accounts that are new, and removes those that are not among these. */
      reconcile: (ids: ReadonlyArray<string>) =>
        Effect.zipRight(
          sql`INSERT INTO ${table} (id) ${texts(ids)} ON CONFLICT (id) DO NOTHING`,
          sql`DELETE FROM ${table} WHERE id NOT IN (${texts(ids)})`
        ),
      /** Accounts whose worker has yet to be notified, the longest due first; no more than make this many outstanding ones. */
      due: (most: number) =>
        sql<Turn>`SELECT id, turn::float8 AS turn FROM ${table}
          WHERE notified_at IS NULL AND next_at <= now() ORDER BY next_at
          LIMIT GREATEST(0, ${most} - (SELECT count(*) FROM ${table} WHERE notified_at IS NOT NULL))`,
      notified: (turns: ReadonlyArray<Turn>) =>
        sql`UPDATE ${table} SET notified_at = now() WHERE ${among(turns)} AND notified_at IS NULL`,
      /**
       * Gives a new number to turns that none of these workers has received although it was notified that long ago, so that
       * they can be assigned again. Returns how many.
       */
      renew: (notifiedBefore: Duration.Duration, runners: ReadonlyArray<string>) =>
        Effect.map(
          sql`UPDATE ${table} SET ${again} WHERE notified_at < now() - ${seconds(notifiedBefore)}::interval
            AND (runner IS NULL OR runner NOT IN (${texts(runners)})) RETURNING id`,
          (rows) => rows.length
        ),
      /**
       * After the database's clock was set back, accounts would not be due until it is where it was. Those that wait for longer
       * than any account does wait for a random part of that instead, and the time since others were notified counts from now.
       */
      repair: (longest: Duration.Duration) =>
        Effect.zipRight(
          sql`UPDATE ${table} SET next_at = now() + random() * ${seconds(longest)}::interval
            WHERE notified_at IS NULL AND next_at > now() + ${seconds(longest)}::interval`,
          sql`UPDATE ${table} SET notified_at = now() WHERE notified_at > now()`
        ),
      /** Notes which worker has received a turn, and the account's shard, unless the turn is over. */
      receive: ({ id, turn }: Turn, runner: string, shard: string) =>
        Effect.map(
          sql<Received>`UPDATE ${table} SET runner = ${runner}, shard = ${shard},
              notified_at = COALESCE(notified_at, now()), is_working = false
            WHERE id = ${id} AND turn = ${turn} RETURNING yields, attempts`,
          ([row]) => row
        ),
      /** The turns that a worker has received and that have not ended. */
      received: (runner: string) =>
        sql<Turn>`SELECT id, turn::float8 AS turn FROM ${table}
          WHERE notified_at IS NOT NULL AND runner = ${runner}`,
      /** Gives new numbers to turns of a worker that does not work on them, so that they can be assigned again. */
      returned: (runner: string, turns: ReadonlyArray<Turn>) =>
        sql`UPDATE ${table} SET ${again} WHERE runner = ${runner} AND ${among(turns)}`,
      /** Notes that the work begins. */
      start: ({ id, turn }: Turn) =>
        sql`UPDATE ${table} SET is_working = true,
            last_started = CASE WHEN yields = 0 OR last_started IS NULL THEN now() ELSE last_started END
          WHERE id = ${id} AND turn = ${turn}`,
      /** Those of these accounts that have been removed. */
      removed: (ids: ReadonlyArray<string>) =>
        Effect.map(
          sql<{ readonly value: string }>`${texts(ids)} EXCEPT SELECT id FROM ${table} WHERE id IN (${texts(ids)})`,
          (rows) => rows.map(({ value }) => value)
        ),
      /** Notes how a turn ended, and counts the pass that ended with it. */
      finish: (
        { id, turn }: Turn,
        outcome: Outcome,
        { address, every }: Pick<History.Settings, "address" | "every">
      ) => {
        const update = sql`UPDATE ${table} SET ${next}, ${
          ended(sql, outcome, every)
        } WHERE id = ${id} AND turn = ${turn}`
        return outcome._tag === "Yielded" ? update : history.counting(update, outcome._tag, address)
      }
    }
  })

/**
 * When each account is due, and what became of its last turn: one row per account.
 *
 * A turn is one stretch of work on one account: a pass, or a part of one. Turns are numbered, and whatever a worker writes
 * names its turn: the row of a turn that has ended in the meantime does not change. All times are the database's.
 */
import type { MigrationError } from "@effect/sql/Migrator"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Migrations from "@mailstream/sql/Migrations"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Tables from "./tables.ts"

/** A turn of an account. */
export interface Turn {
  readonly id: string
  readonly turn: number
}

/** What a worker has to know about the turn that it was given. */
export interface Received {
  /** How many turns this pass has taken already. */
  readonly yields: number
  /** How often the account has failed in a row. */
  readonly attempts: number
}

/** How a turn ended. */
export type Outcome =
  | { readonly _tag: "Done" }
  /** The pass was interrupted to make room, and continues with the next turn. */
  | { readonly _tag: "Yielded" }
  | { readonly _tag: "Failed"; readonly error: string; readonly retryIn: Duration.Duration }

export interface Ledger {
  /** Adds the accounts that are new, and removes those that are not among these. */
  readonly reconcile: (ids: ReadonlyArray<string>) => Effect.Effect<void, SqlError>
  /** Accounts whose worker has yet to be notified, the longest due first. */
  readonly due: (limit: number) => Effect.Effect<ReadonlyArray<Turn>, SqlError>
  /** How many turns have been given to workers and have not ended. */
  readonly outstanding: Effect.Effect<number, SqlError>
  readonly notified: (turns: ReadonlyArray<Turn>) => Effect.Effect<void, SqlError>
  /**
   * Gives a new number to turns that no live worker has received although it was notified that long ago, so that
   * they can be assigned again. Returns their accounts.
   */
  readonly renew: (
    notifiedBefore: Duration.Duration,
    expiration: Duration.Duration
  ) => Effect.Effect<ReadonlyArray<string>, SqlError>
  /** Notes which worker has received a turn, unless the turn is over. */
  readonly receive: (turn: Turn, runner: string) => Effect.Effect<Received | undefined, SqlError>
  /** The turns that a worker has received and that have not ended. */
  readonly received: (runner: string) => Effect.Effect<ReadonlyArray<Turn>, SqlError>
  /** Gives new numbers to turns of a worker that does not work on them, so that they can be assigned again. */
  readonly returned: (runner: string, turns: ReadonlyArray<Turn>) => Effect.Effect<void, SqlError>
  /** Notes that the work begins. */
  readonly start: (turn: Turn) => Effect.Effect<void, SqlError>
  readonly finish: (turn: Turn, outcome: Outcome, every: Duration.Duration) => Effect.Effect<void, SqlError>
  /** Those of these accounts that have been removed. */
  readonly removed: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<string>, SqlError>
}

interface TurnRow {
  readonly id: string
  readonly turn: string
}

const turnOf = ({ id, turn }: TurnRow): Turn => ({ id, turn: Number(turn) })

/** A parameter that is an interval. */
export const seconds = (duration: Duration.Duration): string => `${Duration.toMillis(duration) / 1000} seconds`

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

/** The ledger, whose table is created if it does not exist. */
export const make = (
  names: Tables.Names
): Effect.Effect<Ledger, SqlError | MigrationError, SqlClient.SqlClient> =>
  Effect.gen(function*() {
    const sql = (yield* SqlClient.SqlClient).withoutTransforms()
    const [table, runners] = [sql(names.accounts), sql(names.runners)]
    yield* Migrations.run(`${names.accounts}_migrations`, { "0001_create": create(sql, names.accounts) })
    /** The rest of what `finish` sets. */
    const ended = (outcome: Outcome, every: Duration.Duration) => {
      switch (outcome._tag) {
        case "Done":
          return sql`next_at = GREATEST(now(), last_started + ${seconds(every)}::interval), yields = 0, attempts = 0,
            last_finished = now(), last_succeeded = now(), last_error = NULL`
        case "Yielded":
          return sql`next_at = now(), yields = yields + 1`
        case "Failed":
          return sql`next_at = now() + ${seconds(outcome.retryIn)}::interval, yields = 0, attempts = attempts + 1,
            last_finished = now(), last_error = ${outcome.error}`
      }
    }
    /** What is set for a turn that has to be assigned once more. */
    const again = sql`turn = turn + 1, notified_at = NULL, runner = NULL, is_working = false,
      next_at = LEAST(next_at, now())`
    /** Turns, as a table `t`. */
    const given = (turns: ReadonlyArray<Turn>) =>
      sql`jsonb_to_recordset(${JSON.stringify(turns)}::jsonb) AS t (id text, turn bigint)`
    /** The client would cancel an interrupted statement, and may cancel another caller's instead. */
    const run = <A, E>(statement: Effect.Effect<A, E>): Effect.Effect<A, E> => Effect.uninterruptible(statement)
    return {
      reconcile: (ids) => {
        const given = sql`SELECT value FROM jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb)`
        return run(Effect.zipRight(
          sql`INSERT INTO ${table} (id) ${given} ON CONFLICT (id) DO NOTHING`,
          sql`DELETE FROM ${table} WHERE id NOT IN (${given})`
        ))
      },
      due: (limit) =>
        run(Effect.map(
          sql<TurnRow>`SELECT id, turn FROM ${table}
            WHERE notified_at IS NULL AND next_at <= now() ORDER BY next_at LIMIT ${limit}`,
          (rows) => rows.map(turnOf)
        )),
      outstanding: run(Effect.map(
        sql<{ readonly count: string }>`SELECT count(*) AS count FROM ${table} WHERE notified_at IS NOT NULL`,
        ([row]) => Number(row?.count)
      )),
      notified: (turns) =>
        run(sql`UPDATE ${table} a SET notified_at = now()
          FROM ${given(turns)} WHERE a.id = t.id AND a.turn = t.turn AND a.notified_at IS NULL`),
      renew: (notifiedBefore, expiration) =>
        run(Effect.map(
          sql<{ readonly id: string }>`UPDATE ${table} SET ${again}
            WHERE notified_at < now() - ${seconds(notifiedBefore)}::interval AND (runner IS NULL OR runner NOT IN (
              SELECT address FROM ${runners} WHERE last_heartbeat > now() - ${seconds(expiration)}::interval
            )) RETURNING id`,
          (rows) => rows.map(({ id }) => id)
        )),
      receive: ({ id, turn }, runner) =>
        run(Effect.map(
          sql<Received>`UPDATE ${table} SET runner = ${runner}, notified_at = COALESCE(notified_at, now()),
              is_working = false
            WHERE id = ${id} AND turn = ${turn} RETURNING yields, attempts`,
          ([row]) => row
        )),
      received: (runner) =>
        run(Effect.map(
          sql<TurnRow>`SELECT id, turn FROM ${table} WHERE notified_at IS NOT NULL AND runner = ${runner}`,
          (rows) => rows.map(turnOf)
        )),
      returned: (runner, turns) =>
        run(sql`UPDATE ${table} SET ${again} WHERE runner = ${runner}
          AND (id, turn) IN (SELECT t.id, t.turn FROM ${given(turns)})`),
      start: ({ id, turn }) =>
        run(sql`UPDATE ${table} SET is_working = true,
            last_started = CASE WHEN yields = 0 OR last_started IS NULL THEN now() ELSE last_started END
          WHERE id = ${id} AND turn = ${turn}`),
      finish: ({ id, turn }, outcome, every) =>
        run(sql`UPDATE ${table} SET turn = turn + 1, notified_at = NULL, runner = NULL, is_working = false,
            ${ended(outcome, every)}
          WHERE id = ${id} AND turn = ${turn}`),
      removed: (ids) =>
        run(Effect.map(
          sql<{ readonly id: string }>`SELECT value AS id
            FROM jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb)
            WHERE NOT EXISTS (SELECT 1 FROM ${table} a WHERE a.id = value)`,
          (rows) => rows.map(({ id }) => id)
        ))
    }
  })

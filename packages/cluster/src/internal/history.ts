/**
 * What the status shows beyond the present: how many passes ended in each slot of time, and what workers say about themselves.
 *
 * A worker of an earlier version writes none of this. Its passes are not counted, and what it has not said is not known.
 */
import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { Fragment } from "@effect/sql/Statement"
import { monotonicMillis } from "@mailstream/kernel/Fibers"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import type { EngineTables } from "./engineTables.ts"
import type * as Tables from "./tables.ts"

export type History = ReturnType<typeof make>

/** Seconds of a slot. */
export const slotLength = 900

/** How many slots are shown, and kept: the last twelve hours. */
const slots = 48

/** Where the bars of the ages of copies end, as multiples of the time from pass to pass. */
export const bounds: ReadonlyArray<number> = [0.25, 0.5, 0.75, 1, 1.5, 2, 4]

/** How often a worker says that it is there. */
const interval = Duration.seconds(30)

/** What a worker says about itself. */
export interface Settings {
  readonly address: string
  readonly every: Duration.Duration
  readonly maxAccounts: number
}

/** What is known about a worker. */
interface Known {
  readonly address: string
  readonly upFor: number
  readonly every: number
  readonly maxAccounts: number
  readonly accounts: number
}

/** Creates the tables. An account's shard tells which worker holds it. */
export const create = (client: SqlClient.SqlClient, names: Tables.Names): Effect.Effect<void, SqlError> => {
  const sql = client.withoutTransforms()
  return Effect.all([
    sql`ALTER TABLE ${sql(names.accounts)} ADD COLUMN shard text`,
    sql`CREATE TABLE ${sql(names.passes)} (
      slot timestamptz NOT NULL,
      address text NOT NULL,
      completed integer NOT NULL,
      failed integer NOT NULL,
      PRIMARY KEY (slot, address)
    )`,
    sql`CREATE TABLE ${sql(names.workers)} (
      address text PRIMARY KEY,
      seen_at timestamptz NOT NULL,
      up_for double precision NOT NULL,
      every double precision NOT NULL,
      max_accounts integer NOT NULL
    )`
  ], { discard: true })
}

export const make = (client: SqlClient.SqlClient, names: Tables.Names) => {
  const sql = client.withoutTransforms()
  const [accounts, passes, workers] = [sql(names.accounts), sql(names.passes), sql(names.workers)]
  /** The slot of now. */
  const current = sql`to_timestamp(floor(extract(epoch FROM now()) / ${sql.literal(String(slotLength))}) *
    ${sql.literal(String(slotLength))})`
  const length = `${slotLength} seconds`
  return {
    /** Whether the tables exist: those who read them create nothing. */
    exists: Effect.map(
      sql<{ readonly exists: boolean }>`SELECT to_regclass(${names.workers}) IS NOT NULL AS exists`,
      ([row]) => row?.exists === true
    ),
    /**
     * The statement that ends a pass, if its turn has not ended before, counts it: whatever is repeated, each pass counts once.
     * Each worker has a row of its own, so that they do not wait for each other.
     */
    counting: (update: Fragment, outcome: "Done" | "Failed", address: string) =>
      sql`WITH ended AS (${update} RETURNING id)
        INSERT INTO ${passes} AS p (slot, address, completed, failed)
        SELECT ${current}, ${address}, ${outcome === "Done" ? 1 : 0}::int, ${
        outcome === "Failed" ? 1 : 0
      }::int FROM ended
        ON CONFLICT (slot, address) DO UPDATE
        SET completed = p.completed + excluded.completed, failed = p.failed + excluded.failed`,
    /** Notes that a worker is there, and for how many seconds it has been. */
    note: ({ address, every, maxAccounts }: Settings, upFor: number) =>
      sql`INSERT INTO ${workers} (address, seen_at, up_for, every, max_accounts)
        VALUES (${address}, now(), ${upFor}, ${Duration.toSeconds(every)}, ${maxAccounts})
        ON CONFLICT (address) DO UPDATE SET seen_at = now(), up_for = excluded.up_for, every = excluded.every,
          max_accounts = excluded.max_accounts`,
    /** Drops what is not shown any more, and what was written before the database's clock was set back. */
    prune: Effect.zipRight(
      sql`DELETE FROM ${passes} WHERE slot > now() OR slot < now() - ${`${slots * slotLength} seconds`}::interval`,
      sql`DELETE FROM ${workers} WHERE seen_at NOT BETWEEN now() - interval '10 minutes' AND now() + interval '1 minute'`
    ),
    /** How many passes ended in each slot, the latest last. */
    passes: sql<{ readonly from: string; readonly completed: number; readonly failed: number }>`SELECT
        to_char(s AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS "from",
        COALESCE(sum(completed), 0)::int AS completed, COALESCE(sum(failed), 0)::int AS failed
      FROM generate_series(${current} - ${slots - 1} * ${length}::interval, ${current}, ${length}::interval) s
      LEFT JOIN ${passes} ON slot = s GROUP BY s ORDER BY s`,
    /** How many copies are in each range of ages, given the time from pass to pass in seconds. */
    ages: (every: number) =>
      Effect.map(
        sql<{ readonly at: number; readonly count: number }>`SELECT count(*)::int AS count, width_bucket(
            extract(epoch FROM now() - last_succeeded)::float8 / ${every}, ${`{${bounds}}`}::float8[]) AS at
          FROM ${accounts} WHERE last_succeeded IS NOT NULL GROUP BY at`,
        (rows) =>
          [...bounds, undefined].map((bound, at) => ({
            below: bound === undefined ? undefined : bound * every,
            count: rows.find((row) => row.at === at)?.count ?? 0
          }))
      ),
    /** What workers have said about themselves, and how many accounts they hold. */
    workers: ({ locks }: EngineTables) =>
      sql<Known>`SELECT address, every, max_accounts AS "maxAccounts", COALESCE(accounts, 0) AS accounts,
          up_for + GREATEST(0, extract(epoch FROM now() - seen_at))::float8 AS "upFor"
        FROM ${workers} LEFT JOIN (
          SELECT address, count(*)::int AS accounts FROM ${accounts} a JOIN ${locks} l ON l.shard_id = a.shard
          GROUP BY address
        ) h USING (address)`
  }
}

/** Notes again and again that a worker is there. */
export const layer = (history: History, settings: Settings): Layer.Layer<never> =>
  Layer.scopedDiscard(Effect.gen(function*() {
    const clock = yield* Effect.clock
    const began = monotonicMillis(clock)
    const note: Effect.Effect<unknown, SqlError> = Effect.suspend(() =>
      history.note(settings, (monotonicMillis(clock) - began) / 1000)
    )
    yield* Effect.catchAllCause(note, (cause) => Effect.logDebug("Could not note that this worker is there", cause))
      .pipe(Effect.repeat(Schedule.spaced(interval)), Effect.forkScoped)
  }))

/** What the status shows beyond the present: how many passes ended in each slot of time, and how old the copies are. */
import type * as SqlClient from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import * as Database from "@mailstream/sql/Database"
import * as Effect from "effect/Effect"
import type * as Tables from "./tables.ts"
import type { Changed } from "./turn.ts"

export type History = ReturnType<typeof make>

/** Seconds of a slot, as it is stored. */
const stored = 60

/** What is shown: the last hour, and the last twelve, which are kept. */
const hour: Scale = { slotLength: stored, count: 60 }
const halfDay: Scale = { slotLength: 900, count: 48 }

/** Slots of this many seconds, the last one of them that of now. */
interface Scale {
  readonly slotLength: number
  readonly count: number
}

/** How many passes ended in a slot of time, and how many requests were sent. */
export interface Slot {
  /** Its beginning, in ISO form. */
  readonly from: string
  readonly completed: number
  readonly failed: number
  readonly requests: number
}

/** Where the bars of the ages of copies end, as multiples of the time from pass to pass. */
export const bounds: ReadonlyArray<number> = [0.25, 0.5, 0.75, 1, 1.5, 2, 4]

/** What became of a pass. */
export interface Pass {
  /** How long it has taken, without the time in which it made room for others. */
  readonly seconds: number
  readonly counts?: Changed
  readonly error?: string
}

/** How many passes of each account are remembered. */
const remembered = 10

/** How much of an error is remembered with each of them. */
const maxErrorLength = 200

/** A pass that ends now. */
const ending = (sql: SqlClient.SqlClient, { counts, error, seconds }: Pass): Fragment => {
  const pass = Database.toJson({
    seconds: Number(seconds.toPrecision(3)),
    ...counts,
    ...(error === undefined ? {} : { error: Database.toText(error, maxErrorLength) })
  })
  return sql`${pass}::jsonb || jsonb_build_object('at', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))`
}

export const make = (client: SqlClient.SqlClient, names: Tables.Names) => {
  const sql = client.withoutTransforms()
  const [accounts, history, passes] = [sql(names.accounts), sql(names.history), sql(names.passes)]
  /** The slot of now. */
  const slotOf = (time: string, length: number) =>
    sql`to_timestamp(floor(extract(epoch FROM ${sql.literal(time)}) / ${sql.literal(String(length))}) *
      ${sql.literal(String(length))})`
  const current = slotOf("now()", stored)
  const passesIn = ({ count, slotLength }: Scale) => {
    const [last, length] = [slotOf("now()", slotLength), `${slotLength} seconds`]
    const first = sql`${last} - ${count - 1} * ${length}::interval`
    return Effect.map(
      sql<Slot>`SELECT to_char(s AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS "from",
        COALESCE(completed, 0)::int AS completed, COALESCE(failed, 0)::int AS failed, COALESCE(requests, 0)::int AS requests
      FROM generate_series(${first}, ${last}, ${length}::interval) s LEFT JOIN (
        SELECT ${
        slotOf("slot", slotLength)
      } AS s, sum(completed) AS completed, sum(failed) AS failed, sum(requests) AS requests
        FROM ${passes} WHERE slot >= ${first} GROUP BY 1
      ) p USING (s) ORDER BY s`,
      (slots) => ({ slotLength, slots })
    )
  }
  return {
    /**
     * The statement that ends a pass, if its turn has not ended before, counts and remembers it: whatever is repeated, each pass counts
     * once. Each worker has a row of its own, so that they do not wait for each other.
     */
    counting: (update: Fragment, pass: Pass, worker: string) =>
      sql`WITH ended AS (${update} RETURNING id), remembered AS (
          INSERT INTO ${history} AS h (id, passes) SELECT id, jsonb_build_array(${ending(sql, pass)}) FROM ended
          ON CONFLICT (id) DO UPDATE SET passes = excluded.passes ||
            jsonb_path_query_array(h.passes, ${sql.literal(`'$[0 to ${remembered - 2}]'`)})
        ) INSERT INTO ${passes} AS p (slot, worker, completed, failed)
        SELECT ${current}, ${worker}, ${pass.error === undefined ? 1 : 0}::int, ${
        pass.error === undefined ? 0 : 1
      }::int FROM ended
        ON CONFLICT (slot, worker) DO UPDATE
        SET completed = p.completed + excluded.completed, failed = p.failed + excluded.failed`,
    /** Drops what is not shown any more, and what was written before the database's clock was set back. */
    prune: sql`DELETE FROM ${passes} WHERE slot > now() OR slot < now() - ${`${
      halfDay.count * halfDay.slotLength
    } seconds`}::interval`,
    /** Counts requests of a worker. */
    requested: (worker: string, count: number) =>
      sql`INSERT INTO ${passes} AS p (slot, worker, completed, failed, requests)
        VALUES (${current}, ${worker}, 0, 0, ${count})
        ON CONFLICT (slot, worker) DO UPDATE SET requests = p.requests + excluded.requests`,
    /** What happened in the last twelve hours, and in the last one. */
    passes: passesIn(halfDay),
    hour: passesIn(hour),
    /** How many copies are in each range of ages, given the time from pass to pass in seconds. */
    ages: (every: number) =>
      Effect.map(
        sql<{ readonly at: number; readonly count: number }>`SELECT count(*)::int AS count, width_bucket(
            extract(epoch FROM now() - last_succeeded)::float8 / ${every}, ${`{${bounds}}`}::float8[]) AS at
          FROM ${accounts} WHERE last_succeeded IS NOT NULL AND removed_at IS NULL GROUP BY at`,
        (rows) =>
          [...bounds, undefined].map((bound, at) => ({
            below: bound === undefined ? undefined : bound * every,
            count: rows.find((row) => row.at === at)?.count ?? 0
          }))
      )
  }
}

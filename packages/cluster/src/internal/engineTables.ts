/**
 * The engine's own tables, and everything that is read from them and deleted in them here. The engine promises nothing about
 * them: a test compares their columns with those that this was written for.
 */
import * as Snowflake from "@effect/cluster/Snowflake"
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Tables from "./tables.ts"

export interface Lock {
  readonly address: string
  readonly shard_id: string
}

/** How many rows one statement prunes. */
const pruneLimit = 5000

/** A parameter that is an interval. */
export const seconds = (duration: Duration.Duration): string => `${Duration.toMillis(duration) / 1000} seconds`

export type EngineTables = ReturnType<typeof make>

export const make = (client: SqlClient.SqlClient, { engine }: Tables.Names) => {
  const sql = client.withoutTransforms()
  /** The last one that a worker creates. */
  const lastTable = `${engine}_locks`
  const [messages, replies] = [sql(`${engine}_messages`), sql(`${engine}_replies`)]
  const [runners, locks] = [sql(`${engine}_runners`), sql(lastTable)]
  const isUnread = sql`NOT processed AND last_read IS NULL`
  return {
    lastTable,
    /** Who holds which shard. */
    locks,
    exists: Effect.map(
      sql<{ readonly exists: boolean }>`SELECT to_regclass(${lastTable}) IS NOT NULL AS exists`,
      ([row]) => row?.exists === true
    ),
    /** As a table: the workers, with the seconds since each was last heard from, and how many shards it holds. */
    workers: sql`(SELECT address, healthy,
        extract(epoch FROM now() AT TIME ZONE current_setting('TimeZone') - last_heartbeat)::float8 AS silent,
        (SELECT count(*)::int FROM ${locks} l WHERE l.address = r.address) AS shards
      FROM ${runners} r)`,
    /** The time of a message is in its id. */
    messages: sql<
      Record<"unprocessed" | "unread" | "oldestUnread" | "processed", number>
    >`SELECT count(*) FILTER (WHERE NOT processed)::int AS unprocessed,
        count(*) FILTER (WHERE processed)::int AS processed,
        count(*) FILTER (WHERE ${isUnread})::int AS unread,
        GREATEST(0, extract(epoch FROM now()) -
          (${Snowflake.constEpochMillis}::bigint + (min(id) FILTER (WHERE ${isUnread}) >> 22)) / 1000.0)::float8
          AS "oldestUnread"
      FROM ${messages}`,
    /** Drops what the engine keeps about turns that ended some time ago, which it never asks for again, and about lost workers. */
    prune: (keepMessages: Duration.Duration, lockExpiration: Duration.Duration) =>
      sql<{ readonly count: number }>`WITH old AS (
          DELETE FROM ${messages} WHERE id IN (
            SELECT id FROM ${messages}
            WHERE processed AND last_read NOT BETWEEN now() - ${seconds(keepMessages)}::interval
              AND now() + ${seconds(keepMessages)}::interval
            LIMIT ${pruneLimit}
          ) RETURNING request_id
        ), gone AS (DELETE FROM ${replies} WHERE request_id IN (SELECT request_id FROM old))
        SELECT count(*)::int AS count FROM old`.pipe(
        Effect.repeat({ while: ([row]) => row?.count === pruneLimit }),
        Effect.zipRight(sql`DELETE FROM ${runners}
          WHERE last_heartbeat < now() - ${seconds(Duration.times(lockExpiration, 10))}::interval`)
      ),
    /**
     * After the database's clock was set back, what a lost worker has left behind would not expire until the clock is where it
     * was. From here on, it expires as usual.
     */
    repair: Effect.zipRight(
      sql`UPDATE ${locks} SET acquired_at = now() WHERE acquired_at > now()`,
      sql`UPDATE ${runners} SET last_heartbeat = now() WHERE last_heartbeat > now()`
    ),
    /** Releases those of these locks that are still held by the worker that releases them. */
    release: (released: ReadonlyArray<Lock>) =>
      sql`DELETE FROM ${locks} l USING jsonb_to_recordset(${JSON.stringify(released)}::jsonb)
        AS r (address text, shard_id text) WHERE l.address = r.address AND l.shard_id = r.shard_id`
  }
}

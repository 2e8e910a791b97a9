import { RunnerAddress, RunnerStorage, ShardId, ShardingConfig, Snowflake, SqlRunnerStorage } from "@effect/cluster"
import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, Duration, Effect, Layer } from "effect"
import * as Engine from "../src/internal/engine.ts"
import * as EngineTables from "../src/internal/engineTables.ts"
import * as Releases from "../src/internal/releases.ts"
import * as Tables from "../src/internal/tables.ts"
import { database } from "./support/processes.ts"

const config = ShardingConfig.layer({ shardLockDisableAdvisory: true })

/** A database with the tables of the engine. */
const prepared = Effect.gen(function*() {
  const { sql } = yield* database
  const names = yield* Tables.names({})
  yield* Engine.prepare(names).pipe(Effect.provide(config), Effect.provideService(SqlClient.SqlClient, sql))
  return { sql, names, tables: EngineTables.make(sql, names) }
})

describe("the locks of the engine", () => {
  it.scopedLive("are released together, and only by the worker that holds them", () =>
    Effect.gen(function*() {
      const { names, sql, tables } = yield* prepared
      const storage = Releases.layer(
        SqlRunnerStorage.layerWith({ prefix: names.engine }),
        tables,
        Duration.seconds(5)
      ).pipe(Layer.provide([Layer.succeed(SqlClient.SqlClient, sql), config]))
      const { acquire, release } = Context.get(yield* Layer.build(storage), RunnerStorage.RunnerStorage)
      yield* sql`CREATE TABLE statements (at timestamptz)`
      yield* sql`CREATE FUNCTION note_statement() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN INSERT INTO statements VALUES (now()); RETURN NULL; END'`
      yield* sql`CREATE TRIGGER noted AFTER DELETE ON cluster_locks FOR EACH STATEMENT EXECUTE FUNCTION note_statement()`
      const shards = Array.from({ length: 150 }, (_, n) => ShardId.make("default", n + 1))
      const [one, other] = [RunnerAddress.make("one", 1), RunnerAddress.make("other", 1)]
      yield* acquire(one, shards)
      const locks = Effect.map(sql`SELECT shard_id FROM cluster_locks`, (rows) => rows.length)
      const releaseAll = (address: RunnerAddress.RunnerAddress) =>
        Effect.forEach(shards, (shard) => release(address, shard), { concurrency: "unbounded", discard: true })
      yield* releaseAll(other)
      assert.strictEqual(yield* locks, 150)
      yield* releaseAll(one)
      assert.strictEqual(yield* locks, 0)
      assert.isAtMost((yield* sql`SELECT * FROM statements`).length, 6)
    }), 60_000)
})

describe("the tables of the engine", () => {
  it.scopedLive("are created by several workers at the same instant", () =>
    Effect.gen(function*() {
      const { sql, url } = yield* database
      const clients = yield* Effect.forEach(Array.from({ length: 4 }), () =>
        Layer.build(PgClient.layer({ url, maxConnections: 3 })))
      const names = yield* Tables.names({})
      yield* Effect.forEach(clients, (client) =>
        Effect.provide(Engine.prepare(names), client), {
        concurrency: "unbounded"
      }).pipe(Effect.provide(config))
      assert.isTrue(yield* EngineTables.make(sql, names).exists)
    }), 60_000)

  // If this fails after an upgrade of @effect/cluster: read what has changed, and then src/internal/engineTables.ts.
  it.scopedLive("are those that pruning, releasing and the status were written for", () =>
    Effect.gen(function*() {
      const { sql } = yield* prepared
      const columns = yield* sql<{ name: string; columns: string }>`SELECT table_name AS name,
          string_agg(column_name || ' ' || data_type || CASE is_nullable WHEN 'YES' THEN '?' ELSE '' END, ', '
            ORDER BY ordinal_position) AS columns
        FROM information_schema.columns WHERE table_schema = 'public' GROUP BY table_name`
      assert.deepStrictEqual(Object.fromEntries(columns.map(({ columns, name }) => [name, columns.split(", ")])), {
        cluster_locks: [
          "shard_id character varying",
          "address character varying",
          "acquired_at timestamp without time zone"
        ],
        cluster_messages: [
          "id bigint",
          "rowid bigint",
          "message_id character varying?",
          "shard_id character varying",
          "entity_type character varying",
          "entity_id character varying",
          "kind integer",
          "tag character varying?",
          "payload text?",
          "headers text?",
          "trace_id character varying?",
          "span_id character varying?",
          "sampled boolean?",
          "processed boolean",
          "request_id bigint",
          "reply_id bigint?",
          "last_reply_id bigint?",
          "last_read timestamp without time zone?",
          "deliver_at bigint?"
        ],
        cluster_migrations: [
          "migration_id integer",
          "created_at timestamp with time zone",
          "name text"
        ],
        cluster_replies: [
          "id bigint",
          "rowid bigint",
          "kind integer?",
          "request_id bigint",
          "payload text",
          "sequence integer?",
          "acked boolean"
        ],
        cluster_runners: [
          "machine_id integer",
          "address character varying",
          "runner text",
          "healthy boolean",
          "last_heartbeat timestamp without time zone"
        ]
      })
      // No table refers to another: what is pruned in one leaves nothing behind in a third.
      const references = yield* sql`SELECT 1 FROM pg_constraint WHERE contype = 'f'`
      assert.deepStrictEqual(references, [])
    }), 60_000)

  it.scopedLive(
    "tell how long the oldest message has been unread, and lose what is pruned",
    () =>
      Effect.gen(function*() {
        const { sql, tables } = yield* prepared
        const now = yield* Clock.currentTimeMillis
        const message = (ago: number, state: { readonly processed: boolean; readonly read: string | null }) => {
          const machineId = 1 as Parameters<typeof Snowflake.make>[0]["machineId"]
          const id = String(Snowflake.make({ machineId, sequence: 0, timestamp: now - ago * 1000 }))
          return Effect.zipRight(
            sql`INSERT INTO cluster_messages (id, shard_id, entity_type, entity_id, kind, request_id, processed, last_read)
            VALUES (${id}, 'default:1', 'Account', 'acme', 0, ${id}, ${state.processed}, now() - ${state.read}::interval)`,
            sql`INSERT INTO cluster_replies (id, kind, request_id, payload) VALUES (${id}, 0, ${id}, '')`
          )
        }
        assert.deepStrictEqual(yield* tables.messages, [{ unprocessed: 0, processed: 0, unread: 0, oldestUnread: 0 }])
        yield* message(1000, { processed: true, read: "10 minutes" })
        yield* message(900, { processed: true, read: "1 second" })
        yield* message(800, { processed: false, read: "10 minutes" })
        yield* message(700, { processed: false, read: null })
        yield* message(600, { processed: false, read: null })
        const [found] = yield* tables.messages
        assert.include(found, { unprocessed: 3, processed: 2, unread: 2 })
        assert.isAtLeast(found!.oldestUnread, 700)
        assert.isBelow(found!.oldestUnread, 800)
        yield* sql`INSERT INTO cluster_runners (address, runner, last_heartbeat)
        VALUES ('lost:1', '{}', now() - interval '10 minutes'), ('live:1', '{}', now())`
        yield* tables.prune(Duration.minutes(1), Duration.seconds(15))
        const ids = yield* sql`SELECT id FROM cluster_messages ORDER BY id`
        assert.strictEqual(ids.length, 4)
        assert.deepStrictEqual(yield* sql`SELECT request_id AS id FROM cluster_replies ORDER BY id`, ids)
        assert.deepStrictEqual(yield* sql`SELECT address FROM cluster_runners`, [{ address: "live:1" }])
      }),
    60_000
  )
})

import { RunnerAddress, RunnerStorage, ShardId, ShardingConfig, SqlRunnerStorage } from "@effect/cluster"
import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Context, Duration, Effect, Layer } from "effect"
import * as Engine from "../src/internal/engine.ts"
import * as Releases from "../src/internal/releases.ts"
import * as Tables from "../src/internal/tables.ts"
import { database } from "./support/processes.ts"

describe("the locks of the engine", () => {
  it.scopedLive("are released together, and only by the worker that holds them", () =>
    Effect.gen(function*() {
      const { sql } = yield* database
      const names = yield* Tables.names({})
      const config = ShardingConfig.layer({ shardLockDisableAdvisory: true })
      const storage = Releases.layer(
        SqlRunnerStorage.layerWith({ prefix: names.engine }),
        names,
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
      }).pipe(Effect.provide(ShardingConfig.layer({ shardLockDisableAdvisory: true })))
      const found = yield* sql<{ name: string }>`SELECT table_name AS name FROM information_schema.tables
        WHERE table_schema = 'public'`
      assert.includeMembers(found.map(({ name }) => name), [names.messages, names.replies, names.runners, names.locks])
    }), 60_000)
})

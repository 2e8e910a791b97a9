import { ShardingConfig } from "@effect/cluster"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Engine from "../src/internal/engine.ts"
import * as Tables from "../src/internal/tables.ts"
import { database } from "./support/processes.ts"

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

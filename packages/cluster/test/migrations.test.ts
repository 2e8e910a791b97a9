import { SqlClient } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import { Status } from "@mailstream/cluster"
import { Effect } from "effect"
import * as Ledger from "../src/internal/ledger.ts"
import * as Members from "../src/internal/members.ts"
import * as Migrations from "../src/internal/migrations.ts"
import * as Tables from "../src/internal/tables.ts"
import { version } from "../src/internal/version.ts"
import { database } from "./support/processes.ts"
import { settings } from "./support/tables.ts"

/** The tables as the version before left them: with those of its engine, and a worker in the middle of a pass. */
const before = Effect.gen(function*() {
  const { sql } = yield* database
  const names = yield* Tables.names({})
  const run = Effect.provideService(SqlClient.SqlClient, sql)
  yield* run(Migrations.run(sql, names))
  yield* sql`DROP TABLE cluster_workers, cluster_accounts, cluster_passes, cluster_history`
  yield* sql`DELETE FROM cluster_accounts_migrations WHERE migration_id > 2`
  yield* sql`CREATE TABLE cluster_accounts (id text PRIMARY KEY,
    turn bigint NOT NULL DEFAULT floor(extract(epoch FROM clock_timestamp()) * 1000),
    next_at timestamptz NOT NULL DEFAULT now(), notified_at timestamptz, runner text, yields integer NOT NULL DEFAULT 0,
    attempts integer NOT NULL DEFAULT 0, is_working boolean NOT NULL DEFAULT false, last_started timestamptz,
    last_finished timestamptz, last_succeeded timestamptz, last_error text, shard text)`
  yield* sql`CREATE INDEX cluster_accounts_due ON cluster_accounts (next_at) WHERE notified_at IS NULL`
  yield* sql`CREATE INDEX cluster_accounts_notified ON cluster_accounts (notified_at) WHERE notified_at IS NOT NULL`
  yield* sql`CREATE TABLE cluster_passes (slot timestamptz NOT NULL, address text NOT NULL, completed integer NOT NULL,
    failed integer NOT NULL, PRIMARY KEY (slot, address))`
  yield* sql`CREATE TABLE cluster_workers (address text PRIMARY KEY, seen_at timestamptz NOT NULL,
    up_for double precision NOT NULL, every double precision NOT NULL, max_accounts integer NOT NULL)`
  for (const name of ["locks", "runners", "replies", "messages", "migrations"]) {
    yield* sql`CREATE TABLE ${sql(`cluster_${name}`)} (id int)`
  }
  yield* sql`INSERT INTO cluster_passes
    VALUES (to_timestamp(floor(extract(epoch FROM now()) / 900) * 900), '10.0.0.7:34431', 3, 1)`
  const ago = (text: string) => sql`now() - ${text}::interval`
  yield* sql`INSERT INTO cluster_accounts (id, notified_at, runner, is_working, attempts, last_started, last_finished, last_succeeded)
    VALUES ('quick', NULL, NULL, false, 0, ${ago("61 s")}, ${ago("60 s")}, ${ago("60 s")}),
      ('large', NULL, NULL, false, 0, ${ago("90 s")}, ${ago("30 s")}, ${ago("30 s")}),
      ('busy', ${ago("1 s")}, '10.0.0.7:34431', true, 0, ${ago("1 s")}, NULL, ${ago("1 h")}),
      ('failing', NULL, NULL, false, 2, ${ago("9 s")}, ${ago("8 s")}, NULL)`
  return { sql, names, run, status: run(Status.read()) }
})

const left = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql<{ name: string }>`SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relname LIKE 'cluster%'
    ORDER BY relname`,
    (rows) => rows.map(({ name }) => name)
  )

describe("the tables of an earlier version", () => {
  it.scopedLive("become those of this one, with everything that is known about accounts", () =>
    Effect.gen(function*() {
      const { names, run, sql, status } = yield* before
      assert.strictEqual((yield* Effect.flip(status))._tag, "NoCluster")
      yield* sql`INSERT INTO cluster_workers VALUES ('10.0.0.7:34431', now(), 1, 3600, 8)`
      yield* run(Migrations.run(sql, names))
      const { accounts, passes, runners } = yield* status
      assert.include(accounts, { total: 4, neverCopied: 1, failing: 1, working: 0 })
      assert.deepInclude(passes.slots.at(-1), { completed: 3, failed: 1 })
      assert.deepStrictEqual(runners, [])
      // What is in progress is left alone until its worker has certainly stopped.
      const worker = yield* Members.make(sql, names).join(settings, 0)
      const claims = yield* Ledger.make(sql, names).claim(worker, { short: 9, new: 9, long: 9 })
      assert.deepStrictEqual(
        claims.map(({ attempts, id, kind }) => [id, kind, attempts]).sort(),
        [["failing", "new", 2], ["large", "long", 0], ["quick", "short", 0]]
      )
      assert.deepStrictEqual(yield* left(sql), [
        "cluster_accounts",
        "cluster_accounts_migrations",
        "cluster_history",
        "cluster_passes",
        "cluster_workers"
      ])
    }), 60_000)

  it.scopedLive("are not confused with those of somebody else who uses @effect/cluster", () =>
    Effect.gen(function*() {
      const { names, run, sql } = yield* before
      yield* run(Migrations.run(sql, names))
      assert.includeMembers(yield* left(sql), ["cluster_locks", "cluster_messages", "cluster_runners"])
    }), 60_000)
})

describe("the version that workers report", () => {
  it("is that of the package", async () => {
    const { default: { version: declared } } = await import("../package.json", { with: { type: "json" } })
    assert.strictEqual(version, declared)
  })
})

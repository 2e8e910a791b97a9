import { ShardingConfig } from "@effect/cluster"
import { SqlClient } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import { Status } from "@mailstream/cluster"
import { Duration, Effect, FastCheck } from "effect"
import * as Engine from "../src/internal/engine.ts"
import * as History from "../src/internal/history.ts"
import * as Ledger from "../src/internal/ledger.ts"
import * as Tables from "../src/internal/tables.ts"
import type { Outcome } from "../src/internal/turn.ts"
import * as Inside from "./support/inside.ts"
import { database, make, status } from "./support/processes.ts"
import { until } from "./support/waiting.ts"

/** A database with all tables of a cluster, and no worker. */
const prepared = Effect.gen(function*() {
  const { sql } = yield* database
  const names = yield* Tables.names({})
  const withSql = Effect.provideService(SqlClient.SqlClient, sql)
  yield* withSql(Effect.provide(Engine.prepare(names), ShardingConfig.layer({ shardLockDisableAdvisory: true })))
  const ledger = yield* withSql(Ledger.make(names))
  return { sql, ledger, history: History.make(sql, names), read: withSql(Status.read()) }
})

const worker = { address: "one:1", every: Duration.hours(1), maxAccounts: 8 }
const failed: Outcome = { _tag: "Failed", error: "refused", retryIn: Duration.seconds(30) }

/** Copies that are so many seconds old, and accounts without one. */
const withAges = (ages: ReadonlyArray<number | null>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.zipRight(
      sql`DELETE FROM cluster_accounts`,
      sql`INSERT INTO cluster_accounts (id, last_succeeded)
        SELECT 'account-' || at, now() - value::float8 * interval '1 second'
        FROM jsonb_array_elements_text(${JSON.stringify(ages)}::jsonb) WITH ORDINALITY AS t (value, at)`
    ))

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((total, number) => total + number, 0)

describe("the ages of copies", () => {
  it.scopedLive(
    "are counted in ranges around the time from pass to pass, each copy once",
    () =>
      Effect.gen(function*() {
        const { history, read, sql } = yield* prepared
        const run = Effect.provideService(SqlClient.SqlClient, sql)
        const bounds = [...History.bounds, Infinity]
        // Not so close to a bound that the time until they are read could matter.
        const range = FastCheck.integer({ min: 0, max: bounds.length - 1 })
        const samples = FastCheck.sample(
          FastCheck.record({
            every: FastCheck.integer({ min: 1000, max: 100_000 }),
            ranges: FastCheck.array(FastCheck.option(range), { maxLength: 40 })
          }),
          20
        )
        for (const { every, ranges } of samples) {
          yield* history.note({ ...worker, every: Duration.seconds(every) }, 0)
          yield* run(withAges(ranges.map((at) => {
            if (at === null) return null
            const [from = 0, to = 0] = [bounds[at - 1] ?? 0, bounds[at]]
            return every * (from + (to === Infinity ? 1 : (to - from) / 4))
          })))
          const { accounts, copies } = yield* read
          assert.strictEqual(copies.every, every)
          assert.deepStrictEqual(
            copies.ages,
            bounds.map((bound, range) => ({
              below: bound === Infinity ? undefined : bound * every,
              count: ranges.filter((at) => at === range).length
            }))
          )
          assert.strictEqual(sum(copies.ages.map(({ count }) => count)) + accounts.neverCopied, accounts.total)
        }
      }),
    60_000
  )

  it.scopedLive("of ten thousand accounts are as many numbers as those of ten", () =>
    Effect.gen(function*() {
      const { history, read, sql } = yield* prepared
      yield* history.note(worker, 0)
      yield* sql`INSERT INTO cluster_accounts (id, last_succeeded, attempts, shard)
        SELECT 'account-' || n, now() - n * interval '1 second', n % 2, 'default:' || (n % 300)
        FROM generate_series(1, 10000) n`
      const status = yield* read
      assert.strictEqual(sum(status.copies.ages.map(({ count }) => count)), 10_000)
      assert.isBelow(JSON.stringify(status).length, 10_000)
    }), 60_000)

  it.scopedLive(
    "are not known before a worker has said how long it waits from pass to pass",
    () =>
      Effect.gen(function*() {
        const { read, sql } = yield* prepared
        yield* Effect.provideService(withAges([1, 2]), SqlClient.SqlClient, sql)
        assert.deepStrictEqual((yield* read).copies, { every: undefined, ages: [] })
      }),
    60_000
  )
})

describe("passes over time", () => {
  it.scopedLive("count each pass once, in the slot in which it ended", () =>
    Effect.gen(function*() {
      const { ledger, read, sql } = yield* prepared
      yield* ledger.reconcile(["acme", "globex"])
      const turnOf = (id: string) =>
        Effect.map(ledger.due(10), (turns) => turns.find((turn) => turn.id === id) ?? { id, turn: -1 })
      const end = (id: string, outcome: Outcome, address: string) =>
        Effect.gen(function*() {
          yield* sql`UPDATE cluster_accounts SET next_at = now()`
          const turn = yield* turnOf(id)
          // As if the response to the first statement had been lost.
          yield* ledger.finish(turn, outcome, { ...worker, address })
          yield* ledger.finish(turn, outcome, { ...worker, address })
        })
      for (const address of ["one:1", "two:1"]) {
        yield* end("acme", { _tag: "Done" }, address)
        yield* end("acme", { _tag: "Yielded" }, address)
        yield* end("globex", failed, address)
      }
      yield* end("globex", { _tag: "Done" }, "one:1")
      const { at, passes } = yield* read
      assert.strictEqual(passes.slots.length, 48)
      assert.strictEqual(sum(passes.slots.map(({ completed }) => completed)), 3)
      assert.strictEqual(sum(passes.slots.map(({ failed }) => failed)), 2)
      const starts = passes.slots.map(({ from }) => Date.parse(from))
      starts.slice(1).forEach((start, before) => assert.strictEqual(start - starts[before]!, passes.slotLength * 1000))
      assert.isAtMost(starts[47]!, Date.parse(at))
      assert.isAbove(starts[47]! + passes.slotLength * 1000, Date.parse(at))
    }), 60_000)

  it.scopedLive("are kept for twelve hours, and not where the clock has not been", () =>
    Effect.gen(function*() {
      const { history, ledger, read, sql } = yield* prepared
      yield* ledger.reconcile(["acme"])
      const [turn] = yield* ledger.due(1)
      yield* ledger.finish(turn!, failed, worker)
      yield* history.note(worker, 5)
      yield* history.note({ ...worker, address: "gone:1", every: Duration.hours(9) }, 5)
      yield* sql`UPDATE cluster_workers SET seen_at = now() - interval '1 hour' WHERE address = 'gone:1'`
      for (const shift of ["-11 hours", "-13 hours", "1 hour"]) {
        yield* sql`INSERT INTO cluster_passes SELECT slot + ${shift}::interval, address, 10, 100 FROM cluster_passes
          WHERE completed = 0`
      }
      const failures = Effect.map(read, ({ passes }) => passes.slots.map(({ failed }) => failed).filter((n) => n > 0))
      assert.deepStrictEqual(yield* failures, [100, 1])
      yield* history.prune
      assert.deepStrictEqual(yield* failures, [100, 1])
      assert.strictEqual((yield* sql`SELECT slot FROM cluster_passes`).length, 2)
      assert.deepStrictEqual(yield* sql`SELECT address FROM cluster_workers`, [{ address: "one:1" }])
      assert.strictEqual((yield* read).copies.every, 3600)
    }), 60_000)
})

describe("the history of a cluster", () => {
  it.scopedLive("is not missed where all workers are of an earlier version", () =>
    Effect.gen(function*() {
      const { read, sql } = yield* prepared
      yield* sql`DROP TABLE cluster_passes, cluster_workers`
      yield* sql`ALTER TABLE cluster_accounts DROP COLUMN shard`
      yield* sql`INSERT INTO cluster_runners (address, runner, last_heartbeat) VALUES ('old:1', '{}', now())`
      const { copies, passes, runners } = yield* read
      assert.deepStrictEqual(copies, { every: undefined, ages: [] })
      assert.deepStrictEqual(passes.slots, [])
      assert.include(runners[0], { address: "old:1", accounts: undefined, maxAccounts: undefined, upFor: undefined })
    }), 60_000)

  it.scopedLive(
    "is added to the tables of an earlier version, whose statements still work",
    () =>
      Effect.gen(function*() {
        const { read, sql } = yield* prepared
        yield* sql`DROP TABLE cluster_passes, cluster_workers`
        yield* sql`ALTER TABLE cluster_accounts DROP COLUMN shard`
        yield* sql`DELETE FROM cluster_accounts_migrations WHERE migration_id > 1`
        yield* sql`INSERT INTO cluster_accounts (id, last_succeeded) VALUES ('acme', now())`
        const again = yield* Effect.provideService(
          Ledger.make(yield* Tables.names({})),
          SqlClient.SqlClient,
          sql
        )
        const [turn] = yield* again.due(1)
        // What an earlier version writes when it receives a turn, and when it has ended.
        yield* sql`UPDATE cluster_accounts SET runner = 'old:1', notified_at = COALESCE(notified_at, now()),
        is_working = false WHERE id = 'acme' AND turn = ${turn!.turn}`
        yield* sql`UPDATE cluster_accounts SET turn = turn + 1, notified_at = NULL, runner = NULL, is_working = false,
        next_at = now(), last_finished = now(), last_succeeded = now() WHERE id = 'acme' AND turn = ${turn!.turn}`
        const [next] = yield* again.due(1)
        yield* again.receive(next!, "one:1", "default:7")
        yield* again.finish(next!, { _tag: "Done" }, worker)
        const { accounts, passes } = yield* read
        assert.strictEqual(accounts.total, 1)
        assert.strictEqual(sum(passes.slots.map(({ completed }) => completed)), 1)
      }),
    60_000
  )

  it.scopedLive(
    "is written by workers: who holds which accounts, since when, and what ended",
    () =>
      Effect.gen(function*() {
        const cluster = yield* make
        for (let n = 0; n < 20; n++) cluster.service.add(`account-${n}`, { isRefused: n === 0 })
        yield* cluster.writeAccounts
        const options = { every: "1 hour", minBackoff: "1 hour", maxAccounts: 5 } as const
        yield* Inside.start(cluster, options)
        yield* Inside.start(cluster, options)
        const { copies, passes, runners } = yield* until(
          "all have had a turn",
          status(cluster),
          ({ accounts, passes, runners }) =>
            accounts.total === 20 && sum(passes.slots.map(({ completed, failed }) => completed + failed)) === 20 &&
            runners.length === 2 && runners.every(({ accounts, shards, upFor }) =>
              shards > 0 && accounts! > 0 && upFor !== undefined
            ) && sum(runners.map(({ shards }) => shards)) === 300
        )
        assert.strictEqual(sum(passes.slots.map(({ failed }) => failed)), 1)
        assert.strictEqual(sum(runners.map(({ accounts }) => accounts ?? 0)), 20)
        assert.strictEqual(copies.every, 3600)
        assert.strictEqual(copies.ages[0]?.count, 19)
        for (const { maxAccounts, upFor } of runners) {
          assert.strictEqual(maxAccounts, 5)
          assert.isBelow(upFor!, 60)
        }
      }),
    60_000
  )
})

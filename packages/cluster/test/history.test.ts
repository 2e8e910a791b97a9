import { SqlClient } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import { Status } from "@mailstream/cluster"
import { Duration, Effect, FastCheck, Schema } from "effect"
import * as History from "../src/internal/history.ts"
import * as Turn from "../src/internal/turn.ts"
import * as Inside from "./support/inside.ts"
import { make, status } from "./support/processes.ts"
import { prepared, settings } from "./support/tables.ts"
import { until } from "./support/waiting.ts"

type Outcome = Turn.Outcome

const done: Outcome = { _tag: "Done", counts: { created: 1, updated: 2, deleted: 3 } }
const failed: Extract<Outcome, { readonly _tag: "Failed" }> = {
  _tag: "Failed",
  error: "refused",
  retryIn: Duration.seconds(30)
}

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
        const { members, read, sql } = yield* prepared
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
          yield* sql`DELETE FROM cluster_workers`
          yield* members.join({ ...settings, every: Duration.seconds(every) }, 0)
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
      const { join, read, sql } = yield* prepared
      yield* join()
      yield* sql`INSERT INTO cluster_accounts (id, last_succeeded, attempts)
        SELECT 'account-' || n, now() - n * interval '1 second', n % 2
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
      const { join, ledger, read, sql } = yield* prepared
      yield* ledger.reconcile(["acme", "globex"])
      const [one, two] = [yield* join("one"), yield* join("two")]
      const end = (id: string, outcome: Outcome, worker: string) =>
        Effect.gen(function*() {
          yield* sql`UPDATE cluster_accounts SET next_at = now() + CASE WHEN id = ${id} THEN 0 ELSE 1 END * interval '1 day'`
          const [claim] = yield* ledger.claim(worker, { short: 1, new: 1, long: 1 })
          assert.strictEqual(claim?.id, id)
          // As if the response to the first statement had been lost.
          for (let times = 0; times < 2; times++) {
            yield* ledger.finish(worker, claim!, { outcome, kind: "short", spent: 1 }, settings.every)
          }
        })
      for (const worker of [one, two]) {
        yield* end("acme", done, worker)
        yield* end("acme", { _tag: "Yielded" }, worker)
        yield* end("globex", failed, worker)
      }
      yield* end("globex", done, one)
      const { at, passes } = yield* read
      assert.strictEqual(passes.slots.length, 48)
      assert.strictEqual(sum(passes.slots.map(({ completed }) => completed)), 3)
      assert.strictEqual(sum(passes.slots.map(({ failed }) => failed)), 2)
      const starts = passes.slots.map(({ from }) => Date.parse(from))
      starts.slice(1).forEach((start, before) => assert.strictEqual(start - starts[before]!, passes.slotLength * 1000))
      assert.isAtMost(starts[47]!, Date.parse(at))
      assert.isAbove(starts[47]! + passes.slotLength * 1000, Date.parse(at))
    }), 60_000)

  it.scopedLive("are remembered with whatever an account's service has said", () =>
    Effect.gen(function*() {
      const { join, ledger, run } = yield* prepared
      const worker = yield* join()
      // What is cut has a whole number of characters in one of them.
      const errors = ["😀".repeat(400), `x${"😀".repeat(400)}`, "\ud83d", "\0"]
      yield* ledger.reconcile(errors.map((_, at) => `account-${at}`))
      const claims = yield* ledger.claim(worker, { short: 0, new: errors.length, long: 0 })
      assert.lengthOf(claims, errors.length)
      for (const [at, text] of errors.entries()) {
        const { error } = yield* Schema.decodeUnknown(Schema.Struct({ error: Schema.String }))(Turn.failed(text))
        const outcome: Outcome = { ...failed, error }
        const claim = claims.find(({ id }) => id === `account-${at}`)
        yield* ledger.finish(worker, claim!, { outcome, kind: "short", spent: 1 }, settings.every)
        const { attempts, passes: [pass] } = yield* run(Status.account(`account-${at}`))
        assert.strictEqual(attempts, 1)
        assert.match(pass!.error!, at < 2 ? /^x?(😀){99}…$/u : /^[ \ufffd]$/)
      }
    }), 60_000)

  it.scopedLive("are kept for twelve hours, and not where the clock has not been", () =>
    Effect.gen(function*() {
      const { names, read, sql } = yield* prepared
      yield* sql`INSERT INTO cluster_passes SELECT to_timestamp(floor(extract(epoch FROM now()) / 900) * 900), 'one', 0, 1`
      for (const shift of ["-11 hours", "-13 hours", "1 hour"]) {
        yield* sql`INSERT INTO cluster_passes SELECT slot + ${shift}::interval, worker, 10, 100 FROM cluster_passes
          WHERE completed = 0`
      }
      const failures = Effect.map(read, ({ passes }) => passes.slots.map(({ failed }) => failed).filter((n) => n > 0))
      assert.deepStrictEqual(yield* failures, [100, 1])
      yield* History.make(sql, names).prune
      assert.deepStrictEqual(yield* failures, [100, 1])
      assert.strictEqual((yield* sql`SELECT slot FROM cluster_passes`).length, 2)
    }), 60_000)
})

describe("the history of a cluster", () => {
  it.scopedLive(
    "is written by workers: who takes part, since when, and what ended",
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
            runners.length === 2
        )
        assert.strictEqual(sum(passes.slots.map(({ failed }) => failed)), 1)
        assert.strictEqual(copies.every, 3600)
        assert.strictEqual(copies.ages[0]?.count, 19)
        for (const { isHealthy, maxAccounts, upFor, version } of runners) {
          assert.deepStrictEqual([isHealthy, maxAccounts, version], [true, 5, "1.0.0"])
          assert.isBelow(upFor, 60)
        }
      }),
    60_000
  )
})

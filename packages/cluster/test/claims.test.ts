import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import type * as Ledger from "../src/internal/ledger.ts"
import * as Turn from "../src/internal/turn.ts"
import { prepared, settings } from "./support/tables.ts"

const backoff = { minBackoff: Duration.seconds(30), maxBackoff: Duration.hours(1) }
const many = { short: 10, new: 10, long: 10 }
const ids = (claims: ReadonlyArray<Ledger.Claim>) => claims.map(({ id }) => id).sort()
const done: Ledger.Ending = {
  outcome: { _tag: "Done", counts: { created: 1, updated: 0, deleted: 0 } },
  kind: "short",
  spent: 1
}

describe("claims", () => {
  it.scopedLive("give each account to one worker, and each worker what it asks for", () =>
    Effect.gen(function*() {
      const { join, ledger, sql } = yield* prepared
      const workers = [yield* join(), yield* join(), yield* join()]
      yield* ledger.reconcile(Array.from({ length: 30 }, (_, n) => `account-${n}`))
      const claimed = yield* Effect.forEach(workers, (worker) => ledger.claim(worker, { short: 1, new: 8, long: 1 }), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(claimed.map(({ length }) => length), [8, 8, 8])
      assert.strictEqual(new Set(claimed.flat().map(({ id }) => id)).size, 24)
      yield* sql`UPDATE cluster_accounts SET worker = NULL, kind = CASE WHEN id < 'account-2' THEN 'long' ELSE 'short' END`
      const kinds = yield* ledger.claim(workers[0]!, { short: 2, new: 5, long: 3 })
      assert.deepStrictEqual(kinds.map(({ kind }) => kind).sort(), ["long", "long", "long", "short", "short"])
    }), 60_000)

  it.scopedLive(
    "are made of what has been due for longest, and neither paused nor removed",
    () =>
      Effect.gen(function*() {
        const { join, ledger, sql } = yield* prepared
        const worker = yield* join()
        yield* ledger.reconcile(["a", "b", "c", "d", "e"])
        yield* sql`UPDATE cluster_accounts SET next_at = now() - CASE id WHEN 'b' THEN 3 WHEN 'c' THEN 2 ELSE 1 END * interval '1 s'`
        yield* sql`UPDATE cluster_accounts SET next_at = now() + interval '1 minute' WHERE id = 'a'`
        yield* sql`UPDATE cluster_accounts SET paused_at = now() WHERE id = 'd'`
        yield* ledger.reconcile(["a", "b", "c", "d"])
        assert.deepStrictEqual((yield* ledger.look(10)).new.count, 2)
        assert.deepStrictEqual(ids(yield* ledger.claim(worker, { ...many, new: 1 })), ["b"])
        assert.deepStrictEqual(ids(yield* ledger.claim(worker, many)), ["c"])
        assert.deepStrictEqual(yield* ledger.claim(worker, many), [])
      }),
    60_000
  )

  it.scopedLive(
    "say what their pass may delete, which ends with it unless the database was not available",
    () =>
      Effect.gen(function*() {
        const { join, ledger, sql } = yield* prepared
        const worker = yield* join()
        yield* ledger.reconcile(["acme"])
        const allowed = Effect.gen(function*() {
          yield* sql`UPDATE cluster_accounts SET next_at = now()`
          const [claim] = yield* ledger.claim(worker, many)
          return claim!
        })
        const broken = { error: "refused", retryIn: settings.every }
        yield* sql`UPDATE cluster_accounts SET max_deleted = 1`
        const ends = [{ ...broken, _tag: "CutOff" }, { _tag: "Yielded" }, { ...broken, _tag: "Failed" }] as const
        for (const outcome of ends) {
          const claim = yield* allowed
          assert.strictEqual(claim.maxDeleted, 1)
          yield* ledger.finish(worker, claim, { ...done, outcome }, settings.every)
        }
        const claim = yield* allowed
        assert.strictEqual(claim.maxDeleted, null)
        yield* ledger.finish(worker, claim, done, settings.every)
        yield* sql`UPDATE cluster_accounts SET max_deleted = 0.6`
        // What is asked for during a pass is for the next one, and nothing of this one is left for it.
        const first = yield* allowed
        assert.strictEqual(first.maxDeleted, 0.6)
        yield* sql`UPDATE cluster_accounts SET asked_at = now()`
        yield* ledger.finish(worker, first, done, settings.every)
        const second = yield* allowed
        assert.strictEqual(second.maxDeleted, null)
        yield* sql`UPDATE cluster_accounts SET max_deleted = 1, asked_at = now()`
        yield* ledger.finish(worker, second, { ...done, outcome: { _tag: "Yielded" } }, settings.every)
        const continued = yield* allowed
        assert.strictEqual(continued.maxDeleted, null)
        yield* ledger.finish(worker, continued, done, settings.every)
        assert.strictEqual((yield* allowed).maxDeleted, 1)
      }),
    60_000
  )

  it.scopedLive(
    "are made once more if that was asked for during a pass, however its turns end",
    () =>
      Effect.gen(function*() {
        const { expire, join, ledger, members, sql } = yield* prepared
        yield* ledger.reconcile(["acme"])
        const isDue = Effect.map(ledger.look(10), (due) => due.short.count + due.new.count + due.long.count === 1)
        const claimed = (worker: string) =>
          Effect.map(
            Effect.zipRight(sql`UPDATE cluster_accounts SET next_at = now()`, ledger.claim(worker, many)),
            ([claim]) => claim!
          )
        const ask = sql`UPDATE cluster_accounts SET asked_at = now(), next_at = LEAST(next_at, now())`
        const [lost, other] = [yield* join(), yield* join()]
        yield* claimed(lost)
        yield* ask
        yield* expire(lost)
        yield* members.reap(other)
        const continued = yield* claimed(other)
        yield* ledger.finish(
          other,
          continued,
          { ...done, outcome: { _tag: "CutOff", error: "gone", retryIn: settings.every } },
          settings.every
        )
        yield* ledger.finish(other, yield* claimed(other), done, settings.every)
        assert.isTrue(yield* isDue)
        yield* ledger.finish(other, yield* claimed(other), done, settings.every)
        assert.isFalse(yield* isDue)
      }),
    60_000
  )

  it.scopedLive(
    "that the database cuts off count neither as failures nor as passes, and continue in a moment",
    () =>
      Effect.gen(function*() {
        const { join, ledger, read, sql } = yield* prepared
        yield* ledger.reconcile(["acme"])
        const worker = yield* join()
        for (let times = 0; times < 3; times++) {
          yield* sql`UPDATE cluster_accounts SET next_at = now()`
          const [claim] = yield* ledger.claim(worker, many)
          assert.strictEqual(claim!.attempts, 0)
          const { outcome } = Turn.decide({ _tag: "CutOff", error: "gone" }, claim!.attempts, 0.5, backoff)
          yield* ledger.finish(worker, claim!, { ...done, outcome }, settings.every)
        }
        const { accounts, failures, hour } = yield* read
        assert.deepStrictEqual([accounts.failing, failures], [0, []])
        assert.deepStrictEqual(hour.slots.filter(({ completed, failed }) => completed + failed > 0), [])
        const [row] = yield* sql<{ readonly wait: number }>`SELECT
        extract(epoch FROM next_at - now())::float8 AS wait FROM cluster_accounts`
        assert.isAtMost(row!.wait, 3)
      }),
    60_000
  )

  it.scopedLive("are refused to a worker that has expired, was reaped, or has left", () =>
    Effect.gen(function*() {
      const { expire, join, ledger, members } = yield* prepared
      yield* ledger.reconcile(["acme"])
      const [expired, reaped, left, alive] = [yield* join(), yield* join(), yield* join(), yield* join()]
      yield* expire(reaped)
      yield* members.reap(alive)
      yield* members.leave(left)
      yield* expire(expired)
      for (const worker of [expired, reaped, left]) assert.deepStrictEqual(yield* ledger.claim(worker, many), [])
      assert.deepStrictEqual(ids(yield* ledger.claim(alive, many)), ["acme"])
    }), 60_000)

  it.scopedLive(
    "of a worker that is lost belong to others, and what it writes later changes nothing",
    () =>
      Effect.gen(function*() {
        const { expire, join, ledger, members, read, sql } = yield* prepared
        yield* ledger.reconcile(["acme"])
        const [one, other] = [yield* join(), yield* join()]
        const [first] = yield* ledger.claim(one, many)
        yield* expire(one)
        yield* sql`UPDATE cluster_accounts SET next_at = now() - interval '1 hour'`
        // Since it was lost, whether or not there is anybody who notices.
        yield* sql`UPDATE cluster_workers SET alive_until = now() - interval '10 minutes' WHERE id = ${one}::uuid`
        const { due, longestDue, working } = (yield* read).accounts
        assert.deepStrictEqual([working, due], [0, 1])
        assert.isAtLeast(longestDue, 600)
        assert.isBelow(longestDue, 700)
        yield* members.reap(other)
        const [second] = yield* ledger.claim(other, many)
        assert.isAbove(second!.turn, first!.turn)
        const row = sql`SELECT * FROM cluster_accounts`
        const before = yield* row
        yield* ledger.finish(one, first!, done, settings.every)
        yield* ledger.finish(one, second!, done, settings.every)
        yield* ledger.finish(other, first!, done, settings.every)
        yield* ledger.returned(one, [first!, second!])
        yield* members.leave(one)
        assert.deepStrictEqual(yield* row, before)
        assert.isFalse((yield* members.beat(one, 1)).isAlive)
        yield* ledger.finish(other, second!, done, settings.every)
        assert.strictEqual((yield* read).accounts.neverCopied, 0)
      }),
    60_000
  )
})

import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Dice } from "@mailstream/testing/Dice"
import { Context, Effect, Layer } from "effect"
import * as Ledger from "../src/internal/ledger.ts"
import * as Members from "../src/internal/members.ts"
import { prepared, settings } from "./support/tables.ts"

/** What a worker believes. It believes nothing any more once it has been told that it is lost. */
interface Believer {
  readonly id: string
  isLost: boolean
  /** Whether its time has passed since the database has confirmed it. */
  isExpired: boolean
  readonly turns: Map<string, Ledger.Claim>
}

const accounts = Array.from({ length: 12 }, (_, n) => `account-${n}`)
const outcomes: ReadonlyArray<Ledger.Ending["outcome"]> = [
  { _tag: "Done", counts: { created: 0, updated: 0, deleted: 0 } },
  { _tag: "Yielded" },
  { _tag: "Stopped" }
]

describe("workers that do anything at any moment", () => {
  it.scopedLive.each([1, 2, 3])(
    "never have an account together, and lose none, with dice %i",
    (seed) =>
      Effect.gen(function*() {
        const { names, sql: plain, url } = yield* prepared
        const client = PgClient.layer({ url, maxConnections: 6 })
        const sql = Context.get(yield* Layer.build(client), PgClient.PgClient)
        const [members, ledger] = [Members.make(sql, names), Ledger.make(sql, names)]
        const dice = new Dice(seed, 1)
        const workers: Array<Believer> = []
        /** All turns that were ever claimed: each by one worker. */
        const claimed = new Set<string>()
        yield* ledger.reconcile(accounts)

        const join = Effect.map(members.join(settings, 0), (id) => {
          workers.push({ id, isLost: false, isExpired: false, turns: new Map() })
        })
        /** Those whose time passes while others do something else, perhaps after they have been confirmed. */
        const expiring = new Set<Believer>()
        const expire = (worker: Believer) => {
          expiring.add(worker)
          return sql`UPDATE cluster_workers SET alive_until = clock_timestamp() - interval '1 ms'
          WHERE id = ${worker.id}::uuid AND gone_at IS NULL`
        }
        const lose = (worker: Believer) => {
          worker.isLost = true
          worker.turns.clear()
        }
        const beat = (worker: Believer) =>
          Effect.map(members.beat(worker.id, 1), ({ isAlive }) => {
            if (!isAlive) lose(worker)
            worker.isExpired = false
          })
        const claim = (worker: Believer) =>
          Effect.map(
            ledger.claim(worker.id, { short: dice.below(4), new: dice.below(4), long: dice.below(4) }),
            (claims) => {
              for (const claim of claims) {
                assert.isFalse(claimed.has(`${claim.id} ${claim.turn}`), "a turn was claimed twice")
                claimed.add(`${claim.id} ${claim.turn}`)
                worker.turns.set(claim.id, claim)
              }
            }
          )
        const finish = (worker: Believer) => {
          const claim = [...worker.turns.values()].at(dice.below(Math.max(1, worker.turns.size)))
          if (claim === undefined) return Effect.void
          const ending = { outcome: dice.pick(outcomes), kind: dice.pick(["short", "new", "long"] as const), spent: 1 }
          worker.turns.delete(claim.id)
          return Effect.zipRight(
            ledger.finish(worker.id, claim, ending, settings.every),
            sql`UPDATE cluster_accounts SET next_at = now() WHERE id = ${claim.id}`
          )
        }
        const reap = (worker: Believer) =>
          Effect.map(members.reap(worker.id), (held) => {
            for (const { id, isWanted } of held) if (!isWanted) worker.turns.delete(id)
          })
        const leave = (worker: Believer) => Effect.map(members.leave(worker.id), () => lose(worker))
        const change = Effect.suspend(() =>
          dice.chance(0.5)
            ? Effect.zipRight(ledger.reconcile(accounts.filter(() => dice.chance(0.8))), ledger.sweep)
            : sql`UPDATE cluster_accounts SET paused_at = CASE WHEN paused_at IS NULL THEN now() END WHERE id = ${
              dice.pick(accounts)
            }`
        )
        const any = Effect.suspend((): Effect.Effect<unknown, unknown> => {
          const worker = dice.pick(workers)
          const action = dice.pick([claim, claim, claim, beat, beat, reap, reap, finish, finish, expire, leave])
          return dice.chance(0.1) ? join : dice.chance(0.1) ? change : action(worker)
        })

        /** What the database says about those that are alive has to be what they believe, but for what they have not heard yet. */
        const check = Effect.gen(function*() {
          const rows = yield* plain<{ id: string; turn: number; worker: string }>`SELECT id,
          turn::float8 AS turn, worker::text AS worker FROM cluster_accounts WHERE worker IS NOT NULL`
          const alive = workers.filter(({ isExpired, isLost }) => !isLost && !isExpired)
          for (const { id: worker, turns } of alive) {
            for (const { id, turn } of turns.values()) {
              assert.isTrue(
                rows.some((row) => row.id === id && row.turn === turn && row.worker === worker),
                `${id} was taken from a worker that is alive`
              )
            }
          }
        })

        yield* Effect.zipRight(join, join)
        for (let round = 0; round < 150; round++) {
          yield* Effect.all(Array.from({ length: 1 + dice.below(5) }, () => any), {
            concurrency: "unbounded",
            discard: true
          })
          for (const worker of expiring) worker.isExpired = true
          expiring.clear()
          yield* check
        }
        // Whatever is left behind is free once all of them are gone.
        yield* ledger.reconcile(accounts)
        yield* sql`UPDATE cluster_workers SET alive_until = clock_timestamp() - interval '1 ms' WHERE gone_at IS NULL`
        const last = yield* members.join(settings, 0)
        yield* members.reap(last)
        yield* sql`UPDATE cluster_accounts SET paused_at = NULL, next_at = now()`
        const all = yield* ledger.claim(last, { short: 12, new: 12, long: 12 })
        assert.sameMembers(all.map(({ id }) => id), accounts)
      }),
    120_000
  )
})

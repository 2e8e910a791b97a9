/** What one worker does for all of them, on a real database. */
import { assert, describe, it } from "@effect/vitest"
import { Accounts, AccountsError } from "@mailstream/cluster"
import { Cause, Duration, Effect, Logger, TestClock, TestServices } from "effect"
import * as Chores from "../src/internal/chores.ts"
import * as Outage from "../src/internal/outage.ts"
import { prepared } from "./support/tables.ts"
import { until } from "./support/waiting.ts"

/** Does them for accounts that are read like this. */
const doing = (ids: (typeof Accounts.Accounts.Service)["ids"]) =>
  Effect.gen(function*() {
    const { ledger, sql } = yield* prepared
    const isFirst = yield* Effect.makeLatch(true)
    const chores = Chores.run({
      ledger,
      isFirst,
      prune: Effect.void,
      longest: Duration.hours(1),
      outage: yield* Outage.make
    })
    yield* Effect.forkScoped(
      Effect.provideService(chores, Accounts.Accounts, { ids, find: () => Effect.succeedNone })
    )
    return sql
  })

describe("the accounts of a service of one's own", () => {
  it.scopedLive("are known once each, also if they are returned twice", () =>
    Effect.gen(function*() {
      const sql = yield* doing(Effect.succeed(["globex", "acme", "globex"]))
      const known = sql<{ id: string }>`SELECT id FROM cluster_accounts ORDER BY id`
      const rows = yield* until("they are known", known, ({ length }) => length > 0)
      assert.deepStrictEqual(rows.map(({ id }) => id), ["acme", "globex"])
    }))

  it.scoped("are worth one line while they cannot be read for the same reason", () => {
    const lines: Array<string> = []
    const logger = Logger.make<unknown, void>(({ cause, message }) => {
      lines.push(`${message}: ${/tenants: .*/.exec(Cause.pretty(cause))}`)
    })
    let reason: string | undefined
    const ids = Effect.suspend(() =>
      reason === undefined
        ? Effect.succeed(["acme"])
        : Effect.fail(new AccountsError({ source: "tenants", description: reason }))
    )
    const minute = Effect.repeatN(TestClock.adjust("1 second"), 60)
    return Effect.gen(function*() {
      const sql = yield* doing(ids)
      yield* TestClock.adjust("1 second")
      const known = sql`SELECT id FROM cluster_accounts`
      yield* TestServices.provideLive(until("it is known", known, ({ length }) => length > 0))
      reason = "is locked"
      yield* minute
      reason = "is gone"
      yield* minute
      reason = undefined
      yield* minute
      reason = "is gone"
      yield* minute
      assert.deepStrictEqual(
        lines,
        ["is locked", "is gone", "is gone"].map((why) =>
          `A step for all workers failed; retrying until it succeeds: tenants: ${why}`
        )
      )
    }).pipe(Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
  })
})

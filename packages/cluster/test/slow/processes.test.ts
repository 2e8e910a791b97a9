import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Processes from "../support/processes.ts"
import { overlaps } from "../support/service.ts"
import { until } from "../support/waiting.ts"

describe("workers", () => {
  it.scopedLive("copy every account, and take over from one that was killed", () =>
    Effect.gen(function*() {
      const cluster = yield* Processes.make
      const { service, sql } = cluster
      for (let number = 1; number <= 12; number++) service.add(`account-${number}`)
      yield* cluster.writeAccounts
      const first = yield* cluster.start()
      const second = yield* cluster.start()
      const copied = sql<{ account: string; count: number }>`SELECT account, count(*)::int AS count
        FROM current_contacts GROUP BY account`
      yield* until("all accounts are copied", copied, (rows) =>
        rows.length === 12 && rows.every(({ count }) =>
          count === 20
        ))
      const owners = () => new Map(service.exchanges.map(({ account, worker }) => [account, worker]))
      yield* until("both work", Effect.sync(owners), (owners) => new Set(owners.values()).size === 2)
      yield* first.kill("SIGKILL")
      service.exchanges.length = 0
      yield* until("one has taken over", Effect.sync(owners), (owners) =>
        owners.size === 12 && [...owners.values()].every((worker) =>
          worker === second.name
        ))
      assert.deepStrictEqual(overlaps(service), [])
    }), 60_000)
})

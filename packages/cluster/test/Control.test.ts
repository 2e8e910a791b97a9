import { SqlClient } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import { Control } from "@mailstream/cluster"
import { down } from "@mailstream/testing/Sample"
import { Effect } from "effect"
import * as Inside from "./support/inside.ts"
import { database, make, status } from "./support/processes.ts"
import { prepared } from "./support/tables.ts"
import { until } from "./support/waiting.ts"

describe("an account", () => {
  it.scopedLive("is paused in the middle of a pass, and resumed from there", () =>
    Effect.gen(function*() {
      const cluster = yield* make
      const { service, sql } = cluster
      const run = Effect.provideService(SqlClient.SqlClient, sql)
      service.add("acme", { topics: down(1000, 1), delay: 300 })
      yield* cluster.writeAccounts
      yield* Inside.start(cluster, { every: "1 hour" })
      yield* until("it is in a pass", Effect.sync(() => service.exchanges.length), (count) => count >= 3)
      yield* run(Control.pause("acme"))
      yield* until("it is stopped", status(cluster), ({ accounts }) =>
        accounts.working === 0 && accounts.paused === 1, "4 seconds")
      const requests = service.exchanges.length
      yield* run(Control.syncNow("acme"))
      yield* Effect.sleep("2 seconds")
      assert.strictEqual(service.exchanges.length, requests)
      yield* run(Control.resume("acme"))
      yield* until("it is copied", status(cluster), ({ accounts }) =>
        accounts.neverCopied === 0)
      const paths = service.exchanges.map(({ path }) =>
        path
      )
      assert.isAtMost(paths.length - new Set(paths).size, 2)
      assert.strictEqual((yield* status(cluster)).accounts.paused, 0)
    }), 60_000)

  it.scopedLive("is copied now when it is asked for, however long it would have waited", () =>
    Effect.gen(function*() {
      const cluster = yield* make
      const { service, sql } = cluster
      const run = Effect.provideService(SqlClient.SqlClient, sql)
      const acme = service.add("acme", { isRefused: true })
      yield* cluster.writeAccounts
      yield* Inside.start(cluster, { every: "1 hour", minBackoff: "1 hour" })
      yield* until("it has failed", status(cluster), ({ accounts }) => accounts.failing === 1)
      acme.isRefused = false
      yield* run(Control.syncNow("acme"))
      yield* until("it is copied", status(cluster), ({ accounts }) => accounts.neverCopied === 0)
      // In a pass, another one follows.
      Object.assign(acme, { contacts: down(21, 1), topics: down(300, 1), delay: 500 })
      yield* run(Control.syncNow("acme"))
      yield* until("it is in a pass", status(cluster), ({ accounts }) => accounts.working === 1)
      yield* run(Control.syncNow("acme"))
      yield* until("both have ended", status(cluster), ({ accounts, passes }) =>
        accounts.working === 0 && passes.slots.reduce((sum, { completed }) =>
            sum + completed, 0) === 3)
    }), 60_000)

  it.scopedLive("has to be there", () =>
    Effect.gen(function*() {
      const { ledger, run } = yield* prepared
      yield* ledger.reconcile(["acme", "gone"])
      yield* ledger.reconcile(["acme"])
      for (const change of [Control.pause, Control.resume, Control.syncNow]) {
        yield* run(change("acme"))
        for (const id of ["other", "gone"]) {
          const error = yield* Effect.flip(run(change(id)))
          assert(error._tag === "UnknownAccount")
          assert.include(error.message, `There is no account "${id}"`)
        }
      }
      const { sql } = yield* database
      const error = yield* Effect.flip(Effect.provideService(Control.pause("acme"), SqlClient.SqlClient, sql))
      assert.strictEqual(error._tag, "NoCluster")
    }), 60_000)
})

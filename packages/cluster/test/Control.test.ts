import { SqlClient } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import { AccountsTable, Control, Status } from "@mailstream/cluster"
import { Mirror } from "@mailstream/mirror"
import { contacts } from "@mailstream/stream"
import { down } from "@mailstream/testing/Sample"
import { Effect, Redacted } from "effect"
import { dump } from "./support/dump.ts"
import * as Inside from "./support/inside.ts"
import { copies, database, make, status } from "./support/processes.ts"
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
      const all = service.exchanges.map(({ path }) =>
        path
      )
      // Another pass follows, which was asked for.
      const paths = all.slice(0, Math.max(...all.map((path) => all.indexOf(path))) + 1)
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

  it.scopedLive("is changed with others, or not at all if one of them is unknown", () =>
    Effect.gen(function*() {
      const { ledger, run, sql } = yield* prepared
      const ids = ["acme", "globex", "initech"]
      yield* ledger.reconcile(ids)
      const paused = Effect.map(
        sql<{ id: string }>`SELECT id FROM cluster_accounts WHERE paused_at IS NOT NULL ORDER BY id`,
        (rows) => rows.map(({ id }) => id)
      )
      const error = yield* Effect.flip(run(Control.pause(["acme", "x", "globex", "\u0000"])))
      assert(error._tag === "UnknownAccount")
      assert.include(error.message, "There are no accounts \"x\", \"\u0000\" in this cluster; nothing was changed.")
      assert.deepStrictEqual(yield* paused, [])
      yield* run(Control.pause(["globex", "acme", "globex"]))
      assert.deepStrictEqual(yield* paused, ["acme", "globex"])
      yield* run(Control.pause([]))
      yield* sql`UPDATE cluster_accounts SET next_at = now() + interval '1 hour'`
      yield* run(Control.syncNow(["initech", "acme"], { maxDeleted: 1 }))
      assert.deepStrictEqual(
        yield* sql`SELECT id, max_deleted FROM cluster_accounts WHERE next_at <= now() ORDER BY id`,
        [{ id: "acme", max_deleted: 1 }, { id: "initech", max_deleted: 1 }]
      )
      const unknown = yield* Effect.flip(run(Control.resume(["acme", "x"])))
      assert.match(unknown.message, /^There is no account "x" in this cluster/)
      yield* run(Control.resume(ids))
      assert.deepStrictEqual(yield* paused, [])
    }), 60_000)

  it.scopedLive("may lose most of a list once, if that is allowed", () =>
    Effect.gen(function*() {
      const cluster = yield* make
      const { service, sql } = cluster
      const run = Effect.provideService(SqlClient.SqlClient, sql)
      const acme = service.add("acme")
      const other = service.add("globex")
      yield* cluster.writeAccounts
      yield* Inside.start(cluster, { every: "1 hour", minBackoff: "1 hour" })
      const look = run(Status.account("acme"))
      const all = run(Effect.all([Status.account("acme"), Status.account("globex")]))
      yield* until("both are copied", status(cluster), ({ accounts }) =>
        accounts.total === 2 && accounts.neverCopied === 0)
      const lose = (keep: number) => {
        for (const tenant of [acme, other]) {
          tenant.contacts = tenant.contacts.slice(0, keep)
        }
      }
      lose(2)
      yield* run(Effect.all([Control.syncNow("acme"), Control.syncNow("globex")]))
      yield* until("both are refused", all, (all) =>
        all.every(({ error = "" }) =>
          error.includes("maxDeleted")
        ))
      const { error: refusal } = yield* look
      assert.include(
        refusal,
        "(To let one pass delete them: mailstream cluster accounts sync --id acme --max-deleted 1)"
      )
      yield* run(Control.syncNow("acme", { maxDeleted: 1 }))
      const { maxDeleted, passes } = yield* until("it is copied", look, ({ attempts }) => attempts === 0)
      assert.strictEqual(maxDeleted, undefined)
      assert.lengthOf(passes, 3)
      assert.deepInclude(passes[0], { created: 0, updated: 0, deleted: 18 })
      assert.include(passes[1]?.error, "no longer lists")
      assert.deepInclude(passes[2], { created: 20, updated: 0, deleted: 0 })
      // It was for that pass alone, and for no other account.
      lose(0)
      yield* run(Control.syncNow("acme"))
      yield* until("it is refused again", look, ({ error = "" }) => error.includes("maxDeleted"))
      assert.include((yield* run(Status.account("globex"))).error, "maxDeleted")
      const wrong = yield* Effect.flip(run(Control.syncNow("acme", { maxDeleted: 2 })))
      assert.strictEqual(wrong._tag, "InvalidOption")
    }), 60_000)

  it.scopedLive(
    "is erased with everything that it left in any table, once nobody copies it any more",
    () =>
      Effect.gen(function*() {
        const cluster = yield* make
        const { service, sql, url } = cluster
        const run = Effect.provideService(SqlClient.SqlClient, sql)
        service.add("acme")
        yield* cluster.writeAccounts
        const others = (text: string) => text.split("\n").filter((line) => line.includes("acme")).sort()
        yield* Effect.scoped(Effect.gen(function*() {
          yield* Inside.start(cluster)
          yield* until("it is copied", status(cluster), ({ accounts }) => accounts.neverCopied === 0)
        }))
        const before = others(yield* dump(sql))
        const secret = "erased-account"
        service.add(secret, { contacts: down(300, 1), topics: down(300, 1), delay: 100 })
        yield* cluster.writeAccounts
        const keys = [{ version: 1, key: Redacted.make(Buffer.alloc(32, 7).toString("base64")) }]
        yield* Effect.flatMap(
          AccountsTable.AccountsTable,
          (table) => table.add({ id: secret, apiKey: Redacted.make("re_secret") })
        ).pipe(
          Effect.provide(AccountsTable.layer({ keys })),
          run
        )
        yield* Inside.start({ ...cluster, url }, { every: "1 hour" })
        const look = run(Status.account(secret))
        yield* until("it is copied", status(cluster), ({ accounts }) =>
          accounts.total === 2 && accounts.neverCopied === 0)
        yield* Effect.gen(function*() {
          const mirror = yield* Effect.flatMap(Mirror.Mirror, (mirror) =>
            mirror.forAccount(secret))
          yield* mirror.process(contacts, "crm", () =>
            Effect.void)
        }).pipe(Effect.provide(Mirror.layer()), run)
        yield* run(Control.syncNow(secret, { maxDeleted: 1 }))
        yield* until("it is in a pass", look, ({ worker }) => worker !== undefined)
        service.tenants.delete(secret)
        yield* cluster.writeAccounts
        const erased = yield* run(Control.erase(secret))
        assert.includeMembers(erased.map(({ table }) => table), [
          "cluster_keys",
          "contacts",
          "topics",
          "mirror_lists",
          "mirror_changes",
          "mirror_consumers"
        ])
        assert.deepInclude(erased, { table: "contacts", rows: 300 })
        const left = yield* dump(sql)
        assert.notInclude(left, secret)
        const withoutTimes = (lines: ReadonlyArray<string>) => lines.filter((line) => !line.startsWith("(acme,"))
        assert.deepStrictEqual(withoutTimes(others(left)), withoutTimes(before))
        const again = yield* Effect.flip(run(Control.erase(secret)))
        assert.strictEqual(again._tag, "UnknownAccount")
      }),
    90_000
  )

  it.scopedLive("is not erased as long as workers copy it", () =>
    Effect.gen(function*() {
      const cluster = yield* make
      const { service, sql } = cluster
      const run = Effect.provideService(SqlClient.SqlClient, sql)
      service.add("acme")
      yield* cluster.writeAccounts
      yield* Inside.start(cluster)
      yield* until(
        "it is copied",
        status(cluster),
        ({ accounts }) => accounts.total === 1 && accounts.neverCopied === 0
      )
      const error = yield* Effect.flip(run(Control.erase("acme")))
      assert.strictEqual(error._tag, "AccountInUse")
      assert.include(error.message, "Remove it from where they read their accounts")
      assert.isAbove((yield* copies(cluster))["acme"] ?? 0, 0)
    }), 90_000)
})

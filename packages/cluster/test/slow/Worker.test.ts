import { assert, describe, it } from "@effect/vitest"
import type { Worker } from "@mailstream/cluster"
import * as Port from "@mailstream/testing/Port"
import { down } from "@mailstream/testing/Sample"
import { Effect } from "effect"
import * as Inside from "../support/inside.ts"
import { type Cluster, copies, make, status } from "../support/processes.ts"
import { until } from "../support/waiting.ts"

/** A cluster with one account. */
const withAcme = Effect.gen(function*() {
  const cluster = yield* make
  cluster.service.add("acme")
  yield* cluster.writeAccounts
  return cluster
})

/** Starts a worker, and waits until all accounts are copied and nothing is left to do. */
const copiedOnce = (cluster: Cluster, options: Worker.Options = {}) =>
  Effect.zipRight(
    Inside.start(cluster, { every: "1 hour", ...options }),
    until("all are copied", status(cluster), ({ accounts, messages }) =>
      accounts.total > 0 && accounts.neverCopied === 0 && messages.unprocessed === 0)
  )

describe("a worker", () => {
  it.scopedLive(
    "begins to copy accounts that are added, and stops copying those that are removed, also in a pass",
    () =>
      Effect.gen(function*() {
        const cluster = yield* make
        const { service } = cluster
        service.add("acme")
        yield* cluster.writeAccounts
        yield* Inside.start(cluster, { every: "1 second" })
        yield* until("the first is copied", copies(cluster), ({ acme }) => acme === 20)
        service.add("slow", { topics: down(3000, 1), delay: 500 })
        yield* cluster.writeAccounts
        yield* until("the second is being copied", status(cluster), ({ accounts }) =>
          accounts.total === 2 && service.exchanges.some(({ account }) =>
            account === "slow"
          ))
        service.tenants.delete("acme")
        const { apiKey } = service.tenants.get("slow")!
        service.tenants.delete("slow")
        yield* cluster.writeAccounts
        yield* until("both are removed", status(cluster), ({ accounts, messages }) =>
          accounts.total === 0 && messages.unprocessed === 0)
        const asked = service.exchanges.length
        // Once an account that was added is copied again, the removed ones would have been due.
        service.add("added")
        yield* cluster.writeAccounts
        const askedFor = (id: string) =>
          service.exchanges.filter(({ account }) =>
            account === id
          ).length
        yield* until("another one is copied again", Effect.sync(() => askedFor("added")), (count) => count >= 5)
        assert.strictEqual(service.exchanges.length - askedFor("added"), asked)
        // The copy is kept, and an account that comes back is copied again.
        assert.strictEqual((yield* copies(cluster))["acme"], 20)
        service.add("slow", { apiKey, contacts: down(30, 1) })
        yield* cluster.writeAccounts
        yield* until("it is back", copies(cluster), ({ slow }) => slow === 30)
      }),
    60_000
  )

  it.scopedLive("is not kept from small accounts by large ones", () =>
    Effect.gen(function*() {
      const cluster = yield* make
      const { service } = cluster
      // Three passes that take minutes, and room for two.
      for (const id of ["a", "b", "c"]) service.add(`large-${id}`, { topics: down(5000, 1), delay: 1000 })
      yield* cluster.writeAccounts
      yield* Inside.start(cluster, { maxAccounts: 2, slice: "4 seconds", every: "1 hour", pageSize: 10 })
      yield* until("the large ones are at work", status(cluster), ({ accounts }) => accounts.working === 2)
      for (let n = 0; n < 30; n++) service.add(`small-${n}`)
      yield* cluster.writeAccounts
      yield* until("the small ones are copied", copies(cluster), (found) =>
        Object.keys(found).filter((id) =>
          id.startsWith("small")
        ).length === 30, "60 seconds")
      const { accounts } = yield* status(cluster)
      assert.isAtLeast(accounts.neverCopied, 3)
    }), 120_000)

  it.scopedLive("starts on an empty database together with others", () =>
    Effect.gen(function*() {
      const cluster = yield* make
      cluster.service.add("acme")
      yield* cluster.writeAccounts
      yield* Effect.forEach([1, 2, 3, 4], () => Inside.start(cluster), { concurrency: "unbounded" })
      yield* until("they share the shards", status(cluster), ({ runners }) =>
        runners.length === 4 && runners.every(({ shards }) =>
          shards > 0
        ))
      yield* until("it is copied", copies(cluster), ({ acme }) => acme === 20)
    }), 60_000)

  it.scopedLive(
    "continues at once when another worker made a last commit before it stopped",
    () =>
      Effect.gen(function*() {
        const cluster = yield* make
        const { service, sql } = cluster
        service.add("acme", { topics: down(1000, 1), delay: 300 })
        yield* cluster.writeAccounts
        yield* Inside.start(cluster, { every: "1 hour" })
        yield* until("it is in a pass", Effect.sync(() => service.exchanges.length), (count) => count >= 4)
        // What such a commit changes that the one that continues already knew.
        yield* sql`UPDATE mirror_lists SET version = version + 1 WHERE list = 'topics'`
        yield* until(
          "it is copied",
          status(cluster),
          ({ accounts }) => accounts.total === 1 && accounts.neverCopied === 0
        )
      }),
    60_000
  )

  it.scopedLive("gives a turn away again that no worker has received", () =>
    Effect.gen(function*() {
      const cluster = yield* withAcme
      const { service, sql } = cluster
      yield* Effect.scoped(copiedOnce(cluster))
      // As if a worker had been notified that has read the message, and then forgot it.
      service.tenants.get("acme")!.contacts = down(21, 1)
      yield* sql`UPDATE cluster_accounts SET next_at = now(), notified_at = now() - interval '1 hour', runner = 'gone:1'`
      yield* Inside.start(cluster, { every: "1 hour" })
      yield* until("it is copied again", copies(cluster), ({ acme }) => acme === 21)
    }), 60_000)

  it.scopedLive("is neither healthy nor at work once it is lost", () =>
    Effect.gen(function*() {
      const cluster = yield* withAcme
      const { sql } = cluster
      yield* Effect.scoped(copiedOnce(cluster))
      // As if it had been killed in a pass.
      yield* sql`UPDATE cluster_accounts SET notified_at = now(), runner = 'gone:1', is_working = true`
      const left = yield* status(cluster)
      assert.deepStrictEqual([left.runners, left.accounts.working], [[], 0])
      const silent = (seconds: number) =>
        sql`INSERT INTO cluster_runners (address, runner, healthy, last_heartbeat)
          VALUES (${`gone:${seconds}`}, '{}', true, now() - ${`${seconds} seconds`}::interval)`
      yield* Effect.zipRight(silent(1), silent(60))
      const { accounts, runners } = yield* status(cluster)
      assert.deepStrictEqual(
        runners.map(({ address, isHealthy }) => [address, isHealthy]),
        [["gone:1", true], ["gone:60", false]]
      )
      assert.strictEqual(accounts.working, 1)
    }), 60_000)

  it.scopedLive("gives a turn back that it has received and lost", () =>
    Effect.gen(function*() {
      const cluster = yield* withAcme
      const { service, sql } = cluster
      const [port = 0] = yield* Effect.promise(() => Port.free(1))
      yield* copiedOnce(cluster, { port })
      // As if it had received the turn, and its connection had broken.
      service.tenants.get("acme")!.contacts = down(21, 1)
      yield* sql`UPDATE cluster_accounts SET next_at = now(), notified_at = now(), runner = ${`127.0.0.1:${port}`}`
      yield* until("it is copied again", copies(cluster), ({ acme }) => acme === 21)
    }), 60_000)
})

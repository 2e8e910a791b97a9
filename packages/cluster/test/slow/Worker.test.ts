import { assert, describe, it } from "@effect/vitest"
import { down } from "@mailstream/testing/Sample"
import { Effect } from "effect"
import * as Inside from "../support/inside.ts"
import { copies, make, status } from "../support/processes.ts"
import { lateness, until } from "../support/waiting.ts"

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
        yield* until("both are removed", status(cluster), ({ accounts }) => accounts.total === 0)
        const asked = service.exchanges.length
        // Once an account that was added is copied again, the removed ones would have been due.
        service.add("added")
        yield* cluster.writeAccounts
        const askedFor = (id: string) => service.exchanges.filter(({ account }) => account === id).length
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

  it.scopedLive("lets small accounts wait for no large ones, however many there are", () =>
    Effect.gen(function*() {
      const cluster = yield* make
      const { service, sql } = cluster
      for (let n = 0; n < 5; n++) service.add(`small-${n}`)
      yield* cluster.writeAccounts
      yield* Inside.start(cluster, { maxAccounts: 4, slice: "5 seconds", every: "3 seconds", pageSize: 10 })
      yield* until("the small ones are copied", status(cluster), ({ accounts }) =>
        accounts.total === 5 && accounts.neverCopied === 0)
      // Each takes minutes.
      for (let n = 0; n < 20; n++) {
        service.add(`large-${n}`, { topics: down(5000, 1), delay: 300 })
      }
      yield* cluster.writeAccounts
      yield* until("they have taken turns", status(cluster), ({ accounts }) =>
        accounts.longestDue > 3)
      yield* sql`CREATE TABLE waits (account text, wait float8)`
      yield* sql`CREATE FUNCTION note_wait() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN INSERT INTO waits
        VALUES (NEW.id, extract(epoch FROM now() - OLD.next_at)); RETURN NULL; END'`
      yield* sql`CREATE TRIGGER noted AFTER UPDATE ON cluster_accounts FOR EACH ROW
        WHEN (OLD.worker IS NULL AND NEW.worker IS NOT NULL) EXECUTE FUNCTION note_wait()`
      const late = yield* lateness(sql)
      yield* Effect.sleep("15 seconds")
      const waits = yield* sql<
        { account: string; count: number; longest: number }
      >`SELECT account, count(*)::int AS count,
        max(wait) AS longest FROM waits GROUP BY account`
      const small = waits.filter(({ account }) =>
        account.startsWith("small")
      )
      assert.lengthOf(small, 5)
      const counts = small.map(({ count }) => count)
      assert.isAtLeast(Math.min(...counts), 2)
      // A look every second; large ones take minutes.
      assert.isBelow(Math.max(...small.map(({ longest }) => longest)), 2.5 + late())
      assert.isAbove(waits.length, 8, "large ones take turns")
    }), 90_000)

  it.scopedLive("starts on an empty database together with others", () =>
    Effect.gen(function*() {
      const cluster = yield* make
      cluster.service.add("acme")
      yield* cluster.writeAccounts
      yield* Effect.forEach([1, 2, 3, 4], () => Inside.start(cluster), { concurrency: "unbounded" })
      yield* until("they take part", status(cluster), ({ runners }) =>
        runners.length === 4 && runners.every(({ isHealthy }) =>
          isHealthy
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

  it.scopedLive("is lost once it has expired, and has nothing in progress", () =>
    Effect.gen(function*() {
      const cluster = yield* make
      const { service, sql } = cluster
      service.add("acme", { topics: down(1000, 1), delay: 1000 })
      yield* cluster.writeAccounts
      const { kill } = yield* cluster.start({ name: "one", lockExpiration: "15 seconds" })
      yield* until("it is in a pass", status(cluster), ({ accounts }) => accounts.working === 1)
      yield* kill("SIGKILL")
      // Nobody has noticed yet.
      yield* sql`UPDATE cluster_workers SET alive_until = now()`
      const { accounts, runners } = yield* status(cluster)
      assert.deepStrictEqual(
        [accounts.working, runners.map(({ isHealthy, name, working }) => [name, isHealthy, working])],
        [0, [["one", false, 0]]]
      )
    }), 60_000)

  it.scopedLive("returns a turn that it has claimed without being told", () =>
    Effect.gen(function*() {
      const cluster = yield* make
      const { service, sql } = cluster
      service.add("acme")
      yield* cluster.writeAccounts
      yield* Inside.start(cluster, { every: "1 hour" })
      yield* until(
        "it is copied",
        status(cluster),
        ({ accounts }) => accounts.total === 1 && accounts.neverCopied === 0
      )
      service.tenants.get("acme")!.contacts = down(21, 1)
      yield* sql`UPDATE cluster_accounts SET next_at = now(), turn = turn + 1, worker = (SELECT id FROM cluster_workers)`
      yield* until("it is copied again", copies(cluster), ({ acme }) => acme === 21)
    }), 60_000)
})

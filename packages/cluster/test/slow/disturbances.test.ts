import { SqlClient } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import { AccountsTable, type Worker } from "@mailstream/cluster"
import { Dice } from "@mailstream/testing/Dice"
import { down, idOf } from "@mailstream/testing/Sample"
import * as Tcp from "@mailstream/testing/Tcp"
import { ConfigProvider, Effect, Redacted } from "effect"
import { dump } from "../support/dump.ts"
import * as Processes from "../support/processes.ts"
import { overlaps } from "../support/service.ts"
import { until } from "../support/waiting.ts"

const ids = (count: number): ReadonlyArray<string> => Array.from({ length: count }, (_, n) => `account-${n}`)

/** A cluster with accounts. */
const setup = (count: number) =>
  Effect.gen(function*() {
    const cluster = yield* Processes.make
    for (const id of ids(count)) cluster.service.add(id)
    yield* cluster.writeAccounts
    const { service, sql } = cluster
    const status = Processes.status(cluster)
    /** Who asks for each account, since the requests were last forgotten. */
    const owners = Effect.sync(() => new Map(service.exchanges.map(({ account, worker }) => [account, worker])))
    /** Waits until these workers, and no others, ask for all accounts from now on. */
    const workedBy = (...workers: ReadonlyArray<Processes.RunningWorker>) =>
      Effect.suspend(() => {
        service.exchanges.length = 0
        return until("they work for all accounts", Effect.zip(owners, status), ([owners]) =>
          owners.size === count && new Set(owners.values()).size === workers.length &&
          workers.every(({ name }) => [...owners.values()].includes(name)), "60 seconds")
      })
    /** The accounts whose copy is not what the service lists. */
    const differences = Effect.map(
      sql<{ account: string; ids: ReadonlyArray<string> }>`SELECT account, array_agg(id ORDER BY id) AS ids FROM (
        SELECT account, 'contact ' || id AS id FROM current_contacts
        UNION ALL SELECT account, 'topic ' || id FROM current_topics
      ) AS items GROUP BY account`,
      (rows) => {
        const copied = new Map(rows.map(({ account, ids }) => [account, ids.join()]))
        return [...service.tenants.values()].filter(({ contacts, id, topics }) => {
          const listed = [
            ...contacts.map((n) =>
              `contact ${idOf(n)}`
            ),
            ...topics.map((n) => `topic ${idOf(n)}`)
          ]
          return (copied.get(id) ?? "") !== listed.sort().join()
        }).map(({ id }) => id)
      }
    )
    const copied = until("everything is copied", Effect.zip(differences, status), ([differences]) =>
      differences.length === 0, "60 seconds")
    return { ...cluster, status, owners, workedBy, differences, copied }
  })

describe("workers that come and go", () => {
  it.scopedLive(
    "hand their accounts over in the middle of their passes when they are asked to stop",
    () =>
      Effect.gen(function*() {
        const { copied, differences, service, start, status, workedBy } = yield* setup(10)
        const [first, second] = [yield* start(), yield* start()]
        yield* workedBy(first, second)
        // Passes of half a minute.
        for (const tenant of service.tenants.values()) Object.assign(tenant, { topics: down(3000, 1), delay: 1000 })
        yield* until("passes are in progress", status, ({ accounts }) => accounts.working >= 8)
        yield* first.kill("SIGTERM")
        const { code } = yield* first.finished
        assert.include([0, 130, 143], code)
        // It did not wait for the end of its passes.
        assert.strictEqual((yield* differences).length, 10)
        for (const tenant of service.tenants.values()) tenant.delay = 0
        yield* workedBy(second)
        yield* copied
        assert.deepStrictEqual(overlaps(service), [])
      }),
    180_000
  )

  it.scopedLive(
    "write nothing stale, and ask for nothing, when they wake up after a pause",
    () =>
      Effect.gen(function*() {
        // With few accounts, one of the two workers might get none.
        const { differences, service, sql, start, status, workedBy } = yield* setup(12)
        const [first, second] = [yield* start(), yield* start()]
        yield* workedBy(first, second)
        for (const tenant of service.tenants.values()) Object.assign(tenant, { topics: down(2000, 1), delay: 300 })
        yield* until("passes are in progress", status, ({ accounts }) => accounts.working >= 4)
        yield* first.kill("SIGSTOP")
        yield* workedBy(second)
        // What the paused one still knows is wrong by now.
        for (const tenant of service.tenants.values()) {
          Object.assign(tenant, { contacts: down(20, 11), topics: down(1500, 1), delay: 0 })
        }
        yield* until("the second has copied everything", differences, (found) => found.length === 0, "60 seconds")
        service.exchanges.length = 0
        yield* first.kill("SIGCONT")
        yield* workedBy(first, second)
        assert.deepStrictEqual(overlaps(service), [])
        assert.deepStrictEqual(yield* differences, [])
        const revived = yield* sql`SELECT account FROM mirror_changes WHERE kind = 'Created'
        GROUP BY account, list, id HAVING count(*) > 1`
        assert.deepStrictEqual(revived, [])
      }),
    180_000
  )

  it.scopedLive("are all replaced, one after the other, without a difference", () =>
    Effect.gen(function*() {
      const { copied, service, start, workedBy } = yield* setup(20)
      let workers = [yield* start(), yield* start(), yield* start()]
      yield* workedBy(...workers)
      for (let round = 0; round < 3; round++) {
        const [oldest, ...others] = workers
        const added = yield* start()
        for (const tenant of service.tenants.values()) tenant.contacts = down(25 + round, 2 + round)
        yield* oldest!.kill("SIGTERM")
        yield* oldest!.finished
        workers = [...others, added]
      }
      yield* workedBy(...workers)
      yield* copied
      assert.deepStrictEqual(overlaps(service), [])
    }), 180_000)

  it.scopedLive("stop when they lose the database, and take part again when it is back", () =>
    Effect.gen(function*() {
      const { copied, service, start, url, workedBy } = yield* setup(10)
      const direct = new URL(Redacted.value(url))
      const network = yield* Tcp.make(direct.hostname, Number(direct.port))
      const behind = Object.assign(new URL(direct), { port: String(network.port) }).href
      const [first, second] = [yield* start({}, { DATABASE: behind }), yield* start()]
      yield* workedBy(first, second)
      for (const tenant of service.tenants.values()) Object.assign(tenant, { topics: down(500, 1), delay: 100 })
      yield* network.freeze
      yield* workedBy(second)
      const probe = (path: string) =>
        Effect.promise(() => fetch(`${first.healthUrl}${path}`).then(({ status }) => status))
      assert.strictEqual(yield* probe("/health/ready"), 503)
      assert.strictEqual(yield* probe("/health/live"), 200)
      yield* network.thaw
      yield* workedBy(first, second)
      yield* until("it is ready again", probe("/health/ready"), (status) => status === 200)
      yield* copied
      assert.deepStrictEqual(overlaps(service), [])
    }), 180_000)

  it.scopedLive("are killed at random, and leave no difference", () =>
    Effect.gen(function*() {
      const { copied, service, start, workedBy } = yield* setup(20)
      const dice = new Dice(1, 1)
      let workers = [yield* start(), yield* start()]
      yield* workedBy(...workers)
      for (let round = 0; round < 6; round++) {
        for (const tenant of service.tenants.values()) {
          Object.assign(tenant, { contacts: down(30 + round, 5 + round), topics: down(200 + round, round + 1) })
        }
        // At a moment that the dice choose: somewhere in the passes of this round.
        const requests = service.exchanges.length + dice.below(100)
        yield* until("some requests", Effect.sync(() => service.exchanges.length), (count) => count >= requests)
        const victim = dice.pick(workers)
        yield* victim.kill("SIGKILL")
        workers = [...workers.filter((worker) => worker !== victim), yield* start()]
      }
      yield* workedBy(...workers)
      yield* copied
      assert.deepStrictEqual(overlaps(service), [])
    }), 180_000)

  it.scopedLive("send nothing that waited for its turn during a pause", () =>
    Effect.gen(function*() {
      const { differences, service, start, status } = yield* setup(6)
      for (const tenant of service.tenants.values()) tenant.topics = down(100, 1)
      // Each has places for half of the accounts.
      const options: Worker.Options = {
        every: "1 hour",
        maxAccounts: 3,
        pageSize: 10,
        rateLimit: { requests: 1, per: "1 second" }
      }
      const [first, second] = [yield* start(options), yield* start(options)]
      const asked = ({ name }: Processes.RunningWorker) =>
        service.exchanges.filter(({ path, worker }) => worker === name && path.startsWith("/topics")).length
      yield* until("both are in a pass", Effect.sync(() => [asked(first), asked(second)]), (counts) =>
        counts.every((count) =>
          count >= 2
        ))
      yield* first.kill("SIGSTOP")
      yield* until("the second has copied everything", differences, (found) => found.length === 0, "60 seconds")
      yield* until("nothing is left to do", status, ({ accounts }) => accounts.neverCopied === 0)
      service.exchanges.length = 0
      yield* first.kill("SIGCONT")
      yield* until("it takes part again", status, ({ runners }) =>
        runners.length === 2 && runners.every(({ isHealthy }) =>
          isHealthy
        ))
      assert.deepStrictEqual(service.exchanges, [])
    }), 180_000)

  it.scopedLive(
    "keep keys out of the database and their output, with accounts in the encrypted table",
    () =>
      Effect.gen(function*() {
        const { service, sql, start, status } = yield* setup(0)
        const encryption = `1:${Buffer.alloc(32, 7).toString("base64")}`
        const variables = { ACCOUNTS: "", MAILSTREAM_ENCRYPTION_KEYS: encryption }
        const worker = yield* start({ baseUrl: service.baseUrl }, variables)
        const tenant = service.add("acme")
        const wrong = service.add("wrong", { isRefused: true })
        yield* Effect.gen(function*() {
          const { add } = yield* AccountsTable.AccountsTable
          for (const { apiKey, id } of [tenant, wrong]) yield* add({ id, apiKey: Redacted.make(apiKey) })
        }).pipe(
          Effect.provide(AccountsTable.layerConfig()),
          Effect.provideService(SqlClient.SqlClient, sql),
          Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(variables))))
        )
        yield* until(
          "one is copied, and one fails",
          status,
          ({ accounts }) => accounts.total === 2 && accounts.failing === 1 && accounts.neverCopied === 1
        )
        for (const text of [worker.output(), yield* dump(sql)]) {
          assert.include(text, "acme")
          assert.notInclude(text, "re_secret")
          assert.notInclude(text, encryption.slice(2))
        }
      }),
    120_000
  )
})

import { SqlClient } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import { Database } from "@mailstream/cluster"
import { down } from "@mailstream/testing/Sample"
import * as Tcp from "@mailstream/testing/Tcp"
import { Clock, Context, Duration, Effect, Exit, Fiber, Layer, Redacted } from "effect"
import * as Processes from "../support/processes.ts"
import { overlaps } from "../support/service.ts"
import { lateness, until } from "../support/waiting.ts"

/** A cluster with accounts whose passes take long, and a worker with a network of its own to the database. */
const setup = (count: number) =>
  Effect.gen(function*() {
    const cluster = yield* Processes.make
    const { service, url } = cluster
    for (let n = 0; n < count; n++) service.add(`account-${n}`, { topics: down(5000, 1), delay: 100 })
    yield* cluster.writeAccounts
    const direct = new URL(Redacted.value(url))
    const network = yield* Tcp.make(direct.hostname, Number(direct.port))
    const DATABASE = Object.assign(new URL(direct), { port: String(network.port) }).href
    /** Starts a worker behind the network, and waits until it asks for all accounts. */
    const start = Effect.gen(function*() {
      const worker = yield* cluster.start({ every: "1 hour", pageSize: 10 }, { DATABASE })
      yield* until("it works", Effect.sync(() => asked()), (accounts) => accounts.size === count, "60 seconds")
      return worker
    })
    const asked = () => new Set(service.exchanges.map(({ account }) => account))
    /** The seconds until there are requests for all accounts, counted from now. */
    const untilAsked = Effect.gen(function*() {
      const began = yield* Clock.currentTimeMillis
      service.exchanges.length = 0
      yield* until("they are asked for", Effect.sync(asked), (accounts) => accounts.size === count)
      return ((yield* Clock.currentTimeMillis) - began) / 1000
    })
    return { ...cluster, late: yield* lateness(cluster.sql), network, start, untilAsked }
  })

const losses = {
  "refuses connections": ({ cut, refuse }: Tcp.Tcp) => Effect.zipRight(refuse, cut),
  "does not respond": ({ freeze }: Tcp.Tcp) => freeze,
  "has forgotten the connections that there are": ({ freezeOld }: Tcp.Tcp) => freezeOld
}

describe.each(Object.entries(losses))("a worker whose database %s", (_, lose) => {
  it.scopedLive.each([0, 12])(
    "ends within ten seconds of a signal, %i seconds later",
    (seconds) =>
      Effect.gen(function*() {
        const { network, start } = yield* setup(4)
        const worker = yield* start
        yield* lose(network)
        yield* Effect.sleep(`${seconds} seconds`)
        const began = yield* Clock.currentTimeMillis
        yield* worker.kill("SIGTERM")
        yield* worker.finished
        assert.isBelow((yield* Clock.currentTimeMillis) - began, 10_000)
      }),
    120_000
  )
})

describe("a worker", () => {
  it.scopedLive(
    "whose connections to the database are dead works again once its claims have expired",
    () =>
      Effect.gen(function*() {
        const { late, network, service, start, untilAsked } = yield* setup(4)
        yield* start
        yield* network.freezeOld
        // What it does on borrowed time.
        yield* Effect.sleep("5 seconds")
        const seconds = yield* untilAsked
        assert.isBelow(seconds, 10 + late())
        assert.deepStrictEqual(overlaps(service), [])
      }),
    120_000
  )

  it.scopedLive(
    "whose passes are cut off continues them in seconds, however often: none has failed",
    () =>
      Effect.gen(function*() {
        const cluster = yield* setup(4)
        const { late, sql, start, untilAsked } = cluster
        yield* start
        for (let times = 0; times < 3; times++) {
          yield* sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid()`
          assert.isBelow(yield* untilAsked, 10 + late())
        }
        const { accounts, failures, hour } = yield* Processes.status(cluster)
        assert.deepStrictEqual([accounts.failing, failures], [0, []])
        assert.strictEqual(hour.slots.reduce((sum, { failed }) => sum + failed, 0), 0)
      }),
    120_000
  )

  it.scopedLive("takes over from one that was killed as soon as its claims have expired", () =>
    Effect.gen(function*() {
      const { late, service, start, untilAsked } = yield* setup(6)
      const first = yield* start
      yield* start
      yield* first.kill("SIGKILL")
      // 4 seconds, one beat, and one look.
      assert.isBelow(yield* untilAsked, 4 + 1.4 + 1.2 + 4 + late())
      assert.deepStrictEqual(overlaps(service), [])
    }), 120_000)

  it.scopedLive(
    "that was paused in a transaction locks nothing for longer than its claims last",
    () =>
      Effect.gen(function*() {
        const { sql, url } = yield* Processes.database
        const worker = Context.get(yield* Layer.build(Database.layer({ url })), SqlClient.SqlClient)
        yield* sql`CREATE TABLE locked (id int)`
        const paused = yield* Effect.fork(
          Effect.exit(worker.withTransaction(Effect.zipRight(worker`LOCK TABLE locked`, Effect.sleep("14 seconds"))))
        )
        yield* Effect.sleep("1 second")
        const [took] = yield* Effect.timed(sql`SELECT id FROM locked`)
        assert.isBelow(Duration.toSeconds(took), 12)
        assert.isTrue(Exit.isFailure(yield* Fiber.join(paused)))
      }),
    30_000
  )

  it.scopedLive("takes over from one that was asked to stop within two seconds", () =>
    Effect.gen(function*() {
      const { late, service, start, untilAsked } = yield* setup(6)
      const first = yield* start
      yield* start
      yield* first.kill("SIGTERM")
      yield* first.finished
      assert.isBelow(yield* untilAsked, 4 + late())
      assert.deepStrictEqual(overlaps(service), [])
    }), 120_000)
})

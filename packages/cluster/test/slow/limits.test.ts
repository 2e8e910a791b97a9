import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Inside from "../support/inside.ts"
import * as Processes from "../support/processes.ts"
import { until } from "../support/waiting.ts"

/** What the machine may delay a request by, in milliseconds: the next one then comes closer. */
const tolerance = 1000

describe("a rate limit for a host", () => {
  it.scopedLive(
    "is kept by all workers together, with an equal share for each that is alive",
    () =>
      Effect.gen(function*() {
        const cluster = yield* Processes.make
        const { service, start } = cluster
        for (let n = 0; n < 8; n++) service.add(`account-${n}`)
        yield* cluster.writeAccounts
        const options = { every: "1 second", hostRateLimit: { requests: 4 } } as const
        const workers = [yield* start(options), yield* start(options)]
        const [, second] = workers
        const timesOf = (name: string) => service.exchanges.filter(({ worker }) => worker === name).map(({ at }) => at)
        /** The shortest time in which a worker sent so many requests more. */
        const shortest = (name: string, count: number) => {
          const times = timesOf(name)
          return Math.min(...times.slice(count).map((time, at) => time - times[at]!))
        }
        yield* until("both take part", Processes.status(cluster), ({ runners }) => runners.length === 2)
        // Until the next beat, the first one sends as much as before.
        yield* Effect.sleep("3 seconds")
        service.exchanges.length = 0
        yield* until(
          "both send requests",
          Effect.sync(() => workers.map(({ name }) => timesOf(name).length)),
          (counts) => counts.every((count) => count >= 9),
          "60 seconds"
        )
        for (const { name } of workers) assert.isAtLeast(shortest(name, 8), 8 * 500 - tolerance)
        yield* workers[0]!.kill("SIGTERM")
        yield* workers[0]!.finished
        yield* until(
          "the other one has all of it",
          Effect.sync(() => shortest(second!.name, 8)),
          (time) => time < 8 * 500 - tolerance,
          "60 seconds"
        )
        assert.isAtLeast(shortest(second!.name, 8), 8 * 250 - tolerance)
      }),
    180_000
  )
})

describe("what a service says about an account", () => {
  it.scopedLive("holds for its next turn", () =>
    Effect.gen(function*() {
      const cluster = yield* Processes.make
      cluster.service.add("acme")
      yield* cluster.writeAccounts
      yield* Inside.start(cluster, { every: "1 second", rateLimit: { requests: 1, per: "2 seconds" } })
      yield* until(
        "it has a few turns",
        Effect.sync(() => cluster.service.exchanges.length),
        (count) => count >= 6,
        "60 seconds"
      )
      const times = cluster.service.exchanges.map(({ at }) => at)
      // Two requests in each turn.
      assert.isAtLeast(times[5]! - times[0]!, 5 * 2000 - tolerance)
    }), 120_000)
})

describe("a rate limit for an account", () => {
  it.scopedLive("holds when its turns alternate between workers", () =>
    Effect.gen(function*() {
      const cluster = yield* Processes.make
      const { service, sql } = cluster
      service.add("acme")
      yield* cluster.writeAccounts
      const options = { every: "1 second", lists: ["topics"], rateLimit: { requests: 1, per: "4 seconds" } } as const
      yield* cluster.start(options)
      yield* cluster.start(options)
      yield* until("both take part", Processes.status(cluster), ({ runners }) => runners.length === 2)
      // Each turn goes to whoever did not have the last one.
      yield* sql`CREATE TABLE last_turn AS SELECT NULL::uuid AS worker`
      yield* sql`CREATE FUNCTION alternate() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN
        IF NEW.worker = (SELECT worker FROM last_turn) THEN RETURN NULL; END IF;
        UPDATE last_turn SET worker = NEW.worker;
        RETURN NEW; END'`
      yield* sql`CREATE TRIGGER alternating BEFORE UPDATE ON cluster_accounts FOR EACH ROW
        WHEN (OLD.worker IS NULL AND NEW.worker IS NOT NULL) EXECUTE FUNCTION alternate()`
      service.exchanges.length = 0
      yield* until(
        "it has a few turns",
        Effect.sync(() => service.exchanges.length),
        (count) => count >= 6,
        "60 seconds"
      )
      assert.strictEqual(new Set(service.exchanges.map(({ worker }) => worker)).size, 2)
      const times = service.exchanges.map(({ at }) => at)
      for (const [at, time] of times.slice(1).entries()) assert.isAtLeast(time - times[at]!, 4000 - tolerance)
    }), 120_000)
})

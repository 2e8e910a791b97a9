import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import * as WallClock from "@mailstream/testing/WallClock"
import { Context, Effect, Layer, Redacted } from "effect"
import * as Inside from "../support/inside.ts"
import * as Processes from "../support/processes.ts"
import { until } from "../support/waiting.ts"

const directions = ["back", "forward"] as const

/** A cluster whose database has a clock that can be set: its sessions find another `now` before PostgreSQL's own. */
const setup = Effect.gen(function*() {
  const cluster = yield* Processes.make
  const { sql: plain, url } = cluster
  yield* plain`CREATE SCHEMA shifted`
  yield* plain`CREATE TABLE shifted.shift (by interval)`
  yield* plain`INSERT INTO shifted.shift VALUES ('0')`
  yield* plain`CREATE FUNCTION shifted.now() RETURNS timestamptz LANGUAGE sql STABLE
    AS 'SELECT pg_catalog.now() + by FROM shifted.shift'`
  yield* plain`CREATE FUNCTION shifted.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE
    AS 'SELECT pg_catalog.clock_timestamp() + by FROM shifted.shift'`
  const shifted = new URL(Redacted.value(url))
  shifted.searchParams.set("options", "-c search_path=shifted,public,pg_catalog")
  const way = Redacted.make(shifted.href)
  const client = PgClient.layer({ url: way, maxConnections: 2 })
  const sql = Context.get(yield* Layer.build(client), PgClient.PgClient)
  cluster.service.add("acme")
  yield* cluster.writeAccounts
  const shift = (direction: "back" | "forward") =>
    plain`UPDATE shifted.shift SET by = ${direction === "back" ? "-24 hours" : "24 hours"}::interval`
  const corrected = plain`UPDATE shifted.shift SET by = '0'`
  return { ...cluster, sql, url: way, shift, corrected }
})

const options = { every: "1 second", lockExpiration: "3 seconds" } as const

/** Waits until an account is copied, from now on. */
const copiedAgain = ({ service }: Processes.Cluster, account: string) =>
  Effect.suspend(() => {
    service.exchanges.length = 0
    return until(
      `${account} is copied`,
      Effect.sync(() => service.exchanges.filter((exchange) => exchange.account === account).length),
      (count) => count >= 4
    )
  })

describe.each(directions)("a cluster whose database's clock is set %s by 24 hours", (direction) => {
  it.scopedLive("goes on, and finds new accounts", () =>
    Effect.gen(function*() {
      const cluster = yield* setup
      // Two, which take accounts from each other.
      yield* Inside.start(cluster, options)
      yield* Inside.start(cluster, options)
      const acme = Effect.repeatN(copiedAgain(cluster, "acme"), 3)
      yield* acme
      yield* cluster.shift(direction)
      yield* acme
      cluster.service.add("globex")
      yield* cluster.writeAccounts
      yield* copiedAgain(cluster, "globex")
      // And once more, when it is corrected.
      yield* cluster.corrected
      yield* acme
    }), 180_000)

  it.scopedLive("takes over from a worker that was lost before", () =>
    Effect.gen(function*() {
      const cluster = yield* setup
      const { sql } = cluster
      // The tables, and what a worker has left behind that was killed.
      yield* Effect.scoped(Effect.zipRight(Inside.start(cluster, options), copiedAgain(cluster, "acme")))
      yield* sql`INSERT INTO cluster_workers (id, name, version, lease, alive_until, up_for, every, max_accounts)
        VALUES (gen_random_uuid(), 'lost', '1.0.0', 3, now() + interval '3 s', 0, 1, 8)`
      yield* sql`UPDATE cluster_accounts SET worker = w.id, next_at = now() FROM cluster_workers w WHERE name = 'lost'`
      yield* cluster.shift(direction)
      yield* Inside.start(cluster, options)
      yield* copiedAgain(cluster, "acme")
      const { runners } = yield* Processes.status(cluster)
      assert.deepStrictEqual(runners.map(({ isHealthy, name }) => [isHealthy, name === "lost"]).sort(), [
        [false, true],
        [true, false]
      ])
    }), 90_000)
})

describe.each(directions)("a worker whose clock is set %s by 24 hours", (direction) => {
  it.scopedLive("goes on, and finds new accounts", () =>
    Effect.gen(function*() {
      const cluster = yield* setup
      const { clock, shift } = yield* WallClock.make
      yield* Effect.withClock(Inside.start(cluster, options), clock)
      yield* copiedAgain(cluster, "acme")
      shift("24 hours", direction)
      yield* copiedAgain(cluster, "acme")
      cluster.service.add("globex")
      yield* cluster.writeAccounts
      yield* copiedAgain(cluster, "globex")
    }), 90_000)
})

/** A pooler between workers and PostgreSQL. */
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Accounts, Database, Worker } from "@mailstream/cluster"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import * as PgBouncer from "@mailstream/testing/PgBouncer"
import { Effect, Layer } from "effect"
import * as Inside from "./support/inside.ts"
import { copies, database, make } from "./support/processes.ts"
import { until } from "./support/waiting.ts"

describe("a worker behind PgBouncer", () => {
  const test = it.scopedLive.skipIf(PgBouncer.missing !== undefined)

  test(`copies accounts in session mode${PgBouncer.missing ?? ""}`, () =>
    Effect.gen(function*() {
      const cluster = yield* make
      for (const id of ["acme", "globex"]) cluster.service.add(id)
      yield* cluster.writeAccounts
      const url = yield* PgBouncer.start("session", cluster.url)
      yield* Inside.start({ ...cluster, url }, { every: "1 second" })
      yield* until(
        "they are copied",
        Effect.orElseSucceed(copies(cluster), () => ({})),
        (now: Readonly<Record<string, number>>) => now["acme"] === 20 && now["globex"] === 20
      )
    }), 60_000)

  test(`is refused in transaction mode, with any client${PgBouncer.missing ?? ""}`, () =>
    Effect.gen(function*() {
      const url = yield* PgBouncer.start("transaction", (yield* database).url)
      for (const client of [PgClient.layer({ url }), Database.layer({ url })]) {
        const worker = Layer.provide(Worker.layer(), [client, Accounts.layerMemory([]), UndiciTransport.layer])
        const error = yield* Effect.flip(Layer.build(worker))
        assert.match(String(error), /use pool_mode = session, or connect to PostgreSQL itself/)
      }
    }))
})

import { SqlClient } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import * as TelemetryPage from "@mailstream/testing/TelemetryPage"
import { Effect } from "effect"
import * as Ledger from "../src/internal/ledger.ts"
import * as Tables from "../src/internal/tables.ts"
import * as Inside from "./support/inside.ts"
import { make, status } from "./support/processes.ts"
import { until } from "./support/waiting.ts"

describe("the page about telemetry", () => {
  it.scopedLive("is what a worker reports, and nothing else", () =>
    Effect.gen(function*() {
      const cluster = yield* make
      const { service, sql } = cluster
      yield* Effect.provideService(Ledger.make(yield* Tables.names({})), SqlClient.SqlClient, sql)
      // A turn that a lost worker had received.
      yield* sql`INSERT INTO cluster_accounts (id, notified_at, runner)
        VALUES ('acme', now() - interval '1 day', '127.0.0.1:1')`
      service.add("acme")
      yield* cluster.writeAccounts
      const copied = Effect.zipRight(
        Inside.start(cluster),
        until("it is copied", status(cluster), ({ accounts }) => accounts.total === 1 && accounts.neverCopied === 0)
      )
      const { metrics, spans } = yield* TelemetryPage.reportedBy(Effect.scoped(copied))
      assert.deepStrictEqual(
        TelemetryPage.reportedSpans(spans.filter(({ name }) => name.startsWith("Worker."))),
        TelemetryPage.spansIn("Cluster")
      )
      assert.deepStrictEqual(
        Object.fromEntries(Object.entries(metrics).filter(([name]) => name.startsWith("mailstream_cluster_"))),
        TelemetryPage.metricsIn("Cluster")
      )
    }), 60_000)

  it("explains attributes that spans have", () => {
    const known = Object.values(TelemetryPage.spansIn("Cluster")).flat()
    assert.isNotEmpty(known)
    for (const name of TelemetryPage.attributesIn("Cluster")) assert.include(known, name)
  })
})

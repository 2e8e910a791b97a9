import { assert, describe, it } from "@effect/vitest"
import * as TelemetryPage from "@mailstream/testing/TelemetryPage"
import { Effect } from "effect"
import type * as Turn from "../src/internal/turn.ts"
import * as Inside from "./support/inside.ts"
import { make, status } from "./support/processes.ts"
import { until } from "./support/waiting.ts"

describe("the page about telemetry", () => {
  it.scopedLive("is what a worker reports, and nothing else", () =>
    Effect.gen(function*() {
      const cluster = yield* make
      const { service, sql } = cluster
      service.add("acme")
      yield* cluster.writeAccounts
      const copied = (id: string) =>
        until(`${id} is copied`, status(cluster), ({ accounts, runners }) =>
          accounts.total === 1 && accounts.neverCopied === 0 && runners[0]?.id !== id)
      const work = Effect.gen(function*() {
        yield* Inside.start(cluster)
        const { runners: [first] } = yield* copied("")
        // As if it had been silent.
        yield* sql`UPDATE cluster_workers SET alive_until = now()`
        yield* copied(first!.id)
      })
      const { metrics, spans } = yield* TelemetryPage.reportedBy(Effect.scoped(work))
      assert.deepStrictEqual(
        TelemetryPage.reportedSpans(spans.filter(({ name }) =>
          name.startsWith("Worker.")
        )),
        TelemetryPage.spansIn("Cluster")
      )
      assert.deepStrictEqual(
        Object.fromEntries(Object.entries(metrics).filter(([name]) => name.startsWith("mailstream_cluster_"))),
        TelemetryPage.metricsIn("Cluster")
      )
    }), 60_000)

  it("names the outcomes that turns have, and no others", () => {
    // Complete: the type has the same ones.
    const outcomes: { readonly [outcome in Turn.Ended["_tag"]]: true } = {
      Done: true,
      Yielded: true,
      Stopped: true,
      CutOff: true,
      Failed: true
    }
    assert.sameMembers([...TelemetryPage.valuesOf("Cluster", "mailstream_cluster_turns")], Object.keys(outcomes))
  })

  it("explains attributes that spans have", () => {
    const known = Object.values(TelemetryPage.spansIn("Cluster")).flat()
    assert.isNotEmpty(known)
    for (const name of TelemetryPage.attributesIn("Cluster")) assert.include(known, name)
  })
})

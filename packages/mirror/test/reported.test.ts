import { assert, describe, it } from "@effect/vitest"
import { Mirror } from "@mailstream/mirror"
import { contacts } from "@mailstream/stream"
import * as TelemetryPage from "@mailstream/testing/TelemetryPage"
import { Effect, Stream } from "effect"
import { setup } from "./support/copying.ts"
import { databases } from "./support/databases.ts"
import { contact } from "./support/service.ts"

/** Every method that talks to the service or the database. */
const methods = Effect.gen(function*() {
  const mirror = yield* Mirror.Mirror
  const lists = { lists: ["contacts"] } as const
  yield* mirror.sync(lists)
  yield* mirror.syncEither(lists)
  yield* mirror.poll(lists)
  yield* mirror.pollEither(lists)
  yield* mirror.process(contacts, "crm", () => Effect.void)
  yield* mirror.processPages(contacts, "crm", Stream.runDrain)
  yield* Stream.runDrain(mirror.changes(contacts))
  yield* mirror.status
  yield* mirror.purge("1 hour")
  yield* mirror.prune("1 hour")
  yield* mirror.erase
})

describe("the page about telemetry", () => {
  it.scopedLive("is what a copy reports, and nothing else", () =>
    Effect.gen(function*() {
      const [, open] = databases.find(([name]) => name === "SQLite")!
      const { layer, service } = yield* setup(open)
      service.lists.set("/contacts", [contact(2), contact(1)])
      const { metrics, spans: all } = yield* TelemetryPage.reportedBy(Effect.provide(methods, layer))
      const spans = all.filter(({ name }) => name.startsWith("Mirror."))
      for (const { status } of spans) assert.strictEqual(status._tag === "Ended" && status.exit._tag, "Success")
      assert.deepStrictEqual(TelemetryPage.reportedSpans(spans), TelemetryPage.spansIn("Mirror"))
      // It has no metrics of its own, besides those of its walks.
      assert.include(Object.keys(metrics), "mailstream_requests")
      assert.deepStrictEqual(Object.keys(metrics).filter((name) => name.startsWith("mailstream_mirror")), [])
    }))

  it("explains attributes that spans have", () => {
    const known = Object.values(TelemetryPage.spansIn("Mirror")).flat()
    assert.isNotEmpty(known)
    for (const name of TelemetryPage.attributesIn("Mirror")) assert.include(known, name)
  })
})

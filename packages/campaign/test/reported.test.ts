import { assert, describe, it } from "@effect/vitest"
import { Campaign } from "@mailstream/campaign"
import * as TelemetryPage from "@mailstream/testing/TelemetryPage"
import { Effect, Layer, Option, Stream } from "effect"
import { databases, news, service } from "./support/campaigns.ts"

const section = "Campaigns"

const calls = Effect.gen(function*() {
  yield* Campaign.run(news)
  yield* Campaign.status("news")
  yield* Campaign.list
  yield* Stream.runDrain(Campaign.recipients("news"))
  yield* Campaign.resolve("news", "assumeSent")
  yield* Campaign.forget("news", "rejected")
  yield* Campaign.deliveries("news")
})

describe.each(databases.slice(0, 1))("the page about telemetry, on %s", (_, open) => {
  it.scopedLive("is what a campaign reports, and nothing else", () =>
    Effect.gen(function*() {
      const { metrics, spans } = yield* TelemetryPage.reportedBy(calls)
      const own = spans.filter(({ name }) => name.startsWith("Campaign."))
      assert.deepStrictEqual(TelemetryPage.reportedSpans(own), TelemetryPage.spansIn(section))
      assert.deepStrictEqual(own.map(({ attributes }) => attributes.get("mailstream.campaign")), ["news"])
      const sent = spans.find(({ name }) => name === "Emails.sendBatch")
      assert.isTrue(sent !== undefined && Option.isSome(sent.parent) && sent.parent.value === own[0])
      assert.deepStrictEqual(
        Object.keys(metrics).filter((name) => name.startsWith("mailstream_campaign")),
        Object.keys(TelemetryPage.metricsIn(section))
      )
      assert.deepStrictEqual(TelemetryPage.attributesIn(section), ["mailstream.campaign"])
    }).pipe(Effect.provide([Layer.unwrapScoped(open), service(10)])))
})

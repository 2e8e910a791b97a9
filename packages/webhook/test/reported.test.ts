import { assert, describe, it } from "@effect/vitest"
import * as TelemetryPage from "@mailstream/testing/TelemetryPage"
import { Deduplication, Webhook, WebhookHandler } from "@mailstream/webhook"
import { Effect } from "effect"
import { body, secret, signed } from "./support/events.ts"

const section = "Webhooks"

const calls = Effect.gen(function*() {
  const headers = yield* signed("msg_1")
  yield* Webhook.verify(body, headers, secret)
  const receive = yield* WebhookHandler.toWebHandler(() => Effect.void, { secret })
  for (const method of ["POST", "PUT"]) {
    yield* Effect.promise(() => receive(new Request("http://localhost", { method, headers, body })))
  }
}).pipe(Effect.provide(Deduplication.layerMemory()))

describe("the page about telemetry", () => {
  it.scopedLive("is what a webhook reports, and nothing else", () =>
    Effect.gen(function*() {
      const { metrics, spans } = yield* TelemetryPage.reportedBy(calls)
      assert.deepStrictEqual(TelemetryPage.reportedSpans(spans), TelemetryPage.spansIn(section))
      assert.deepStrictEqual(metrics, TelemetryPage.metricsIn(section))
      const received = spans.filter(({ name }) => name === "Webhook.receive").map(({ attributes }) => attributes)
      assert.deepStrictEqual(
        received.map((attributes) => [
          attributes.get("http.response.status_code"),
          attributes.get("mailstream.webhook.message_id"),
          attributes.get("error.type")
        ]),
        [[200, "msg_1", undefined], [405, undefined, "UnreadableRequest"]]
      )
    }))

  it("explains attributes that spans have", () => {
    const known = Object.values(TelemetryPage.spansIn(section)).flat()
    assert.isNotEmpty(known)
    for (const name of TelemetryPage.attributesIn(section)) assert.include(known, name)
  })
})

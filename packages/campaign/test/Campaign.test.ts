import { assert, describe, it } from "@effect/vitest"
import { Campaign } from "@mailstream/campaign"
import { contacts } from "@mailstream/stream"
import { Effect, Stream } from "effect"
import { addresses, databases, messageTo, news, received, service } from "./support/campaigns.ts"

describe.each(databases)("a campaign on %s", (_, open) => {
  it.scopedLive("writes to everybody once", () =>
    Effect.gen(function*() {
      const database = yield* open
      const status = yield* Effect.provide(Campaign.run(news, { lease: "1 second" }), database)
      const everybody = yield* addresses
      assert.strictEqual(status.accepted, 250)
      assert.deepStrictEqual(yield* received, new Map(everybody.map((address) => [address, 1])))
      const rows = yield* Effect.provide(Stream.runCollect(Campaign.recipients("news")), database)
      assert.strictEqual(rows.length, 250)
    }).pipe(Effect.provide(service(250))))

  it.scopedLive("writes to everybody once, whatever is lost", () =>
    Effect.gen(function*() {
      const database = yield* open
      const status = yield* Effect.provide(Campaign.run(news, { lease: "1 second", batchSize: 10 }), database)
      assert.strictEqual(status.accepted, 250)
      assert.deepStrictEqual(new Set((yield* received).values()), new Set([1]))
    }).pipe(Effect.provide(service(250, {
      faults: {
        seed: 1,
        reset: { rate: 0.2, only: "changes" },
        truncate: { rate: 0.2, only: "changes" },
        serverError: { rate: 0.1 }
      }
    }))))

  it.scopedLive("skips, and rejects what cannot be sent", () =>
    Effect.gen(function*() {
      const database = yield* open
      let index = 0
      const campaign = Campaign.make("odd", {
        audience: contacts.items(),
        message: (contact) => {
          index++
          return index % 3 === 0
            ? Campaign.skip("third")
            : index % 3 === 1
            ? Effect.succeed(messageTo(contact))
            : { ...messageTo(contact), to: "nobody" }
        }
      })
      const status = yield* Effect.provide(Campaign.run(campaign), database)
      assert.deepInclude(status, { accepted: 10, rejected: 10, skipped: 10, planned: 0, undecided: 0 })
    }).pipe(Effect.provide(service(30))))
})

/** What the database of a campaign holds, and what it does not. */
import { SqlClient } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import { Campaign } from "@mailstream/campaign"
import { Server } from "@mailstream/server"
import { Effect, Layer, Redacted } from "effect"
import { databases, news, service } from "./support/campaigns.ts"

/** Everything in the tables. */
const everything = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* Effect.forEach(
    ["mailstream_campaigns", "mailstream_units", "mailstream_recipients"],
    (table) => sql`SELECT * FROM ${sql(table)}`
  )
  return JSON.stringify(tables)
})

describe.each(databases)("what a campaign stores, on %s", (_, open) => {
  const database = Layer.unwrapScoped(open)

  it.scopedLive("is not kept when its outcome is known", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* Campaign.run(news, { batchSize: 10 })).accepted, 20)
      const stored = yield* everything
      assert.include(stored, "@example.com")
      assert.notInclude(stored, "Hello")
    }).pipe(Effect.provide([database, service(20)])))

  it.scopedLive("holds no API key", () =>
    Effect.gen(function*() {
      const { apiKey } = yield* Server.TestServer
      const error = yield* Effect.flip(Campaign.run(news, { batchSize: 10, concurrency: 1 }))
      assert(error._tag === "CampaignPaused" && error.reason === "Quota", String(error))
      const stored = yield* everything
      // What is left to be sent is there.
      assert.include(stored, "Hello")
      assert.notInclude(stored + JSON.stringify(error), Redacted.value(apiKey))
    }).pipe(Effect.provide([database, service(20, { quota: { daily: 10 } })])))
})

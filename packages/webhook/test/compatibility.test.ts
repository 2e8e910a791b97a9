import { assert, describe, it } from "@effect/vitest"
import { Webhook } from "@mailstream/webhook"
import { DateTime, Effect, FastCheck as fc } from "effect"
import { Webhook as Standard } from "standardwebhooks"
import { ids, secrets } from "./support/events.ts"

const events = fc.record({ type: fc.string(), data: fc.jsonValue() })

describe("the package standardwebhooks", () => {
  it("accepts what is signed here", () =>
    fc.assert(fc.asyncProperty(events, ids, secrets, async (event, id, secret) => {
      const body = JSON.stringify(event)
      const signed = await Effect.runPromise(Webhook.sign(body, secret, { id }))
      const headers = Object.fromEntries(
        Object.entries(signed).map(([name, value]) => [name.replace("svix", "webhook"), value])
      )
      assert.deepStrictEqual(new Standard(secret).verify(body, headers), JSON.parse(body))
      assert.throws(() => new Standard(secret).verify(`${body} `, headers))
    })))

  it("signs what is accepted here", () =>
    fc.assert(fc.asyncProperty(events, ids, secrets, async (event, id, secret) => {
      const body = JSON.stringify(event)
      const now = DateTime.unsafeNow()
      const headers = {
        "webhook-id": id,
        "webhook-timestamp": String(Math.floor(now.epochMillis / 1000)),
        "webhook-signature": new Standard(secret).sign(id, DateTime.toDateUtc(now), body)
      }
      const found = await Effect.runPromise(Webhook.verify(body, headers, secret))
      assert.deepStrictEqual([found.type, found.data], [event.type, JSON.parse(body).data])
      const error = await Effect.runPromise(Effect.flip(Webhook.verify(`${body} `, headers, secret)))
      assert.strictEqual(error._tag, "InvalidSignature")
    })))
})

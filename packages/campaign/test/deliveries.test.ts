import { assert, describe, it } from "@effect/vitest"
import { Campaign } from "@mailstream/campaign"
import { decodeWebhookEvent } from "@mailstream/core"
import { Effect, Either, Layer, Stream } from "effect"
import { databases, messageTo, service } from "./support/campaigns.ts"

const people = ["ada@example.com", "bob@example.com", "bounced@resend.dev", "complained@resend.dev"]

/** A campaign to addresses whose fates are known. */
const campaign = Campaign.make("fates", {
  audience: Stream.fromIterable(people.map((email) => ({ id: email, email }))),
  message: messageTo
})

/** An event as a webhook delivers it. */
const event = (type: string, data: unknown) =>
  Either.getOrThrow(decodeWebhookEvent({ type, created_at: "2026-11-18T12:00:00.000Z", data }))

const recipients = Effect.map(Stream.runCollect(Campaign.recipients("fates")), (all) => [...all])

const lastEvents = Effect.map(
  recipients,
  (all) => Object.fromEntries(all.map(({ address, lastEvent }) => [address, lastEvent]))
)

/** The id of the email to somebody. */
const emailTo = (address: string) =>
  Effect.map(recipients, (all) => String(all.find((recipient) => recipient.address === address)?.emailId))

describe.each(databases)("what became of the emails, on %s", (_, open) => {
  const withEverything = <A, E>(
    test: Effect.Effect<
      A,
      E,
      Layer.Layer.Success<ReturnType<typeof service>> | Effect.Effect.Context<typeof recipients>
    >
  ) => test.pipe(Effect.provide([Layer.unwrapScoped(open), service(0)]))

  it.scopedLive("is stored with each recipient, and counted", () =>
    withEverything(Effect.gen(function*() {
      yield* Campaign.run(campaign)
      assert.deepStrictEqual(Object.values(yield* lastEvents), [undefined, undefined, undefined, undefined])
      assert.deepStrictEqual(yield* Campaign.deliveries("fates"), { bounced: 1, complained: 1, delivered: 2 })
      assert.deepStrictEqual(yield* lastEvents, {
        "ada@example.com": "delivered",
        "bob@example.com": "delivered",
        "bounced@resend.dev": "bounced",
        "complained@resend.dev": "complained"
      })
    })))

  it.scopedLive("is what says most, although several webhooks arrive at the same time", () =>
    withEverything(Effect.gen(function*() {
      yield* Campaign.run(campaign)
      const events = ["email.bounced", "email.sent", "email.delivered", "email.opened"]
      for (let round = 0; round < 10; round++) {
        const name = `round-${round}`
        yield* Campaign.run(
          Campaign.make(name, { audience: Stream.make({ id: "ada", email: "ada@example.com" }), message: messageTo })
        )
        const [ada] = yield* Stream.runCollect(Campaign.recipients(name))
        const data = { email_id: String(ada?.emailId) }
        yield* Effect.forEach(events, (type) => Campaign.record(event(type, data)), { concurrency: 4, discard: true })
        assert.strictEqual((yield* Stream.runHead(Campaign.recipients(name)).pipe(Effect.flatten)).lastEvent, "bounced")
      }
    })))

  it.scopedLive("is what was said last, although webhooks arrive in any order and a list lags behind", () =>
    withEverything(Effect.gen(function*() {
      yield* Campaign.run(campaign)
      const email_id = yield* emailTo("ada@example.com")
      assert.isTrue(yield* Campaign.record(event("email.bounced", { email_id })))
      assert.isTrue(yield* Campaign.record(event("email.sent", { email_id })))
      assert.strictEqual((yield* lastEvents)["ada@example.com"], "bounced")
      // The service's list says that it was delivered.
      assert.deepStrictEqual(yield* Campaign.deliveries("fates"), { bounced: 2, complained: 1, delivered: 1 })
      assert.strictEqual((yield* lastEvents)["ada@example.com"], "bounced")
    })))

  it.scopedLive("is not changed by events about anything else", () =>
    withEverything(Effect.gen(function*() {
      yield* Campaign.run(campaign)
      const email_id = yield* emailTo("ada@example.com")
      assert.isFalse(yield* Campaign.record(event("email.bounced", { email_id: crypto.randomUUID() })))
      assert.isFalse(yield* Campaign.record(event("contact.created", { id: email_id, email_id })))
      assert.isFalse(yield* Campaign.record(event("email.polished", 1)))
      assert.strictEqual((yield* lastEvents)["ada@example.com"], undefined)
    })))
})

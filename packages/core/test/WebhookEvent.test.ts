import { assert, describe, it } from "@effect/vitest"
import { decodeWebhookEvent, WebhookEvent, WebhookEventType } from "@mailstream/core"
import { Arbitrary, Either, FastCheck as fc, JSONSchema, Schema } from "effect"

const decode = (value: unknown): WebhookEvent => Either.getOrThrow(decodeWebhookEvent(value))

const email = {
  email_id: "56761188-7520-42d8-8898-ff6fc54ce618",
  message_id: "<111@example.com>",
  created_at: "2026-11-22T23:41:11.894719+00:00",
  from: "Acme <onboarding@example.com>",
  to: ["ada@example.com"],
  subject: "Sending this example",
  tags: { category: "confirm_email" }
}

const sent = { type: "email.sent", created_at: "2026-11-22T23:41:12.126Z", data: email }

const details: Readonly<Record<string, object>> = {
  "email.bounced": { bounce: { message: "No such mailbox.", subType: "Suppressed", type: "Permanent" } },
  "email.clicked": {
    click: {
      ipAddress: "192.0.2.1",
      link: "https://example.com",
      timestamp: "2026-11-24T05:00:57.163Z",
      userAgent: "Mozilla/5.0"
    }
  },
  "email.failed": { failed: { reason: "reached_daily_quota" } },
  "email.suppressed": { suppressed: { message: "On the list.", type: "OnAccountSuppressionList" } }
}

const objects: Readonly<Record<string, object>> = {
  email,
  contact: {
    id: "e169aa45-1ecf-4183-9955-b1499d5701d3",
    audience_id: "78261eea-8f8b-4381-83c6-79fa7120f1cf",
    segment_ids: ["78261eea-8f8b-4381-83c6-79fa7120f1cf"],
    created_at: "2026-11-22T23:41:11.894719+00:00",
    updated_at: "2026-11-22T23:41:11.894719+00:00",
    email: "ada@example.com",
    first_name: null,
    unsubscribed: false
  },
  "contact.topics": {
    email: "ada@example.com",
    topics: [{ id: "b6d24b8e-af0b-4c3c-be0c-359bbd97381e", subscription: "opt_out" }]
  },
  domain: {
    id: "d91cd9bd-1176-453e-8fc1-35364d380206",
    name: "example.com",
    status: "verified",
    records: [{ ttl: "Auto" }]
  },
  suppression: { id: "s-1", email: "ada@example.com", origin: "bounce", source_id: null },
  topic: { id: "b6d24b8e-af0b-4c3c-be0c-359bbd97381e", name: "News", description: null, deleted: false }
}

/** The types that the list of webhooks knows. */
const types: ReadonlyArray<string> = JSON.parse(JSON.stringify(JSONSchema.make(WebhookEventType))).anyOf[0].enum

describe("WebhookEvent", () => {
  it("knows the data of every type that a webhook can be registered for", () => {
    assert.isAbove(types.length, 20)
    for (const type of types) {
      const data = { ...objects[type.split(".").slice(0, -1).join(".")], ...details[type] }
      const event = decode({ ...sent, type, data })
      assert.deepStrictEqual(event, { ...sent, _tag: type, type, data } as WebhookEvent)
    }
  })

  it("keeps fields that it does not know", () => {
    const event = decode({ ...sent, version: 2, data: { ...email, color: "red" } })
    assert.deepStrictEqual(Object(event), { ...sent, _tag: "email.sent", version: 2, data: { ...email, color: "red" } })
  })

  it("accepts data that lack what the API does not promise", () => {
    assert.strictEqual(decode({ ...sent, data: { email_id: "1", subject: null } })._tag, "email.sent")
  })

  it("is Other for an unknown type, and for a known one with other data, with everything as it was sent", () => {
    for (
      const other of [
        { ...sent, type: "email.polished" },
        { ...sent, type: "Other" },
        { ...sent, type: "email.bounced" },
        { ...sent, data: { ...email, to: 5 } },
        { ...sent, data: null },
        { ...sent, created_at: "yesterday" },
        { type: "email.sent" },
        { type: "" }
      ]
    ) {
      assert.deepStrictEqual(Object(decode(other)), { ...other, _tag: "Other" })
    }
  })

  it("is any object with a type, and nothing else", () => {
    fc.assert(fc.property(fc.string(), fc.jsonValue(), (type, data) => {
      const event = decode({ type, data })
      assert.deepStrictEqual([event.type, event.data], [type, data])
    }))
    for (const value of [null, 1, "email.sent", [], [sent], {}, { type: 1 }, { data: email }]) {
      assert.isTrue(Either.isLeft(decodeWebhookEvent(value)), JSON.stringify(value))
    }
  })

  it("is encoded as it was sent", () => {
    fc.assert(fc.property(Arbitrary.make(WebhookEvent), (event) => {
      const { _tag, ...encoded } = event
      assert.deepStrictEqual(Object(Schema.encodeSync(WebhookEvent)(event)), encoded)
    }))
  })
})

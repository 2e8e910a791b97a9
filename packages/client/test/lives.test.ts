import { assert, describe, it } from "@effect/vitest"
import { NotFound } from "@mailstream/client"
import { Effect } from "effect"
import { all, methodOf, sampleOf } from "./support/operations.ts"
import { rejection, service, transports } from "./support/service.ts"

describe.each(Object.entries(transports))("on the service itself, over %s", (_, transport) => {
  it.scopedLive("a contact is created, found, changed, moved and removed", () =>
    Effect.gen(function*() {
      const { client } = yield* service({}, { transport: transport() })
      const { contacts, segments, topics } = client
      yield* Effect.promise(async () => {
        const { id } = await contacts.create({ email: "ada@example.com", first_name: "Ada", last_name: "King" })
        assert.strictEqual((await contacts.create({ email: "ada@example.com" })).id, id)
        await contacts.update({ email: "ada@example.com" }, { first_name: undefined, last_name: null })
        assert.deepInclude(await contacts.get(id), { email: "ada@example.com", first_name: "Ada", last_name: null })
        const segment = await segments.create({ name: "Beta" })
        await contacts.join(id, segment.id)
        const filter = { segment_id: segment.id }
        assert.deepStrictEqual((await contacts.list({ filter })).data.map((contact) => contact.id), [id])
        assert.deepStrictEqual(
          (await segments.items({ filter: { contact_id: id } }).toArray({ limit: 9 })).map((segment) => segment.id),
          [segment.id]
        )
        const ada = { contact_id: { email: "ada@example.com" } }
        assert.deepStrictEqual((await segments.list({ filter: ada })).data.map((segment) => segment.id), [segment.id])
        await contacts.leave({ email: "ada@example.com" }, segment.id)
        assert.deepStrictEqual((await contacts.list({ filter })).data, [])
        const topic = await topics.create({ name: "News", default_subscription: "opt_out" })
        await contacts.updateTopics(id, [{ id: topic.id, subscription: "opt_in" }])
        const [subscribed] = await client.contactTopics.items({ filter: { contact_id: id } }).toArray({ limit: 9 })
        assert.deepInclude(subscribed, { id: topic.id, subscription: "opt_in" })
        assert.deepStrictEqual((await client.contactTopics.list({ filter: ada })).data, [subscribed!])
        assert.isTrue((await contacts.remove({ email: "ada@example.com" })).deleted)
        const error = await rejection(contacts.get(id))
        assert(error instanceof NotFound)
        assert.isUndefined(error.outcome)
      })
    }))

  it.scopedLive("a template is found by its alias, and published", () =>
    Effect.gen(function*() {
      const { client: { templates } } = yield* service({}, { transport: transport() })
      yield* Effect.promise(async () => {
        const { id } = await templates.create({ name: "Welcome", alias: "welcome", html: "<p>Hello</p>" })
        assert.strictEqual((await templates.get({ alias: "welcome" })).status, "draft")
        await templates.publish({ alias: "welcome" })
        assert.deepInclude(await templates.get(id), { status: "published", html: "<p>Hello</p>" })
        const error = await rejection(templates.update({ alias: "nobody" }, { name: "No" }))
        assert(error instanceof NotFound)
        assert.strictEqual(error.outcome, "not_processed")
      })
    }))

  it.scopedLive("a webhook has a secret, which can be replaced", () =>
    Effect.gen(function*() {
      const { client: { webhooks } } = yield* service({}, { transport: transport() })
      yield* Effect.promise(async () => {
        const created = await webhooks.create({ endpoint: "https://example.com/hook", events: ["email.sent"] })
        const before = created.signing_secret.value()
        assert.match(before, /^whsec_/)
        const after = await webhooks.rotateSecret(created.id)
        assert.notStrictEqual(after.signing_secret.value(), before)
        assert.strictEqual((await webhooks.get(created.id)).signing_secret?.value(), after.signing_secret.value())
      })
    }))

  it.scopedLive("a new key works, until it is removed", () =>
    Effect.gen(function*() {
      const { baseUrl, client } = yield* service({ contacts: 3 }, { transport: transport() })
      yield* Effect.promise(async () => {
        const { id, token } = await client.apiKeys.create({ name: "CI" })
        const request = () => fetch(`${baseUrl}/contacts`, { headers: { authorization: `Bearer ${token.value()}` } })
        assert.strictEqual((await request()).status, 200)
        await client.apiKeys.remove(id)
        assert.notStrictEqual((await request()).status, 200)
      })
    }))
})

describe("removing what does not exist", () => {
  it.scopedLive.each(all.filter(({ name }) => name === "remove"))(
    "is as its summary says: $title",
    (entry) =>
      Effect.gen(function*() {
        const { client } = yield* service({})
        const result = yield* Effect.promise(() =>
          methodOf(client, entry)(...sampleOf(entry.operation)).catch((error: unknown) => error)
        )
        if (/One that does not exist is reported as deleted, too\./.test(entry.operation.summary)) {
          assert.propertyVal(result, "deleted", true)
        } else {
          assert(result instanceof NotFound)
        }
      })
  )

  it("succeeds for contacts and segments alone", () => {
    assert.sameMembers(
      all.filter(({ operation }) => operation.summary.includes("reported as deleted")).map(({ list }) => list),
      ["contacts", "segments"]
    )
  })
})

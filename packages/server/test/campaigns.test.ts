import { assert, describe, it } from "@effect/vitest"
import { type Email, EmailId, Resource } from "@mailstream/core"
import { Inbox, Server, Store } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import { Effect, Either, Fiber } from "effect"
import { assertError, post, send } from "./support/http.ts"
import { inbox, sendEmail, subjects } from "./support/inbox.ts"
import { stores } from "./support/stores.ts"

/** An email of a campaign. */
const tagged = (value: string) => ({ tags: [{ name: "kind", value: "news" }, { name: "mailstream", value }] })

const names = (path: string) =>
  Effect.map(inbox(path), ({ data }) => data.map(({ name }: { readonly name: string }) => name))

/** A stored email of a campaign, as it was accepted. */
const stored = (index: number, campaign: string, to = `${index}@example.com`) => ({
  ...SampleData.email(index),
  id: EmailId.make(`email-${index}`),
  to: [to],
  last_event: "delivered",
  ...tagged(`${campaign}_ab_${index}`)
})

for (const [name, store] of stores) {
  const own = Effect.provide(Server.layerTest({ store }))

  describe(`campaigns on ${name}`, () => {
    it.scopedLive("have the emails that are tagged with them, and count what became of them", () =>
      Effect.gen(function*() {
        yield* sendEmail({ subject: "Alone", tags: [{ name: "mailstream", value: "no-campaign" }] })
        const first = yield* sendEmail({ subject: "One", ...tagged("spring_9f_0") })
        yield* sendEmail({ subject: "Two", to: "bounced@resend.dev", ...tagged("spring_9f_1") })
        yield* sendEmail({ subject: "Other", ...tagged("spring_2_9f_0") })
        yield* sendEmail({ subject: "Three", to: "complained@resend.dev", ...tagged("spring_9f_2") })
        yield* sendEmail({ subject: "Four", to: "later@example.com", scheduled_at: "in 1 h", ...tagged("spring_a0_0") })

        const { after, data, has_more } = yield* inbox("campaigns")
        assert.deepStrictEqual([after, has_more], [null, false])
        assert.deepStrictEqual(data.map(({ name }: { name: string }) => name), ["spring_2", "spring"])
        const spring = yield* inbox("campaigns/spring")
        assert.deepStrictEqual(data[1], spring)
        const [four, , , , one] = (yield* inbox("emails")).data
        assert.deepStrictEqual(spring, {
          name: "spring",
          emails: 4,
          first_at: one.created_at,
          last_at: four.created_at,
          events: { bounced: 1, complained: 1, delivered: 1, scheduled: 1 },
          repeated: 0
        })

        assert.deepStrictEqual(yield* subjects("emails?campaign=spring"), ["Four", "Three", "Two", "One"])
        assert.deepStrictEqual(yield* subjects("emails?campaign=spring&q=three"), ["Three"])
        assert.deepStrictEqual(yield* subjects("emails?campaign=sprin"), [])
        assert.deepStrictEqual(
          (yield* inbox("emails")).data.map(({ campaign }: { campaign: string | null }) => campaign),
          ["spring", "spring", "spring_2", "spring", "spring", null]
        )
        assert.strictEqual((yield* inbox(`emails/${first}`)).campaign, "spring")

        yield* post(`/emails/${four.id}/cancel`, {})
        assert.deepInclude((yield* inbox("campaigns/spring")).events, { canceled: 1, delivered: 1 })
        assert.notProperty((yield* inbox("campaigns/spring")).events, "scheduled")
        // The service itself does not know of them.
        assert.notInclude((yield* send("/emails")).text, "campaign")
      }).pipe(own))

    it.scopedLive("say how many addresses have more than one email", () =>
      Effect.gen(function*() {
        const repeated = Effect.map(inbox("campaigns/spring"), ({ repeated }) => repeated)
        const to = (to: string, value: string) => sendEmail({ to, ...tagged(value) })
        yield* to("ada@example.com", "spring_a_0")
        yield* to("bob@example.com", "spring_a_1")
        yield* to("ada@example.com", "autumn_a_0")
        assert.strictEqual(yield* repeated, 0)
        const again = yield* to("Ada <ADA@example.com>", "spring_b_0")
        assert.strictEqual(yield* repeated, 1)
        yield* to("ada@example.com", "spring_c_0")
        assert.strictEqual(yield* repeated, 1)
        yield* to("bob@example.com", "spring_c_1")
        assert.strictEqual(yield* repeated, 2)
        assert.strictEqual((yield* inbox("campaigns/autumn")).repeated, 0)

        const store = yield* Store
        const { items } = yield* store.page({ name: "emails", campaign: "spring" }, { limit: 10 })
        const ids = items.map((json): string => JSON.parse(json).id)
        yield* store.atomically((objects) => objects.remove({ name: "emails" }, ids.slice(0, 2)))
        // Of Ada's, two are left.
        assert.strictEqual(yield* repeated, 1)
        yield* store.delete(Resource.emails, [EmailId.make(again)])
        assert.deepInclude(yield* inbox("campaigns/spring"), { emails: 2, repeated: 0, events: { delivered: 2 } })
      }).pipe(own))

    it.scopedLive("are in pages, the one that began last first, and are gone with their emails", () =>
      Effect.gen(function*() {
        const store = yield* Store
        const emails = Array.from({ length: 70 }, (_, index) => stored(index, `c${index % 7}`))
        yield* store.insert(Resource.emails, emails)
        assert.deepStrictEqual(yield* names("campaigns?limit=3"), ["c6", "c5", "c4"])
        assert.strictEqual((yield* inbox("campaigns?limit=3")).after, "c4")
        assert.deepStrictEqual(yield* names("campaigns?limit=3&after=c4"), ["c3", "c2", "c1"])
        const last = yield* inbox("campaigns?limit=3&after=c1")
        assert.deepStrictEqual([last.data.length, last.has_more, last.after], [1, false, null])

        const ids = (path: string) => Effect.map(inbox(path), ({ data }) => data.map(({ id }: { id: string }) => id))
        assert.deepStrictEqual(yield* ids("emails?campaign=c3&limit=2"), ["email-66", "email-59"])
        assert.deepStrictEqual(yield* ids("emails?campaign=c3&limit=2&after=email-59"), ["email-52", "email-45"])
        // A cursor stays one when it is deleted, and is never one of another campaign.
        yield* store.delete(Resource.emails, [EmailId.make("email-59"), EmailId.make("email-52")])
        assert.deepStrictEqual(yield* ids("emails?campaign=c3&limit=2&after=email-59"), ["email-45", "email-38"])
        const before = yield* store.page({ name: "emails", campaign: "c3" }, { limit: 5, before: "email-45" })
        assert.deepStrictEqual(before.items.map((json) => JSON.parse(json).id), ["email-66"])
        const all = yield* store.atomically((objects) => objects.all({ name: "emails", campaign: "c3" }))
        assert.strictEqual(all.length, 8)
        for (
          const path of [
            "emails?campaign=c3&after=email-60",
            "emails?campaign=%00&after=email-60",
            "campaigns?after=c9",
            "campaigns?after=%00",
            "campaigns/c9",
            "campaigns/%00",
            "campaigns/c1/emails"
          ]
        ) {
          assertError(yield* send(`/inbox/api/${path}`), 404, "not_found")
        }
        assert.deepStrictEqual(yield* ids("emails?campaign=%00"), [])
        assertError(yield* send("/inbox/api/campaigns?limit=101"), 422, "validation_error")
        assertError(yield* send("/inbox/api/campaigns", { method: "DELETE" }), 405, "method_not_allowed")

        const other = yield* store.forAccount("other").campaigns({ limit: 5 })
        assert.deepStrictEqual(other, { items: [], has_more: false })
        yield* inbox("emails", { method: "DELETE" })
        assert.deepStrictEqual(yield* inbox("campaigns"), { data: [], has_more: false, after: null })
        assertError(yield* send("/inbox/api/campaigns/c3"), 404, "not_found")
      }).pipe(own))

    it.scopedLive("count an email as what it was changed to, once", () =>
      Effect.gen(function*() {
        const store = yield* Store
        yield* store.insert(Resource.emails, [stored(1, "x"), stored(2, "x")])
        const change = (fields: Partial<Email>) =>
          store.update(Resource.emails, EmailId.make("email-2"), (email) => Either.right({ ...email, ...fields }))
        yield* change({ last_event: "opened" })
        assert.deepInclude(yield* inbox("campaigns/x"), { emails: 2, events: { delivered: 1, opened: 1 }, repeated: 0 })
        yield* change({ to: ["1@example.com"], last_event: null })
        assert.deepInclude(yield* inbox("campaigns/x"), { events: { delivered: 1, unknown: 1 }, repeated: 1 })
        const email = yield* store.get({ name: "emails" }, "email-2")
        yield* store.atomically((objects) => objects.put({ name: "emails" }, { ...email, last_event: "clicked" }))
        assert.deepInclude(yield* inbox("campaigns/x"), { emails: 2, events: { clicked: 1, delivered: 1 } })
        const [shown] = (yield* inbox("emails?campaign=x")).data
        assert.strictEqual(shown.last_event, "clicked")
      }).pipe(own))

    it.scopedLive("can be waited for, in the process and over HTTP", () =>
      Effect.gen(function*() {
        const waiting = yield* Effect.fork(
          Inbox.waitFor({ campaign: "spring", to: "ada@example.com", timeout: "20 seconds" })
        )
        const asking = yield* Effect.fork(inbox("wait?campaign=spring&to=ada@example.com&timeout=20"))
        yield* sendEmail({ subject: "Hello" })
        yield* sendEmail({ to: "bob@example.com", ...tagged("spring_0_0") })
        const id = yield* sendEmail({ ...tagged("spring_0_1") })
        yield* sendEmail({ subject: "Hello" })
        const found = yield* Fiber.join(waiting)
        assert.deepStrictEqual([found.id, found.campaign], [id, "spring"])
        assert.strictEqual((yield* Fiber.join(asking)).id, id)
        const error = yield* Effect.flip(Inbox.waitFor({ campaign: "autumn", timeout: 0 }))
        assert.match(error.message, /^No email of the campaign autumn arrived/)
      }).pipe(own))
  })
}

describe("the campaign of an email", () => {
  it.scopedLive("is read from the end of its tag", () =>
    Effect.gen(function*() {
      const cases: ReadonlyArray<readonly [value: string, campaign: string | null]> = [
        ["a_b_1", "a"],
        ["a_b_1_c_2", "a_b_1"],
        ["-_-_0_0", "-_-"],
        ["__ff_00", "_"],
        ["_ff_0", null],
        ["a_FF_0", null],
        ["a_g_0", null],
        ["a_f_x", null],
        [`${"n".repeat(100)}_f_0`, "n".repeat(100)],
        [`${"n".repeat(101)}_f_0`, null]
      ]
      for (const [value, campaign] of cases) {
        const id = yield* sendEmail({ tags: [{ name: "mailstream", value }] })
        assert.strictEqual((yield* inbox(`emails/${id}`)).campaign, campaign, value)
        assert.strictEqual((yield* inbox("emails?limit=1")).data[0].campaign, campaign, value)
      }
    }).pipe(Effect.provide(Server.layerTest())))
})

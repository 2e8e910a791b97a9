import { assert, describe, it } from "@effect/vitest"
import { ContactId, NotFound, ReceivedEmailId, Resource, SegmentId } from "@mailstream/core"
import { ApiKeys, Contacts, Emails, Mailstream, ReceivedEmailAttachments, Topics } from "@mailstream/http"
import { Effect, Layer } from "effect"
import { samples } from "./support/samples.ts"

const contacts = samples(Resource.contacts)
const vips = SegmentId.make("vips")

describe("test layers", () => {
  it.effect("follow the API's paging rules", () =>
    Effect.gen(function*() {
      const { list } = yield* Contacts
      assert.deepStrictEqual(yield* list(), { object: "list", has_more: false, data: contacts })
      const first = yield* list({ limit: 2 })
      assert.deepStrictEqual(first, { object: "list", has_more: true, data: contacts.slice(0, 2) })
      const second = yield* list({ limit: 2, after: first.data[1]!.id })
      assert.deepStrictEqual(second.data, contacts.slice(2, 4))
      assert.strictEqual((yield* Effect.flip(list({ limit: 0 })))._tag, "validation_error")
      const gone = ContactId.make("00000000-0000-0000-0000-000000000000")
      assert.instanceOf(yield* Effect.flip(list({ after: gone })), NotFound)
    }).pipe(Effect.provide(Contacts.layerTest(contacts))))

  it.effect("return 20 items if a list is always paginated", () =>
    Effect.gen(function*() {
      const emails = yield* Emails
      const page = yield* emails.list()
      assert.deepStrictEqual([page.data.length, page.has_more], [20, true])
    }).pipe(Effect.provide(Emails.layerTest(samples(Resource.emails, 25)))))

  it.effect("apply the filter", () =>
    Effect.gen(function*() {
      const { list } = yield* Contacts
      assert.deepStrictEqual((yield* list({ filter: { segment_id: vips } })).data, contacts.slice(0, 1))
      assert.deepStrictEqual((yield* list()).data, contacts)
      const attachments = yield* ReceivedEmailAttachments
      assert.deepStrictEqual((yield* attachments.list({ filter: { email_id: ReceivedEmailId.make("e") } })).data, [])
    }).pipe(
      Effect.provide(
        Mailstream.layerTest({ contacts: (filter) => filter?.segment_id === vips ? contacts.slice(0, 1) : contacts })
      )
    ))

  const createTwo = Effect.gen(function*() {
    const topics = yield* Topics
    const one = yield* topics.create({ name: "One", default_subscription: "opt_in" })
    const two = yield* topics.create({ name: "Two" })
    const { data } = yield* topics.list()
    return { one, two, data }
  })

  it.effect("list created topics, newest first, and start over each time they are built", () =>
    Effect.gen(function*() {
      const layer = Topics.layerTest([])
      const { data, one, two } = yield* Effect.provide(createTwo, Layer.fresh(layer))
      assert.deepStrictEqual(data.map(({ id, name }) => [id, name]), [[two.id, "Two"], [one.id, "One"]])
      assert.notStrictEqual(one.id, two.id)
      assert.strictEqual((yield* Effect.provide(createTwo, Layer.fresh(layer))).data.length, 2)
      const error = yield* Effect.flatMap(Topics, (topics) => topics.create({ name: "x".repeat(51) })).pipe(
        Effect.flip,
        Effect.provide(layer)
      )
      assert.strictEqual(error._tag, "validation_error")
    }))

  it.effect("are empty by default", () =>
    Effect.gen(function*() {
      const keys = yield* ApiKeys
      assert.deepStrictEqual((yield* keys.list()).data, [])
    }).pipe(Effect.provide(Mailstream.layerTest())))
})

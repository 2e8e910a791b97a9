import { KeyValueStore } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { type Contact, ContactId, Position, ReceivedEmailId, Resource, SegmentId, Timestamp } from "@mailstream/core"
import { Contacts, Mailstream } from "@mailstream/http"
import { contacts, List } from "@mailstream/stream"
import * as Exported from "@mailstream/stream/Lists"
import { Chunk, Effect, Layer, Schema, Stream } from "effect"

const contact = (n: number): Contact => ({
  id: ContactId.make(`00000000-0000-4000-8000-${String(n).padStart(12, "0")}`),
  email: `${n}@example.com`,
  first_name: null,
  last_name: null,
  created_at: Timestamp.Timestamp.make("2025-11-30 20:41:40.84216+00"),
  unsubscribed: false
})

const all = Array.from({ length: 250 }, (_, index) => contact(250 - index))
const segment_id = SegmentId.make("s-1")
const members = all.filter((_, index) => index % 3 === 0)

const { mapLists, ...Lists } = Exported

const test = Mailstream.layerTest({
  contacts: (filter) => filter?.segment_id === segment_id ? members : all,
  receivedEmailAttachments: ({ email_id }) => [{ id: `${email_id}-1` as never }]
})

const collect = <A, E, R>(stream: Stream.Stream<A, E, R>) =>
  Effect.map(Stream.runCollect(stream), Chunk.toReadonlyArray)

describe("lists", () => {
  it("there are ten, and the seven optional-limit ones have `whole`", () => {
    const whole = Object.entries(Lists).filter(([, list]) => "whole" in list).map(([name]) => name)
    assert.strictEqual(Object.keys(Lists).length, 10)
    assert.deepStrictEqual(whole.sort(), [
      "apiKeys",
      "broadcasts",
      "contacts",
      "domains",
      "receivedEmailAttachments",
      "receivedEmails",
      "segments"
    ])
  })

  it("generic code can be applied to all of them", () => {
    const names = mapLists((list) => `${list.resource.name}${List.isOptionalLimit(list) ? "" : ", always paginated"}`)
    assert.deepStrictEqual<ReadonlyArray<string>>(
      names,
      Resource.all.map(({ name, pagination }) => `${name}${pagination === "optional" ? "" : ", always paginated"}`)
    )
  })

  it.effect("each of them walks with only its own service", () =>
    Effect.gen(function*() {
      const { contacts, receivedEmailAttachments, ...others } = Lists
      for (const list of Object.values(others)) {
        assert.deepStrictEqual(yield* collect<unknown, unknown, Mailstream.Mailstream>(list.items()), [])
      }
      assert.deepStrictEqual(yield* collect(contacts.items()), all)
      const email_id = ReceivedEmailId.make("e-1")
      assert.deepStrictEqual(yield* collect(receivedEmailAttachments.items({ filter: { email_id } })), [{
        id: "e-1-1" as never
      }])
      assert.deepStrictEqual(yield* collect(receivedEmailAttachments.whole({ filter: { email_id } })), [{
        id: "e-1-1" as never
      }])
    }).pipe(Effect.provide(test)))

  it.effect("the filter applies to every page, and to `whole`", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* collect(Lists.contacts.items({ filter: { segment_id }, pageSize: 7 })), members)
      assert.deepStrictEqual(yield* collect(Lists.contacts.whole({ filter: { segment_id } })), members)
      const oldest = members[members.length - 1]!.id
      assert.deepStrictEqual(
        yield* collect(Lists.contacts.items({ filter: { segment_id }, from: Position.before(oldest), pageSize: 7 })),
        members.slice(0, -1).reverse()
      )
    }).pipe(Effect.provide(test)))

  it.effect("a filter that is not an id is rejected before a request", () =>
    Effect.gen(function*() {
      const contacts = Lists.contacts
      for (const stream of [contacts.items, contacts.whole, contacts.follow]) {
        const error = yield* Effect.flip(Stream.runDrain(stream({ filter: { segment_id: "" as SegmentId } })))
        assert.strictEqual(error._tag, "validation_error")
      }
      const error = yield* Effect.flip(Stream.runDrain(contacts.items({ from: Position.after("x" as ContactId) })))
      assert.strictEqual(error._tag, "validation_error")
    }).pipe(Effect.provide(test)))

  it.effect("a position of a filtered walk is resumed with the same filter only", () =>
    Effect.gen(function*() {
      const [page] = yield* collect(Stream.take(contacts.pages({ filter: { segment_id }, pageSize: 7 }), 1))
      assert(page !== undefined)
      const stored = Schema.parseJson(Position.schema(ContactId))
      const from = yield* Schema.decode(stored)(yield* Schema.encode(stored)(page.next))
      assert.deepStrictEqual(yield* collect(contacts.items({ filter: { segment_id }, from })), members.slice(7))
      for (const options of [{ from }, { from, filter: { segment_id: SegmentId.make("s-2") } }]) {
        const error = yield* Effect.flip(collect(contacts.items(options)))
        assert(error._tag === "InvalidOption")
        assert.include(error.message, "s-1")
      }
    }).pipe(Effect.provide(test)))

  it.effect("a service is asked for its filter and the page, and nothing else", () =>
    Effect.gen(function*() {
      const received: Array<unknown> = []
      const service = Effect.map(Contacts, (contacts) => ({
        ...contacts,
        list: ((options) => {
          received.push(options)
          return contacts.list(options)
        }) satisfies typeof contacts.list
      }))
      yield* Stream.runDrain(Lists.contacts.items({ filter: { segment_id }, pageSize: 60, prefetch: 0 })).pipe(
        Effect.provide(Layer.effect(Contacts, service))
      )
      assert.deepStrictEqual(received, [
        { filter: { segment_id }, limit: 60 },
        { filter: { segment_id }, limit: 60, after: members[59]!.id }
      ])
    }).pipe(Effect.provide(test)))

  it.effect("a checkpoint belongs to its list and filter", () =>
    Effect.gen(function*() {
      const filter = { segment_id }
      yield* Lists.contacts.processPages("key", (pages) =>
        pages.pipe(Stream.take(1), Stream.runForEach(({ commit }) => commit)), { filter, pageSize: 10 })
      const ignore = () =>
        Effect.void
      const errors = yield* Effect.all([
        Effect.flip(Lists.contacts.process("key", ignore)),
        Effect.flip(Lists.contacts.process("key", ignore, { filter: { segment_id: SegmentId.make("s-2") } })),
        Effect.flip(Lists.topics.process("key", ignore)),
        Effect.flip(Lists.contacts.process("key", ignore, { filter, from: Position.before(all[0]!.id) }))
      ])
      const reasons = errors.map((error) =>
        error._tag === "CheckpointError" && error.reason
      )
      assert.deepStrictEqual(reasons, ["Mismatch", "Mismatch", "Mismatch", "Mismatch"])
      const rest: Array<Contact> = []
      yield* Lists.contacts.process("key", (contact) => Effect.sync(() => rest.push(contact)), { filter })
      assert.deepStrictEqual(rest, members.slice(10))
    }).pipe(Effect.provide(Layer.merge(test, KeyValueStore.layerMemory))))
})

import { KeyValueStore } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { type Contact, ContactId, Position, Resource, SegmentId, Timestamp } from "@mailstream/core"
import { Contacts, Mailstream } from "@mailstream/http"
import { contacts, Follow, List } from "@mailstream/stream"
import * as Exported from "@mailstream/stream/Lists"
import { Chunk, Effect, Either, Layer, Schedule, Schema, Stream } from "effect"
import { filtersOf, itemsOf, moduleOf, nameOf } from "./support/table.ts"

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
  contacts: (filter) => filter?.segment_id === segment_id ? members : all
})

const collect = <A, E, R>(stream: Stream.Stream<A, E, R>) =>
  Effect.map(Stream.runCollect(stream), Chunk.toReadonlyArray)

describe("lists", () => {
  it("follow from the table: `whole` where the limit is optional, `follow` where the newest item comes first", () => {
    const ways = ["items", "pages", "process", "processPages"]
    assert.deepStrictEqual(
      Object.fromEntries(
        Object.entries(Lists).map((
          [name, list]
        ) => [name, Object.keys(list).filter((way) => way !== "descriptor").sort()])
      ),
      Object.fromEntries(
        Resource.all.map((resource) => [
          nameOf(resource),
          [
            ...ways,
            ...(resource.pagination === "optional" ? ["whole"] : []),
            ...("isUnordered" in resource && resource.isUnordered === true ? [] : ["follow"])
          ].sort()
        ])
      )
    )
  })

  it("generic code can be applied to all of them", () => {
    const names = mapLists((list) => `${list.resource.name}${List.isOptionalLimit(list) ? "" : ", always paginated"}`)
    assert.deepStrictEqual<ReadonlyArray<string>>(
      names,
      Resource.all.map(({ name, pagination }) => `${name}${pagination === "optional" ? "" : ", always paginated"}`)
    )
  })

  describe.each(Resource.all.map((resource) => [resource.name, resource] as const))("%s", (name, resource) => {
    const size = 25
    const all = itemsOf(resource, size)
    const filters = filtersOf(resource)
    /** Each filter selects other items. */
    const selected = (filter: unknown) => {
      const index = filters.findIndex((known) => JSON.stringify(known) === JSON.stringify(filter))
      return all.filter((_, place) => place % (index + 1) === 0)
    }
    const services = Layer.merge(
      Mailstream.layerTest({ [nameOf(resource)]: selected as never }),
      KeyValueStore.layerMemory
    )
    const module = moduleOf(resource)
    const given = (filter: unknown) => ({ filter } as { readonly filter?: { readonly segment_id: SegmentId } })

    it.effect("walks under each filter: items, pages, some of them, ahead, whole and handled", () =>
      Effect.gen(function*() {
        assert.isAbove(filters.length, 0)
        for (const filter of filters) {
          const options = given(filter)
          const expected: ReadonlyArray<unknown> = selected(filter)
          const items = (more: object = {}) => collect(module.items({ ...options, pageSize: 4, ...more }))
          assert.deepStrictEqual<ReadonlyArray<unknown>>(yield* items(), expected)
          assert.deepStrictEqual<ReadonlyArray<unknown>>(yield* items({ prefetch: 2 }), expected)
          assert.deepStrictEqual<ReadonlyArray<unknown>>(yield* items({ take: 5 }), expected.slice(0, 5))
          const pages = yield* collect(module.pages({ ...options, pageSize: 4 }))
          assert.deepStrictEqual<ReadonlyArray<unknown>>(pages.flatMap(({ data }) => data), expected)
          if (module.whole !== undefined) {
            assert.deepStrictEqual<ReadonlyArray<unknown>>(yield* collect(module.whole(options)), expected)
          }
          const handled: Array<unknown> = []
          const key = `each ${JSON.stringify(filter)}`
          yield* module.process(key, (item) => Effect.sync(() => handled.push(item)), options)
          assert.deepStrictEqual(handled, expected)
        }
      }).pipe(Effect.provide(services)))

    it.effect("resumes a position, and a checkpoint, under the same filter only", () =>
      Effect.gen(function*() {
        const stored = Schema.parseJson(Position.schema(ContactId))
        for (const [index, filter] of filters.entries()) {
          const [page] = yield* collect(Stream.take(module.pages({ ...given(filter), pageSize: 4 }), 1))
          const from = yield* Schema.decode(stored)(yield* Schema.encode(stored)(page!.next))
          const key = `key-${index}`
          yield* module.processPages(key, (pages) =>
            pages.pipe(Stream.take(1), Stream.runForEach(({ commit }) => commit)), { ...given(filter), pageSize: 4 })
          for (const other of filters) {
            const options = given(other)
            if (other === filter) {
              assert.deepStrictEqual<ReadonlyArray<unknown>>(
                yield* collect(module.items({ ...options, from })),
                selected(filter).slice(4)
              )
              continue
            }
            const error = yield* Effect.flip(module.process(key, () =>
              Effect.void, options))
            assert.strictEqual(error._tag === "CheckpointError" && error.reason, "Mismatch", JSON.stringify(other))
            // A position without a filter says nothing about one, as if it were made by hand.
            if (filter === undefined) {
              continue
            }
            const refused = yield* Effect.flip(collect(module.items({ ...options, from })))
            assert(refused._tag === "InvalidOption")
            assert.include(refused.message, Resource.selection(resource as never, filter as never)!)
          }
        }
      }).pipe(Effect.provide(services)))

    it.effect("is followed, unless it does not say what is new", () =>
      Effect.gen(function*() {
        const followers = mapLists((list) => {
          const filter: unknown = filters[0]
          return list.resource.name === name && list.resource.isFilter(filter)
            ? [Follow.items(list.source(filter), { poll: Schedule.recurs(1) })]
            : []
        })
        const result = yield* Effect.either(collect(followers.flat()[0]!))
        if (module.follow !== undefined) return assert.deepStrictEqual(result, Either.right([]))
        assert(Either.isLeft(result) && result.left._tag === "InvalidOption")
        assert.strictEqual(
          result.left.message,
          `follow needs a list with its newest item first, which ${name} need not have: nothing would say what is new`
        )
      }).pipe(Effect.provide(services)))
  })

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

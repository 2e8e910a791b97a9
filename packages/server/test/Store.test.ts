import { assert, describe, layer } from "@effect/vitest"
import {
  ApiKeyId,
  type Contact,
  ContactId,
  NotFound,
  ReceivedEmailAttachmentId,
  ReceivedEmailId,
  Resource,
  SegmentId,
  Timestamp
} from "@mailstream/core"
import { Store, StoreError } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import { Chunk, Effect, Either, FastCheck as fc, Schema, Stream } from "effect"
import { randomUUID } from "node:crypto"
import { Model } from "./support/model.ts"
import { stores } from "./support/stores.ts"

const ids = (items: Iterable<string>): ReadonlyArray<string> => Array.from(items, (json): string => JSON.parse(json).id)

const newContact = (id: string) => ({ ...SampleData.contact(0), id: ContactId.make(id) })

const newSegment = Effect.gen(function*() {
  const store = yield* Store
  const id = SegmentId.make(randomUUID())
  yield* store.insert(Resource.segments, [{ id, name: "test" }])
  return id
})

const newEmail = Effect.gen(function*() {
  const store = yield* Store
  const id = ReceivedEmailId.make(randomUUID())
  yield* store.insert(Resource.receivedEmails, [{ id }])
  return id
})

/** One step of a history: what happens, and to which items. Numbers select from the items at that time. */
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ act: fc.constant("insert" as const), count: fc.integer({ min: 1, max: 4 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant("insertInto" as const), count: fc.integer({ min: 1, max: 3 }) })
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constant("delete" as const), which: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant("update" as const), which: fc.nat(), name: fc.string() }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant("join" as const), which: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant("leave" as const), which: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant("attach" as const), count: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("detach" as const), which: fc.nat() }) },
  {
    weight: 8,
    arbitrary: fc.record({
      act: fc.constant("page" as const),
      list: fc.constantFrom("contacts" as const, "members" as const, "attachments" as const),
      direction: fc.constantFrom("start" as const, "after" as const, "before" as const),
      which: fc.nat(),
      limit: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined })
    })
  }
)

describe.each(stores)("%s", (_, store) => {
  layer(store)((it) => {
    it.effect("agrees with a naive model after any history", () =>
      Effect.gen(function*() {
        const store = yield* Store
        // The contacts of earlier histories stay.
        const contacts = new Model()
        const names = new Map<string, string>()
        /** The ids of items, whose names are those that they were given last. */
        const idsOf = (items: Iterable<string>): ReadonlyArray<string> =>
          Array.from(items, (json) => {
            const { first_name, id } = JSON.parse(json)
            if (names.has(id)) assert.strictEqual(first_name, names.get(id))
            return id
          })
        for (const history of fc.sample(fc.array(step, { minLength: 20, maxLength: 60 }), { seed: 7, numRuns: 25 })) {
          const segment_id = yield* newSegment
          const email_id = yield* newEmail
          const members = new Model()
          const attachments = new Model()
          const lists = {
            contacts: [contacts, { name: "contacts" }],
            members: [members, { name: "contacts", within: segment_id }],
            attachments: [attachments, { name: "received-email-attachments", within: email_id }]
          } as const
          for (const step of history) {
            switch (step.act) {
              case "insert":
              case "insertInto": {
                const added = Array.from({ length: step.count }, () => newContact(randomUUID()))
                yield* store.insert(Resource.contacts, added, step.act === "insert" ? undefined : { segment_id })
                for (const { id } of added) {
                  contacts.add(id)
                  if (step.act === "insertInto") members.add(id)
                }
                break
              }
              case "delete": {
                const id = contacts.pick(step.which)
                if (id === undefined) break
                yield* store.delete(Resource.contacts, [ContactId.make(id)])
                contacts.remove(id)
                members.remove(id)
                break
              }
              case "update": {
                const id = contacts.pick(step.which)
                if (id === undefined) break
                const updated = yield* Effect.either(
                  store.update(
                    Resource.contacts,
                    ContactId.make(id),
                    (contact) => Either.right({ ...contact, first_name: step.name })
                  )
                )
                assert.strictEqual(updated._tag, contacts.has(id) ? "Right" : "Left")
                if (contacts.has(id)) names.set(id, step.name)
                break
              }
              case "join": {
                const id = contacts.pick(step.which)
                if (id === undefined) break
                const joined = yield* Effect.either(store.join(segment_id, [ContactId.make(id)]))
                assert.strictEqual(joined._tag, contacts.has(id) ? "Right" : "Left")
                if (contacts.has(id)) members.add(id)
                break
              }
              case "leave": {
                const id = members.pick(step.which)
                if (id === undefined) break
                yield* store.leave(segment_id, [ContactId.make(id)])
                members.remove(id)
                break
              }
              case "attach": {
                const added = Array.from(
                  { length: step.count },
                  () => ({ id: ReceivedEmailAttachmentId.make(randomUUID()) })
                )
                yield* store.insert(Resource.receivedEmailAttachments, added, { email_id })
                for (const { id } of added) attachments.add(id)
                break
              }
              case "detach": {
                const id = attachments.pick(step.which)
                if (id === undefined) break
                const attachment = ReceivedEmailAttachmentId.make(id)
                yield* store.delete(Resource.receivedEmailAttachments, [attachment], { email_id })
                attachments.remove(id)
                break
              }
              case "page": {
                const [model, list] = lists[step.list]
                const cursor = step.direction === "start" ? undefined : model.pick(step.which)
                const request = cursor === undefined
                  ? {}
                  : step.direction === "after"
                  ? { after: cursor }
                  : { before: cursor }
                const expected = model.page({ ...request, limit: step.limit })
                if (step.limit === undefined) {
                  const all = yield* Effect.flatMap(store.all(list, request), Stream.runCollect)
                  assert.deepStrictEqual(idsOf(all), expected.ids)
                } else {
                  const { has_more, items } = yield* store.page(list, { ...request, limit: step.limit })
                  assert.deepStrictEqual({ ids: idsOf(items), has_more }, expected)
                }
              }
            }
          }
        }
      }), 60_000)

    it.effect("keeps a walk complete while items are inserted and deleted", () =>
      Effect.gen(function*() {
        const store = yield* Store
        const segment_id = yield* newSegment
        const list = { name: "contacts", within: segment_id }
        const first = Array.from({ length: 30 }, () => newContact(randomUUID()))
        yield* store.insert(Resource.contacts, first, { segment_id })
        const seen: Array<string> = []
        let last = yield* store.page(list, { limit: 4 })
        seen.push(...ids(last.items))
        while (last.has_more) {
          // Deletes the cursor itself and an item not seen yet, and inserts a new one.
          const cursor = seen.at(-1)!
          const doomed = first.filter(({ id }) => !seen.includes(id)).at(-3)?.id
          const gone = [ContactId.make(cursor), ...(doomed === undefined ? [] : [doomed])]
          yield* store.delete(Resource.contacts, gone)
          yield* store.insert(Resource.contacts, [newContact(randomUUID())], { segment_id })
          last = yield* store.page(list, { limit: 4, after: cursor })
          seen.push(...ids(last.items))
        }
        assert.strictEqual(new Set(seen).size, seen.length)
        const left = ids(yield* Effect.flatMap(store.all(list, {}), Stream.runCollect))
        for (const { id } of first) if (left.includes(id)) assert.include(seen, id)
      }))

    describe("update", () => {
      const rename = (first_name: string) => (contact: Contact) => Either.right({ ...contact, first_name })

      it.effect("changes an item in every list that it is in, and nothing else", () =>
        Effect.gen(function*() {
          const store = yield* Store
          const segment_id = yield* newSegment
          const three = Array.from({ length: 3 }, () => newContact(randomUUID()))
          yield* store.insert(Resource.contacts, three, { segment_id })
          const lists = [{ name: "contacts" }, { name: "contacts", within: segment_id }]
          const read = Effect.forEach(lists, (list) => store.page(list, { limit: 3 }))
          const before = yield* read
          const updated = yield* store.update(Resource.contacts, three[1]!.id, rename("Zoë \ud83d\ude00"))
          assert.deepStrictEqual(updated, { ...three[1]!, first_name: "Zoë \ud83d\ude00" })
          const json = JSON.stringify(Schema.encodeSync(Resource.contacts.item)(updated))
          assert.deepStrictEqual(
            yield* read,
            before.map(({ has_more, items: [newest, , oldest] }) => ({ has_more, items: [newest!, json, oldest!] }))
          )
          // A cursor keeps its place.
          const { items } = yield* store.page(lists[1]!, { limit: 3, after: updated.id })
          assert.deepStrictEqual(ids(items), [three[0]!.id])
        }))

      it.effect("identifies what has an owner within it", () =>
        Effect.gen(function*() {
          const store = yield* Store
          const [email_id, other] = [yield* newEmail, yield* newEmail]
          const id = ReceivedEmailAttachmentId.make(randomUUID())
          for (const owner of [email_id, other]) {
            yield* store.insert(Resource.receivedEmailAttachments, [{ id, size: 1 }], { email_id: owner })
          }
          yield* store.update(
            Resource.receivedEmailAttachments,
            id,
            (attachment) => Either.right({ ...attachment, size: 2 }),
            { email_id }
          )
          const sizes = yield* Effect.forEach([email_id, other], (within) =>
            Effect.map(
              store.page({ name: "received-email-attachments", within }, { limit: 1 }),
              ({ items }): unknown => JSON.parse(items[0]!).size
            ))
          assert.deepStrictEqual(sizes, [2, 1])
        }))

      it.effect("changes nothing if it fails", () =>
        Effect.gen(function*() {
          const store = yield* Store
          const [contact, gone] = [newContact(randomUUID()), newContact(randomUUID())]
          yield* store.insert(Resource.contacts, [gone, contact])
          yield* store.delete(Resource.contacts, [gone.id])
          const change = (id: string, change: (contact: Contact) => Either.Either<Contact, string>) =>
            Effect.flip(store.update(Resource.contacts, ContactId.make(id), change))
          const before = yield* store.page({ name: "contacts" }, { limit: 2 })
          for (const id of [gone.id, randomUUID()]) {
            const error = yield* change(id, rename("Nobody"))
            assert.instanceOf(error, NotFound)
          }
          assert.strictEqual(yield* change(contact.id, () => Either.left("not allowed")), "not allowed")
          const other = yield* change(contact.id, (contact) => Either.right({ ...contact, id: gone.id }))
          assert(other instanceof StoreError)
          assert.strictEqual(other.reason, "Invalid")
          const wrong = yield* change(contact.id, (contact) => Either.right({ ...contact, email: 1 as never }))
          assert(wrong instanceof StoreError)
          assert.strictEqual(wrong.reason, "Invalid")
          assert.deepStrictEqual(yield* store.page({ name: "contacts" }, { limit: 2 }), before)
        }))

      it.effect("is atomic: no change is lost among others", () =>
        Effect.gen(function*() {
          const store = yield* Store
          const contact = { ...newContact(randomUUID()), first_name: "0" }
          yield* store.insert(Resource.contacts, [contact])
          const increase = store.update(
            Resource.contacts,
            contact.id,
            (contact) => Either.right({ ...contact, first_name: String(Number(contact.first_name) + 1) })
          )
          yield* Effect.replicateEffect(increase, 20, { concurrency: "unbounded", discard: true })
          assert.strictEqual((yield* increase).first_name, "21")
        }))

      it.effect("concerns one account", () =>
        Effect.gen(function*() {
          const store = yield* Store
          const other = store.forAccount("other")
          const contact = newContact(randomUUID())
          yield* other.insert(Resource.contacts, [contact])
          assert.instanceOf(yield* Effect.flip(store.update(Resource.contacts, contact.id, rename("x"))), NotFound)
          yield* store.insert(Resource.contacts, [contact])
          yield* store.update(Resource.contacts, contact.id, rename("ours"))
          const { items: [theirs = ""] } = yield* other.page({ name: "contacts" }, { limit: 1 })
          assert.strictEqual(JSON.parse(theirs).first_name, contact.first_name)
        }))
    })

    it.effect("reports a cursor that was never an item, even one that no database accepts", () =>
      Effect.gen(function*() {
        const store = yield* Store
        const segment = yield* newSegment
        for (const never of [randomUUID(), "not an id", "a\0b"]) {
          for (const list of [{ name: "topics" }, { name: "contacts", within: segment }]) {
            const requests: ReadonlyArray<Effect.Effect<unknown, NotFound | StoreError>> = [
              store.page(list, { limit: 1, after: never }),
              store.page(list, { limit: 1, before: never }),
              store.all(list, { after: never })
            ]
            for (const request of requests) {
              const error = yield* Effect.flip(request)
              assert(error._tag === "StoreError")
              assert.strictEqual(error.reason, "UnknownCursor")
            }
          }
        }
      }))

    it.effect("does not find a list whose owner never existed", () =>
      Effect.gen(function*() {
        const store = yield* Store
        const never = randomUUID()
        const requests: ReadonlyArray<Effect.Effect<unknown, NotFound | StoreError>> = [
          store.page({ name: "contacts", within: never }, { limit: 1 }),
          store.page({ name: "contacts", within: never }, { limit: 1, after: never }),
          store.all({ name: "received-email-attachments", within: never }, {})
        ]
        for (const request of requests) assert.instanceOf(yield* Effect.flip(request), NotFound)
      }))

    it.effect("uses an id once, and inserts all or nothing", () =>
      Effect.gen(function*() {
        const store = yield* Store
        const segment_id = yield* newSegment
        const [a, b, c] = [newContact(randomUUID()), newContact(randomUUID()), newContact(randomUUID())] as const
        yield* store.insert(Resource.contacts, [a, b], { segment_id })
        yield* store.delete(Resource.contacts, [a.id])
        const size = Effect.map(
          Effect.flatMap(store.all({ name: "contacts", within: segment_id }, {}), Stream.runCollect),
          Chunk.size
        )
        for (const again of [[c, a], [c, b], [c, c]]) {
          const error = yield* Effect.flip(store.insert(Resource.contacts, again, { segment_id }))
          assert.instanceOf(error, StoreError)
          assert.strictEqual(error.reason, "Duplicate")
          assert.strictEqual(yield* size, 1)
        }
        yield* store.insert(Resource.contacts, [c], { segment_id })
        assert.strictEqual(yield* size, 2)
      }))

    it.effect("inserts nothing into an owner that does not exist", () =>
      Effect.gen(function*() {
        const store = yield* Store
        const contact = newContact(randomUUID())
        const segment_id = SegmentId.make(randomUUID())
        const attachment = { id: ReceivedEmailAttachmentId.make(randomUUID()) }
        const email_id = ReceivedEmailId.make(randomUUID())
        const attempts = [
          store.insert(Resource.contacts, [contact], { segment_id }),
          store.insert(Resource.receivedEmailAttachments, [attachment], { email_id }),
          store.join(segment_id, [contact.id]),
          Effect.flatMap(newSegment, (segment) => store.join(segment, [contact.id]))
        ]
        for (const attempt of attempts) {
          assert.strictEqual((yield* Effect.flip(attempt)).reason, "Unknown")
        }
        // Not even as a contact without a segment.
        yield* store.insert(Resource.contacts, [contact])
      }))

    it.effect("rejects items that do not match their schema", () =>
      Effect.gen(function*() {
        const store = yield* Store
        const odd = { ...newContact(randomUUID()), created_at: "yesterday" as Timestamp.Timestamp }
        assert.strictEqual((yield* Effect.flip(store.insert(Resource.contacts, [odd]))).reason, "Invalid")
      }))

    it.effect("deletes the members of a segment and the attachments of an email with them", () =>
      Effect.gen(function*() {
        const store = yield* Store
        const segment_id = yield* newSegment
        const email_id = yield* newEmail
        const contact = newContact(randomUUID())
        yield* store.insert(Resource.contacts, [contact], { segment_id })
        const attachment = { id: ReceivedEmailAttachmentId.make(randomUUID()) }
        yield* store.insert(Resource.receivedEmailAttachments, [attachment], { email_id })
        yield* store.delete(Resource.segments, [segment_id])
        yield* store.delete(Resource.receivedEmails, [email_id])
        const members = store.page({ name: "contacts", within: segment_id }, { limit: 1 })
        assert.instanceOf(yield* Effect.flip(members), NotFound)
        const attachments = store.page({ name: "received-email-attachments", within: email_id }, { limit: 1 })
        assert.instanceOf(yield* Effect.flip(attachments), NotFound)
        assert.deepStrictEqual(ids((yield* store.page({ name: "contacts" }, { limit: 1 })).items), [contact.id])
      }))

    it.effect("finds a key by the first digits of its hash until it is deleted", () =>
      Effect.gen(function*() {
        const store = yield* Store
        const key = { ...SampleData.apiKey(1), id: ApiKeyId.make(randomUUID()), last_used_at: null }
        const hash = randomUUID().replaceAll("-", "").repeat(2)
        yield* store.insertKey(key, hash)
        yield* store.insertKey({ ...key, id: ApiKeyId.make(randomUUID()) }, hash)
        assert.deepStrictEqual(yield* store.findSecrets(hash.slice(0, 16)), [
          { account: "default", id: key.id, hash, permission: null }
        ])
        assert.deepStrictEqual(yield* store.findSecrets("0123456789abcdef"), [])
        const listed = Effect.map(
          store.page({ name: "api-keys" }, { limit: 2 }),
          ({ items }) => items.map((json) => JSON.parse(json))
        )
        assert.deepStrictEqual(yield* listed, [key])
        const at = Timestamp.fromEpochMicros(1_764_535_300_842_160n)
        yield* store.touchKey(key.id, at)
        assert.deepStrictEqual(yield* listed, [{ ...key, last_used_at: at }])
        yield* store.delete(Resource.apiKeys, [key.id])
        assert.deepStrictEqual(yield* listed, [])
        assert.deepStrictEqual(yield* store.findSecrets(hash.slice(0, 16)), [])
        yield* store.touchKey(key.id, at)
        assert.deepStrictEqual(yield* listed, [])
      }))

    it.effect("inserts and reads more items than one statement can hold", () =>
      Effect.gen(function*() {
        const store = yield* Store
        const templates = Array.from({ length: 2500 }, (_, number) => SampleData.template(number))
        yield* store.insert(Resource.templates, templates)
        const all = yield* Effect.flatMap(store.all({ name: "templates" }, {}), Stream.runCollect)
        assert.deepStrictEqual(ids(all), templates.map(({ id }) => id).reverse())
        yield* store.delete(Resource.templates, templates.slice(10).map(({ id }) => id))
        const { has_more, items } = yield* store.page({ name: "templates" }, { limit: 10 })
        assert.deepStrictEqual(ids(items), templates.slice(0, 10).map(({ id }) => id).reverse())
        assert.isFalse(has_more)
        // A cursor in the middle of the deleted items.
        const before = yield* store.page({ name: "templates" }, { limit: 10, before: templates[1200]!.id })
        assert.deepStrictEqual(before, { items: [], has_more: false })
        const after = yield* store.page({ name: "templates" }, { limit: 1, after: templates[1200]!.id })
        assert.deepStrictEqual(ids(after.items), [templates[9]!.id])
      }))
  })
})

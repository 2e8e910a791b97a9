import { assert, describe, it } from "@effect/vitest"
import { Resource } from "@mailstream/core"
import { SqlStore, Store } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import * as Temporary from "@mailstream/testing/Temporary"
import { Array, Effect, Layer, Schema, Stream } from "effect"

const samples = [
  [Resource.domains, SampleData.domain],
  [Resource.apiKeys, SampleData.apiKey],
  [Resource.broadcasts, SampleData.broadcast],
  [Resource.segments, SampleData.segment],
  [Resource.contacts, SampleData.contact],
  [Resource.receivedEmails, SampleData.receivedEmail],
  [Resource.emails, SampleData.email],
  [Resource.templates, SampleData.template],
  [Resource.topics, SampleData.topic]
] as const

const count = 500
const numbers = Array.range(0, count - 1)

const everything = Effect.gen(function*() {
  const store = yield* Store
  const lists = [...Resource.all.map(({ name }) => ({ name })), { name: "contacts", within: SampleData.segment(1).id }]
  return yield* Effect.forEach(
    lists,
    (list) => Effect.flatMap(store.all(list, {}), (items) => Effect.map(Stream.runCollect(items), Array.fromIterable))
  )
})

describe("sample data", () => {
  it.each(samples)("$name", (resource: { readonly item: Schema.Schema.AnyNoContext }, sample) => {
    const items: ReadonlyArray<{ readonly id: string; readonly created_at?: string }> = numbers.map((number) =>
      sample(number)
    ) as never
    assert.isTrue(Schema.is(Schema.Array(Schema.typeSchema(resource.item)))(items))
    assert.strictEqual(new Set(items.map(({ id }) => id)).size, count)
    const times = items.map(({ created_at }) => Date.parse(created_at!.replace("+00", "Z")))
    assert.deepStrictEqual(times, [...times].sort((a, b) => a - b))
    assert.deepStrictEqual<unknown>(items, numbers.map((number) => sample(number, 0)))
    assert.notDeepEqual<unknown>(items, numbers.map((number) => sample(number, 1)))
  })

  it("has realistic names, including missing ones", () => {
    const contacts = numbers.map((number) => SampleData.contact(number))
    const names = contacts.flatMap(({ first_name, last_name }) => [first_name, last_name])
    assert.include(names, null)
    for (const script of ["Latin", "Cyrillic", "Han", "Hiragana", "Arabic", "Devanagari", "Greek", "Hangul"]) {
      assert.isTrue(names.some((name) => name !== null && new RegExp(`\\p{Script=${script}}`, "u").test(name)), script)
    }
    assert.isTrue(contacts.every(({ email }) => /^[a-z.-]+\+\d+@[a-z.]+$/.test(email)))
    assert.strictEqual(new Set(contacts.map(({ email }) => email)).size, count)
    assert.deepStrictEqual([...new Set(contacts.map(({ unsubscribed }) => unsubscribed))].sort(), [false, true])
    assert.include(numbers.map((number) => SampleData.apiKey(number).last_used_at), null)
    assert.include(numbers.map((number) => SampleData.apiKey(number).name), "")
    assert.include(numbers.map((number) => SampleData.receivedEmail(number).subject), null)
  })

  it("has received emails with the listed attachments", () => {
    const sizes = numbers.map((number) => {
      const listed = SampleData.attachments(number)
      const told = SampleData.receivedEmail(number).attachments ?? []
      assert.deepStrictEqual(told.map(({ id, size }) => ({ id, size })), listed.map(({ id, size }) => ({ id, size })))
      return listed.length
    })
    assert.deepStrictEqual([...new Set(sizes)].sort(), [0, 1, 2, 3])
  })

  it.effect("is the same in every store, and a longer list starts with the shorter one", () =>
    Effect.gen(function*() {
      const fill = (contacts: number) =>
        Effect.zipRight(
          SampleData.insert({ contacts, segments: 4, receivedEmails: 3, topics: 2, seed: 0 }),
          everything
        ).pipe(Effect.provide(Store.layerMemory))
      const long = yield* fill(2300)
      assert.deepStrictEqual(long, yield* fill(2300))
      const short = yield* fill(70)
      const lengths = Object.fromEntries(Resource.all.map(({ name }, index) => [name, long[index]!.length]))
      assert.deepInclude(lengths, { contacts: 2300, segments: 4, "received-emails": 3, topics: 2, emails: 0 })
      assert.deepStrictEqual(long[4]!.slice(-70), short[4])
      // The last list is a segment: a quarter of every second contact, and every tenth of the segment before.
      const members = long.at(-1)!
      assert.isAbove(members.length, 2300 / 10)
      assert.isBelow(members.length, 2300 / 2)
      assert.isTrue(members.every((member) => long[4]!.includes(member)))
    }))

  it.scoped("is inserted only once, however often a server starts on its file", () =>
    Effect.gen(function*() {
      const store = SqlStore.layerSqlite({ filename: yield* Temporary.file("test.db") })
      const start = (contacts: number) =>
        Effect.provide(everything, Layer.provideMerge(SampleData.layer({ contacts, segments: 2 }), store))
      const first = yield* start(30)
      assert.strictEqual(first[4]!.length, 30)
      assert.deepStrictEqual(yield* start(30), first)
      const twice = SampleData.insert({ contacts: 30 })
      assert.strictEqual((yield* Effect.flip(Effect.provide(twice, store)))._tag, "StoreError")
    }))
})

import { assert, describe, it } from "@effect/vitest"
import { Resource } from "@mailstream/core"
import { Store } from "@mailstream/server"
import * as Activity from "@mailstream/server/Activity"
import * as SampleData from "@mailstream/server/SampleData"
import { Array, Chunk, Clock, Context, Deferred, Duration, Effect, FastCheck as fc, Layer, Stream } from "effect"
import { PCGRandom } from "effect/Utils"
import * as Changes from "../src/samples/Changes.ts"
import { stores } from "./support/stores.ts"

const names = ["contacts", "emails", "topics", "templates", "broadcasts"]

const newStore = Effect.map(Layer.build(Layer.fresh(Store.layerMemory)), Context.get(Store))

const all = (store: typeof Store.Service, name: string) =>
  Effect.flatMap(store.all({ name }, {}), Stream.runCollect).pipe(
    Effect.map((items) => Chunk.toReadonlyArray(items).map((json): { id: string } => JSON.parse(json)))
  )

/** A store that counts what is asked of it, and has time to do it. */
const counting = (store: typeof Store.Service) => {
  const counts = { insert: 0, update: 0, delete: 0 }
  const count = <A, E>(kind: keyof typeof counts, work: Effect.Effect<A, E>) =>
    Effect.tap(Effect.withClock(work, Clock.make()), () => void counts[kind]++)
  const counted: typeof Store.Service = {
    ...store,
    forAccount: () => counted,
    insert: (resource, items, ...into) => count("insert", store.insert(resource, items, ...into)),
    update: (resource, id, change, ...from) => count("update", store.update(resource, id, change, ...from)),
    delete: (resource, ids, ...from) => count("delete", store.delete(resource, ids, ...from))
  }
  return { counts, counted }
}

/** A clock on which this many sleeps take no time, and the next one never ends. */
const sleeping = (times: number) =>
  Effect.gen(function*() {
    const over = yield* Deferred.make<void>()
    let [millis, count] = [0, 0]
    const nanos = () => BigInt(Math.round(millis * 1e6))
    const clock: Clock.Clock = {
      [Clock.ClockTypeId]: Clock.ClockTypeId,
      unsafeCurrentTimeMillis: () => millis,
      unsafeCurrentTimeNanos: nanos,
      currentTimeMillis: Effect.sync(() => millis),
      currentTimeNanos: Effect.sync(nanos),
      sleep: (duration) =>
        Effect.suspend(() => {
          if (count++ === times) return Effect.zipRight(Deferred.succeed(over, undefined), Effect.never)
          millis += Duration.toMillis(duration)
          return Effect.yieldNow()
        })
    }
    return { clock, over: Deferred.await(over), millis: () => millis }
  })

/** Everything in the lists after an activity in which this many intervals have passed. */
const after = (options: Activity.Options, times: number, store: typeof Store.Service) =>
  Effect.gen(function*() {
    const { clock, over } = yield* sleeping(times)
    const running = Effect.provideService(Activity.run(options), Store, store)
    yield* Effect.raceFirst(Effect.withClock(running, clock), over)
    return yield* Effect.forEach(names, (name) => all(store, name))
  })

describe("activity", () => {
  it.scoped("creates, updates and deletes at its rate, leaves other items alone, and ends with its scope", () =>
    Effect.gen(function*() {
      const store = yield* newStore
      const before = Array.makeBy(20, (number) => SampleData.contact(number))
      yield* store.insert(Resource.contacts, before)
      const untouched = yield* all(store, "contacts")
      const { counted, counts } = counting(store)
      const { clock, millis, over } = yield* sleeping(300)
      yield* Effect.scoped(Effect.gen(function*() {
        const layer = Layer.provide(Activity.layer({ changes: 5 }), Layer.succeed(Store, counted))
        yield* Effect.withClock(Layer.build(layer), clock)
        yield* over
      }))
      assert.strictEqual(millis(), 60_000)
      assert.strictEqual(counts.insert + counts.update + counts.delete, 300)
      for (const count of Object.values(counts)) assert.isAbove(count, 20)
      const contacts = yield* all(store, "contacts")
      assert.deepStrictEqual(contacts.slice(-20), untouched)
    }))

  it.scoped("is determined by its seed", () =>
    Effect.gen(function*() {
      // The clock goes on.
      const withoutTimes = (lists: unknown): unknown =>
        JSON.parse(JSON.stringify(lists), (key, value: unknown) => key.endsWith("_at") ? undefined : value)
      const of = (seed: number) =>
        Effect.flatMap(newStore, (store) => Effect.map(after({ changes: 10, seed }, 500, store), withoutTimes))
      const first = yield* of(1)
      assert.deepStrictEqual(yield* of(1), first)
      assert.notDeepEqual(yield* of(2), first)
    }))

  it.scoped("does not grow without bounds, even on a store that it has used before", () =>
    Effect.gen(function*() {
      const store = yield* newStore
      const options = { changes: 10, seed: 3 }
      const lists = yield* after(options, 1000, store)
      for (const list of lists) assert.isAtMost(list.length, Changes.most)
      assert.isAbove(lists[0]!.length, 25)
      const again = yield* after(options, 1000, store)
      for (const list of again) assert.isAtMost(list.length, 2 * Changes.most)
      assert.isAbove(again[0]!.filter(({ id }) => !lists[0]!.some((item) => item.id === id)).length, 25)
    }))

  it.scoped("spreads over accounts", () =>
    Effect.gen(function*() {
      const store = yield* newStore
      yield* after({ changes: 10, accounts: ["a", "b"] }, 300, store)
      for (const account of ["a", "b"]) {
        assert.isNotEmpty(yield* all(store.forAccount(account), "contacts"))
      }
      assert.isEmpty(yield* all(store, "contacts"))
    }))

  it.scoped.each(stores)("works on %s", ([, layer]) =>
    Effect.gen(function*() {
      const store = Context.get(yield* Layer.build(layer), Store)
      const { counted, counts } = counting(store)
      yield* after({ changes: 100 }, 100, counted)
      for (const count of Object.values(counts)) assert.isAbove(count, 5)
    }))

  it.scoped("makes several changes at once at a high rate", () =>
    Effect.gen(function*() {
      const { counted, counts } = counting(yield* newStore)
      const { clock, millis, over } = yield* sleeping(100)
      const running = Effect.provideService(Activity.run({ changes: 1000 }), Store, counted)
      yield* Effect.raceFirst(Effect.withClock(running, clock), over)
      assert.strictEqual(counts.insert + counts.update + counts.delete, 1000)
      assert.strictEqual(millis(), 1000)
    }))

  it.effect.each(
    [
      [{ changes: 0 }, "changes"],
      [{ changes: 1001 }, "changes"],
      [{ changes: 1, per: 0 }, "per"],
      [{ changes: 1, seed: -1 }, "seed"],
      [{ changes: 1, accounts: [] }, "accounts"],
      [{ changes: 1, accounts: ["a", "b c"] }, "accounts[1]"]
    ] as const
  )("refuses %j", ([options, option]) =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(
        Effect.scoped(Layer.build(Layer.provide(Activity.layer(options), Store.layerMemory)))
      )
      assert.strictEqual(error.option, option)
    }))
})

describe("changes", () => {
  const outcome = fc.constantFrom<Changes.Outcome>("Done", "Done", "Done", "Taken", "Missing")

  it("only concern items that exist, never too many, and never use a number twice", () =>
    fc.assert(fc.property(fc.nat(), fc.array(outcome, { maxLength: 400 }), (seed, outcomes) => {
      const random = new PCGRandom(seed)
      const used = new Set<number>()
      let items = Changes.none
      for (const outcome of outcomes) {
        const change = Changes.next(random, { contacts: 1 }, () => items)
        // Nobody else deletes what is about to be created, or has what exists.
        if (outcome === (change.kind === "Create" ? "Missing" : "Taken")) continue
        if (change.kind === "Create") {
          assert.isFalse(used.has(change.number))
          used.add(change.number)
          assert.isBelow(items.numbers.length, Changes.most)
        } else assert.include(items.numbers, change.number)
        items = Changes.after(items, change, outcome)
        assert.strictEqual(
          items.numbers.includes(change.number),
          change.kind === "Delete" ? false : outcome === "Done"
        )
      }
    })))

  it("pick lists by their weight", () => {
    const random = new PCGRandom(1)
    const lists = Array.makeBy(4000, () => Changes.next(random, { a: 3, b: 1 }, () => Changes.none).list)
    const share = lists.filter((list) => list === "a").length / lists.length
    assert.approximately(share, 0.75, 0.05)
  })
})

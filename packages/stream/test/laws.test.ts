import { assert, describe, it } from "@effect/vitest"
import { Page, Position } from "@mailstream/core"
import { Walk } from "@mailstream/stream"
import { Effect, FastCheck, Logger, LogLevel, Stream } from "effect"
import { FakeList, ids, type Item } from "./support/list.ts"

const collect = <E, R>(stream: Stream.Stream<Item, E, R>) => Effect.map(Stream.runCollect(stream), ids)

const size = FastCheck.integer({ min: 0, max: 60 })
const pageSize = FastCheck.integer({ min: 1, max: 12 })
const prefetch = FastCheck.integer({ min: 0, max: 3 })
const options = { fastCheck: { numRuns: 100 }, timeout: 60_000 }

describe("laws of a walk", () => {
  it.effect.prop("pages concatenated are the items, for any page size and prefetch", [
    size,
    pageSize,
    prefetch
  ], ([size, pageSize, prefetch]) =>
    Effect.gen(function*() {
      const list = new FakeList(size)
      const pages = yield* Stream.runCollect(Walk.pages(list, { pageSize, prefetch }))
      assert.deepStrictEqual(Array.from(pages).flatMap(({ data }) => ids(data)), ids(list.items))
      assert.deepStrictEqual(yield* collect(Walk.items(list, { pageSize, prefetch })), ids(list.items))
      assert.strictEqual(list.requests.length, 2 * Math.max(1, Math.ceil(size / pageSize)))
    }), options)

  it.effect.prop("walking to newer items is the reverse of walking to older ones", [
    FastCheck.integer({ min: 1, max: 60 }),
    pageSize,
    pageSize
  ], ([size, there, back]) =>
    Effect.gen(function*() {
      const list = new FakeList(size)
      const forward = yield* collect(Walk.items(list, { pageSize: there }))
      const backward = yield* collect(Walk.items(list, { pageSize: back, from: Position.before("item-1") }))
      assert.deepStrictEqual(["item-1", ...backward].reverse(), forward)
    }), options)

  it.effect.prop("the first part of a walk plus its resumed rest is the walk", [
    FastCheck.integer({ min: 1, max: 60 }),
    pageSize,
    FastCheck.nat(60),
    FastCheck.boolean()
  ], ([size, pageSize, stop, backward]) =>
    Effect.gen(function*() {
      const list = new FakeList(size)
      const from = backward ? Position.before("item-1") : Position.start
      const pages = Array.from(yield* Stream.runCollect(Walk.pages(list, { pageSize, from })))
      const seen = pages.slice(0, 1 + stop % pages.length)
      const rest = yield* collect(Walk.items(list, { pageSize, from: seen[seen.length - 1]!.next }))
      assert.deepStrictEqual(
        [...seen.flatMap(({ data }) => ids(data)), ...rest],
        pages.flatMap(({ data }) => ids(data))
      )
    }), options)

  it.effect.prop("take(n) costs ⌈n / pageSize⌉ requests, or those of the complete walk", [
    size,
    pageSize,
    FastCheck.nat(80)
  ], ([size, pageSize, n]) =>
    Effect.gen(function*() {
      const list = new FakeList(size)
      const taken = yield* collect(Stream.take(Walk.items(list, { pageSize }), n))
      assert.deepStrictEqual(taken, ids(list.items.slice(0, n)))
      const all = Math.max(1, Math.ceil(size / pageSize))
      assert.strictEqual(list.requests.length, Math.min(Math.ceil(n / pageSize), all))
    }), options)

  it.effect.prop("`take: n` emits the items of `Stream.take(n)`, and requests no other ones", [
    size,
    pageSize,
    prefetch,
    FastCheck.nat(80),
    FastCheck.boolean()
  ], ([size, pageSize, prefetch, n, backward]) =>
    Effect.gen(function*() {
      const list = new FakeList(size + 1)
      const from = backward ? Position.before("item-1") : Position.start
      const expected = yield* collect(Stream.take(Walk.items(list, { pageSize, from }), n))
      list.requests.length = 0
      assert.deepStrictEqual(yield* collect(Walk.items(list, { pageSize, prefetch, from, take: n })), expected)
      const limits = list.requests.map(({ limit }) => limit ?? NaN)
      const left = limits.map((_, index) => n - index * pageSize)
      assert.deepStrictEqual(limits, left.map((left) => Math.min(left, pageSize)))
      const all = backward ? size : size + 1
      assert.strictEqual(limits.length, n === 0 ? 0 : Math.max(1, Math.ceil(Math.min(n, all) / pageSize)))

      const pages = Array.from(yield* Stream.runCollect(Walk.pages(list, { pageSize, prefetch, from, take: n })))
      assert.deepStrictEqual(pages.flatMap(({ data }) => ids(data)), expected)
      // The rest of the walk begins after the last of them.
      const rest = yield* collect(Walk.items(list, { pageSize, from: pages.at(-1)?.next ?? from }))
      assert.deepStrictEqual([...expected, ...rest], yield* collect(Walk.items(list, { from })))
    }), options)

  it.effect.prop("`take: n` emits the items of `Stream.take(n)` also where pages overlap, or ignore their limit", [
    size,
    FastCheck.integer({ min: 4, max: 12 }),
    FastCheck.nat(3),
    FastCheck.nat(5),
    FastCheck.nat(80)
  ], ([size, pageSize, overlap, excess, n]) =>
    Effect.gen(function*() {
      const all = new FakeList(size).items
      const list: Walk.Source<Item> = {
        name: "items",
        page: ({ after, limit = 100 }) => {
          const begin = Math.max(0, all.findIndex(({ id }) => id === after) + 1 - overlap)
          const end = begin + limit + excess
          return Effect.succeed(Page.make(all.slice(begin, end), end < all.length))
        }
      }
      const taken = yield* collect(Walk.items(list, { pageSize, take: n }))
      assert.deepStrictEqual(taken, yield* collect(Stream.take(Walk.items(list, { pageSize }), n)))
      const pages = Array.from(yield* Stream.runCollect(Walk.pages(list, { pageSize, take: n })))
      assert.deepStrictEqual(pages.flatMap(({ data }) => ids(data)), taken)
      const last = pages.at(-1)
      assert.strictEqual(last?.has_more, last && last.next._tag !== "End")
      const rest = last === undefined ? ids(all) : yield* collect(Walk.items(list, { pageSize, from: last.next }))
      assert.deepStrictEqual([...taken, ...rest], ids(all))
    }).pipe(Logger.withMinimumLogLevel(LogLevel.None)), options)

  // What happens between two requests: how many items are inserted, and which of the others are deleted.
  const change = FastCheck.record({
    insert: FastCheck.integer({ min: 0, max: 3 }),
    deletes: FastCheck.array(FastCheck.integer({ min: 1, max: 60 }), { maxLength: 4 })
  })

  for (const gone of ["stands", "404"] as const) {
    it.effect.prop(`a changing list: items that exist throughout are emitted once, no item twice (${gone})`, [
      FastCheck.integer({ min: 5, max: 60 }),
      pageSize,
      FastCheck.boolean(),
      FastCheck.array(change, { maxLength: 40 })
    ], ([size, pageSize, backward, changes]) =>
      Effect.gen(function*() {
        const list = new FakeList(size, gone)
        const before = ids(list.items)
        list.before = Effect.sync(() => {
          const change = changes[list.requests.length - 1]
          if (change === undefined) return
          list.insert(change.insert)
          // The anchor of a walk to newer items is not deleted.
          list.delete(...change.deletes.filter((n) => n > 1).map((n) => `item-${n}`))
        })
        const seen: Array<string> = []
        const from = backward ? Position.before("item-1") : Position.start
        const exit = yield* Walk.items(list, { pageSize, from }).pipe(
          Stream.runForEach(({ id }) => Effect.sync(() => seen.push(id))),
          Effect.exit
        )
        const numbers = seen.map((id) => Number(id.slice(5)))
        assert.deepStrictEqual(numbers, [...new Set(numbers)].sort((a, b) => backward ? a - b : b - a))
        if (exit._tag === "Failure") {
          // A walk may only fail if an entire page was deleted.
          assert(gone === "404" && exit.cause._tag === "Fail" && exit.cause.error._tag === "PositionLost")
          return
        }
        const after = new Set(ids(list.items))
        const throughout = before.filter((id) => after.has(id) && !(backward && id === "item-1"))
        const once = new Set(seen)
        assert.deepStrictEqual(throughout.filter((id) => !once.has(id)), [])
      }), options)
  }
})

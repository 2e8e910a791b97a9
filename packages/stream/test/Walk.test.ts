import { assert, describe, it } from "@effect/vitest"
import {
  InternalServerError,
  NotFound,
  OtherApiError,
  Page,
  type PageRequest,
  Position,
  type RequestError,
  UnexpectedResponse
} from "@mailstream/core"
import { RetryPolicy, Walk } from "@mailstream/stream"
import { settle } from "@mailstream/testing/Clock"
import { Cause, Chunk, Deferred, Effect, Either, Exit, Fiber, Option, Stream } from "effect"
import { down, FakeList, ids, type Item, item, up } from "./support/list.ts"

const collect = <E, R>(stream: Stream.Stream<Item, E, R>) => Effect.map(Stream.runCollect(stream), ids)

/** A source with arbitrary responses, which may break the paging rules. */
const table = (respond: (cursor: string | undefined) => Page.Page<Item>): Walk.Source<Item> => ({
  name: "items",
  page: ({ after, before }: PageRequest.PageRequest) => Effect.sync(() => respond(after ?? before))
})

describe("order", () => {
  it.effect("goes from newer to older items, and from older to newer ones", () =>
    Effect.gen(function*() {
      const list = new FakeList(7)
      assert.deepStrictEqual(yield* collect(Walk.items(list, { pageSize: 3 })), ids(down(7, 1)))
      assert.deepStrictEqual(
        yield* collect(Walk.items(list, { pageSize: 3, from: Position.before("item-1") })),
        ids(up(2, 7))
      )
      assert.deepStrictEqual(
        yield* collect(Walk.items(list, { pageSize: 3, from: Position.after("item-5") })),
        ids(down(4, 1))
      )
    }))

  it.effect("emits pages in the order of the walk, each with the position after it", () =>
    Effect.gen(function*() {
      const list = new FakeList(5)
      const forward = yield* Stream.runCollect(Walk.pages(list, { pageSize: 2 }))
      assert.deepStrictEqual(Array.from(forward, ({ object }) => object), ["list", "list", "list"])
      assert.deepStrictEqual(
        Array.from(forward, ({ data, has_more, next }) => [ids(data), has_more, next]),
        [
          [["item-5", "item-4"], true, Position.after("item-4", ["item-5"])],
          [["item-3", "item-2"], true, Position.after("item-2", ["item-5", "item-4", "item-3"])],
          [["item-1"], false, Position.end]
        ]
      )
      const backward = yield* Stream.runCollect(Walk.pages(list, { pageSize: 2, from: Position.before("item-1") }))
      assert.deepStrictEqual(
        Array.from(backward, ({ data, has_more, next }) => [ids(data), has_more, next]),
        [
          [["item-2", "item-3"], true, Position.before("item-3", ["item-1", "item-2"])],
          [["item-4", "item-5"], false, Position.end]
        ]
      )
    }))

  it.effect("is empty for an empty list, and sends no request at the end", () =>
    Effect.gen(function*() {
      const list = new FakeList(0)
      assert.deepStrictEqual(yield* collect(Walk.items(list)), [])
      assert.strictEqual(list.requests.length, 1)
      assert.deepStrictEqual(yield* collect(Walk.items(list, { from: Position.end })), [])
      assert.strictEqual(list.requests.length, 1)
    }))
})

describe("laziness", () => {
  it.effect("requests nothing before the first pull", () =>
    Effect.gen(function*() {
      const list = new FakeList(10)
      const stream = Walk.items(list)
      yield* Effect.scoped(Effect.asVoid(Stream.toPull(stream)))
      assert.strictEqual(list.requests.length, 0)
      yield* Stream.runDrain(Stream.take(stream, 0))
      assert.strictEqual(list.requests.length, 0)
      yield* Stream.runHead(stream)
      assert.strictEqual(list.requests.length, 1)
    }))

  it.effect("does not request another page when the current one is exactly enough", () =>
    Effect.gen(function*() {
      const list = new FakeList(10)
      yield* Stream.runDrain(Stream.take(Walk.items(list, { pageSize: 5 }), 5))
      assert.deepStrictEqual(list.requests, [{ limit: 5 }])
    }))

  it.effect("requests only as many items as are taken, and nothing for none of them", () =>
    Effect.gen(function*() {
      const list = new FakeList(1000)
      assert.deepStrictEqual(yield* collect(Walk.items(list, { take: 5 })), ids(down(1000, 996)))
      assert.deepStrictEqual(list.requests.splice(0), [{ limit: 5 }])
      assert.strictEqual((yield* collect(Walk.items(list, { take: 250, prefetch: 5 }))).length, 250)
      assert.deepStrictEqual(list.requests.splice(0).map(({ limit }) => limit), [100, 100, 50])
      assert.deepStrictEqual(yield* collect(Walk.items(list, { take: 0 })), [])
      assert.deepStrictEqual(yield* Stream.runCollect(Walk.pages(list, { take: 0, prefetch: 1 })), Chunk.empty())
      assert.deepStrictEqual(list.requests, [])
    }))

  it.effect("takes the rest from a fallback, if the position was deleted", () =>
    Effect.gen(function*() {
      const list = new FakeList(20, "404")
      list.before = Effect.sync(() => {
        if (list.requests.length === 2) list.delete("item-16", "item-17")
      })
      assert.deepStrictEqual(yield* collect(Walk.items(list, { pageSize: 5, take: 8 })), ids(down(20, 13)))
      assert.deepStrictEqual(list.requests.map(({ limit }) => limit), [5, 3, 3, 3])
    }))

  it.effect("starts over each time it is run, and runs are independent", () =>
    Effect.gen(function*() {
      const list = new FakeList(50)
      list.before = Effect.yieldNow()
      const stream = Walk.items(list, { pageSize: 3 })
      const walks = yield* Effect.replicateEffect(collect(stream), 8).pipe(
        Effect.zip(Effect.forEach([1, 2, 3], () => collect(stream), { concurrency: "unbounded" }))
      )
      for (const walk of walks.flat()) assert.deepStrictEqual(walk, ids(down(50, 1)))
    }))

  it.effect("holds one page at a time", () =>
    Effect.gen(function*() {
      const list = new FakeList(9)
      const sizes = yield* Stream.runCollect(Stream.chunks(Walk.items(list, { pageSize: 4 })))
      assert.deepStrictEqual(Array.from(sizes, Chunk.size), [4, 4, 1])
    }))
})

describe("prefetch", () => {
  for (const prefetch of [1, 2, 5]) {
    it.effect(`requests exactly ${prefetch} pages ahead of the current one`, () =>
      Effect.gen(function*() {
        const list = new FakeList(100)
        const used: Array<number> = []
        yield* Walk.pages(list, { pageSize: 5, prefetch }).pipe(
          Stream.runForEach(() => Effect.zipRight(settle, Effect.sync(() => used.push(list.requests.length))))
        )
        assert.deepStrictEqual(used, Array.from({ length: 20 }, (_, index) => Math.min(20, index + 1 + prefetch)))
      }))
  }

  it.effect("requests nothing before the first pull, and emits the same items", () =>
    Effect.gen(function*() {
      const list = new FakeList(33)
      yield* Stream.runDrain(Stream.take(Walk.items(list, { prefetch: 3 }), 0))
      assert.strictEqual(list.requests.length, 0)
      assert.deepStrictEqual(yield* collect(Walk.items(list, { pageSize: 4, prefetch: 3 })), ids(down(33, 1)))
    }))

  it.effect("emits all items before a failure that occurred ahead of them", () =>
    Effect.gen(function*() {
      const list = new FakeList(30)
      const seen: Array<string> = []
      list.before = Effect.sync(() => {
        if (list.requests.length === 3) list.failures.push(...Array.from({ length: 4 }, () => NotFound.ofCursor))
      })
      const error = yield* Walk.items(list, { pageSize: 2, prefetch: 4 }).pipe(
        Stream.tap(({ id }) => Effect.sync(() => seen.push(id))),
        Stream.runDrain,
        Effect.flip
      )
      assert.strictEqual(error._tag, "PositionLost")
      assert.deepStrictEqual(seen, ids(down(30, 27)))
    }))

  it.effect("reports a source that throws as a defect instead of waiting forever", () =>
    Effect.gen(function*() {
      const thrown = new Error("a mistake in a source")
      const source: Walk.Source<Item> = {
        name: "items",
        page: () => {
          throw thrown
        }
      }
      for (const prefetch of [0, 1]) {
        const cause = yield* Effect.flip(Effect.sandbox(Stream.runDrain(Walk.items(source, { prefetch }))))
        assert.deepStrictEqual(Array.from(Cause.defects(cause), String), [String(thrown)])
      }
    }))

  it.effect("aborts requests in flight when the consumer stops", () =>
    Effect.gen(function*() {
      const list = new FakeList(30)
      list.before = Effect.suspend(() => list.requests.length === 1 ? Effect.void : Effect.never)
      yield* Walk.pages(list, { pageSize: 2, prefetch: 1 }).pipe(
        Stream.tap(() => settle),
        Stream.take(1),
        Stream.runDrain
      )
      assert.deepStrictEqual([list.requests.length, list.interrupted, list.inFlight], [2, 1, 0])
    }))
})

describe("interruption", () => {
  it.effect("aborts the request in flight", () =>
    Effect.gen(function*() {
      const list = new FakeList(30)
      const requested = yield* Deferred.make<void>()
      list.before = Effect.zipRight(Deferred.succeed(requested, undefined), Effect.never)
      const fiber = yield* Effect.fork(Stream.runDrain(Walk.items(list)))
      yield* Deferred.await(requested)
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual([list.interrupted, list.inFlight], [1, 0])
    }))

  it.effect("ends a wait between two attempts", () =>
    Effect.gen(function*() {
      const list = new FakeList(30)
      list.failures.push(new InternalServerError({ statusCode: 500, message: "" }))
      const fiber = yield* Effect.fork(Stream.runDrain(Walk.items(list, { retry: RetryPolicy.patient })))
      yield* Effect.repeatN(Effect.yieldNow(), 50)
      assert.strictEqual(list.requests.length, 1)
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(list.requests.length, 1)
    }))
})

describe("options", () => {
  it.effect("default to pages of 100 items", () =>
    Effect.gen(function*() {
      const list = new FakeList(150)
      yield* Stream.runDrain(Walk.items(list))
      assert.deepStrictEqual(list.requests, [{ limit: 100 }, { limit: 100, after: "item-51" }])
    }))

  for (const pageSize of [0, 101, -1, 1.5, NaN, Infinity]) {
    it.effect(`rejects a page size of ${pageSize} at the first pull, before a request`, () =>
      Effect.gen(function*() {
        const list = new FakeList(3)
        const error = yield* Effect.flip(Stream.runDrain(Walk.items(list, { pageSize })))
        assert.strictEqual(error._tag, "InvalidOption")
        assert.strictEqual(error.message, "pageSize must be an integer from 1 to 100")
        assert.strictEqual(list.requests.length, 0)
      }))
  }

  for (const take of [-1, 0.5, NaN, Infinity]) {
    it.effect(`rejects a take of ${take}`, () =>
      Effect.gen(function*() {
        const list = new FakeList(3)
        const error = yield* Effect.flip(Stream.runDrain(Walk.items(list, { take })))
        assert.strictEqual(error._tag, "InvalidOption")
        assert.strictEqual(error.message, "take must be an integer, 0 or greater")
        assert.strictEqual(list.requests.length, 0)
      }))
  }

  for (const prefetch of [-1, 0.5, NaN, Infinity]) {
    it.effect(`rejects a prefetch of ${prefetch}`, () =>
      Effect.gen(function*() {
        const list = new FakeList(3)
        const error = yield* Effect.flip(Stream.runDrain(Walk.pages(list, { prefetch })))
        assert.strictEqual(error._tag, "InvalidOption")
        assert.strictEqual(error.message, "prefetch must be an integer, 0 or greater")
        assert.strictEqual(list.requests.length, 0)
      }))
  }
})

describe("stalled walks", () => {
  it.effect("an empty page with `has_more`", () =>
    Effect.gen(function*() {
      const seen: Array<string> = []
      const error = yield* Walk.items(table((cursor) => Page.make(cursor === undefined ? [item(2)] : [], true))).pipe(
        Stream.tap(({ id }) => Effect.sync(() => seen.push(id))),
        Stream.runDrain,
        Effect.flip
      )
      assert(error._tag === "StalledWalk")
      assert.strictEqual(error.reason, "EmptyPage")
      assert.deepStrictEqual(error.position, Position.after("item-2"))
      assert.deepStrictEqual(seen, ["item-2"])
      assert.include(error.message, "after item-2")
    }))

  it.effect("a cursor that is repeated immediately", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(Stream.runDrain(Walk.items(table(() => Page.make([item(2), item(1)], true)))))
      assert(error._tag === "StalledWalk")
      assert.strictEqual(error.reason, "RepeatedCursor")
    }))

  it.effect.each(
    [
      [[item(5)], true, "RepeatedCursor"],
      [[item(6), item(5)], true, "RepeatedCursor"],
      [[item(6), item(5)], false, "RepeatedCursor"],
      // The rest of a list whose cursors are inclusive.
      [[item(5)], false, undefined]
    ] as const
  )("a page that ends with its cursor: %j, has_more: %s", ([data, hasMore, reason]) =>
    Effect.gen(function*() {
      const seen: Array<string> = []
      const list = table((cursor) => cursor === undefined ? Page.make([item(5)], true) : Page.make(data, hasMore))
      const result = yield* Walk.items(list).pipe(
        Stream.runForEach(({ id }) => Effect.sync(() => seen.push(id))),
        Effect.either
      )
      assert.strictEqual(
        Either.match(result, {
          onLeft: (error) => error._tag === "StalledWalk" ? error.reason : error._tag,
          onRight: () => undefined
        }),
        reason
      )
      assert.deepStrictEqual(seen, ["item-5"])
    }))

  for (const length of [2, 3, 7, 64, 1000]) {
    it.effect(`a cycle of ${length} pages, after as many others`, () =>
      Effect.gen(function*() {
        let pages = 0
        const next = new Map(Array.from({ length: 2 * length }, (_, n) => [`item-${n}`, n + 1]))
        next.set(`item-${2 * length - 1}`, length)
        const error = yield* Effect.flip(Stream.runDrain(Walk.items(table((cursor) => {
          pages++
          return Page.make([item(cursor === undefined ? 0 : next.get(cursor)!)], true)
        }))))
        assert(error._tag === "StalledWalk")
        assert.strictEqual(error.reason, "Cycle")
        assert.isBelow(pages, 6 * length + 4)
      }))
  }

  it.effect("a healthy list never stalls, however long", () =>
    Effect.gen(function*() {
      const size = 20_000
      const list = table((cursor) => {
        const n = cursor === undefined ? size : Number(cursor.slice(5)) - 1
        return Page.make([item(n)], n > 1)
      })
      assert.strictEqual(yield* Stream.runCount(Walk.items(list)), size)
    }))
})

describe("a deleted cursor", () => {
  it.effect("is replaced by the nearest earlier item that exists", () =>
    Effect.gen(function*() {
      const list = new FakeList(12, "404")
      const seen = yield* Walk.pages(list, { pageSize: 4 }).pipe(
        Stream.tap(({ next }) =>
          Effect.sync(() => {
            if (next._tag === "After" && next.id === "item-9") list.delete("item-9", "item-10", "item-11")
          })
        ),
        Stream.runCollect
      )
      assert.deepStrictEqual(Array.from(seen).flatMap(({ data }) => ids(data)), ids(down(12, 1)))
      assert.deepStrictEqual(
        list.requests.map(({ after }) => after),
        [undefined, "item-9", "item-10", "item-11", "item-12", "item-5"]
      )
    }))

  it.effect("is also replaced when walking to newer items", () =>
    Effect.gen(function*() {
      const list = new FakeList(12, "404")
      const seen = yield* Walk.pages(list, { pageSize: 4, from: Position.before("item-1") }).pipe(
        Stream.tap(({ next }) =>
          Effect.sync(() => {
            if (next._tag === "Before" && next.id === "item-5") list.delete("item-5", "item-4")
          })
        ),
        Stream.runCollect
      )
      assert.deepStrictEqual(Array.from(seen).flatMap(({ data }) => ids(data)), ids(up(2, 12)))
    }))

  it.effect("does not repeat items that reappear", () =>
    Effect.gen(function*() {
      const list = new FakeList(6, "404")
      // The cursor is rejected once, and then accepted again.
      list.before = Effect.sync(() => {
        if (list.requests.length === 2) list.failures.push(NotFound.ofCursor)
      })
      assert.deepStrictEqual(yield* collect(Walk.items(list, { pageSize: 3 })), ids(down(6, 1)))
    }))

  it.effect("whose entire page is gone fails with the position", () =>
    Effect.gen(function*() {
      const list = new FakeList(9, "404")
      const error = yield* Walk.pages(list, { pageSize: 3 }).pipe(
        Stream.tap(() => Effect.sync(() => list.delete("item-9", "item-8", "item-7"))),
        Stream.runDrain,
        Effect.flip
      )
      assert(error._tag === "PositionLost")
      assert.deepStrictEqual([error.position, error.tried], [Position.after("item-7"), 2])
    }))

  it.effect("that the API still lists fails with the position, not as a cycle", () =>
    Effect.gen(function*() {
      const list = new FakeList(10)
      list.before = Effect.sync(() => {
        if (list.requests[list.requests.length - 1]?.after === "item-8") list.failures.push(NotFound.ofCursor)
      })
      const seen: Array<string> = []
      const error = yield* Walk.items(list, { pageSize: 1 }).pipe(
        Stream.runForEach(({ id }) => Effect.sync(() => seen.push(id))),
        Effect.flip
      )
      assert(error._tag === "PositionLost")
      assert.deepStrictEqual([error.position, error.tried], [Position.after("item-8"), 2])
      assert.deepStrictEqual(seen, ids(down(10, 8)))
    }))

  it.effect("of a deleted list fails with the API's own error", () =>
    Effect.gen(function*() {
      const list = new FakeList(9)
      list.before = Effect.sync(() => {
        if (list.requests.length > 1) list.failures.push(new NotFound({ statusCode: 404, message: "No such segment." }))
      })
      const error = yield* Effect.flip(Stream.runDrain(Walk.items(list, { pageSize: 3 })))
      assert(error._tag === "not_found")
      assert.strictEqual(error.message, "No such segment.")
    }))

  it.effect("at the start fails with the API's own error", () =>
    Effect.gen(function*() {
      const list = new FakeList(9)
      const error = yield* Effect.flip(Stream.runDrain(Walk.items(list, { from: Position.after("unknown") })))
      assert.strictEqual(error._tag, "not_found")
      assert.strictEqual(list.requests.length, 1)
    }))

  it.effect("is replaced by a fallback of the position that the walk resumes from", () =>
    Effect.gen(function*() {
      const list = new FakeList(9, "404")
      const [page] = yield* Stream.runCollect(Stream.take(Walk.pages(list, { pageSize: 4 }), 1))
      assert(page !== undefined)
      list.delete("item-6", "item-7")
      assert.deepStrictEqual(yield* collect(Walk.items(list, { from: page.next })), ids(down(5, 1)))
      list.delete("item-8", "item-9")
      const error = yield* Effect.flip(Stream.runDrain(Walk.items(list, { from: page.next })))
      assert.strictEqual(error._tag, "PositionLost")
    }))
})

describe("options that types would rule out", () => {
  it.effect.each([null, "patient", 3, {}])(
    "a retry policy that is none is a defect, not an empty list: %j",
    (retry) =>
      Effect.gen(function*() {
        const options: object = { retry }
        const exit = yield* Effect.exit(Stream.runCount(Walk.items(new FakeList(9), options)))
        assert.isTrue(Exit.isFailure(exit))
      })
  )
})

describe("a position within an owner", () => {
  it.effect("leads on within this owner, and within no other", () =>
    Effect.gen(function*() {
      const within = (owner: string) => Object.assign(new FakeList(9), { within: owner })
      const [page] = yield* Stream.runCollect(Stream.take(Walk.pages(within("segment-1"), { pageSize: 4 }), 1))
      const from = page!.next
      assert.deepStrictEqual(yield* collect(Walk.items(within("segment-1"), { from })), ids(down(5, 1)))
      const error = yield* Effect.flip(collect(Walk.items(within("segment-2"), { from })))
      assert.deepStrictEqual(
        [error._tag, error.message],
        ["InvalidOption", "from is a position within segment-1; resume with the same filter"]
      )
    }))
})

describe("a position's fallbacks", () => {
  it.effect("also stand in where a 404 has lost its name", () =>
    Effect.gen(function*() {
      const list = new FakeList(9)
      const [page] = yield* Stream.runCollect(Stream.take(Walk.pages(list, { pageSize: 4 }), 1))
      list.failures.push(new OtherApiError({ statusCode: 404, name: "api_error", message: "Not Found" }))
      assert.deepStrictEqual(yield* collect(Walk.items(list, { from: page!.next })), ids(down(5, 1)))
    }))

  it.effect.each<RequestError>([
    new OtherApiError({ statusCode: 403, name: "api_error", message: "Forbidden" }),
    new UnexpectedResponse({
      method: "GET",
      url: "http://localhost/items",
      statusCode: 404,
      reason: "NotJson",
      field: "",
      description: "expected JSON, found text/html"
    })
  ])("do not stand in after another failure: $_tag", (failure) =>
    Effect.gen(function*() {
      const list = new FakeList(9)
      list.failures.push(failure)
      const from = Position.after("item-5", ["item-7", "item-6"])
      const error = yield* Effect.flip(Stream.runDrain(Walk.items(list, { from, retry: RetryPolicy.none })))
      assert.deepStrictEqual([error._tag, error.message], [failure._tag, failure.message])
      assert.strictEqual(list.requests.length, 1)
    }))

  it.effect("are the items passed before the one that stood in, from there on", () =>
    Effect.gen(function*() {
      const list = new FakeList(9, "404")
      list.delete("item-6")
      const from = Position.after("item-6", ["item-9", "item-8", "item-7"])
      const page = yield* Stream.runHead(Walk.pages(list, { pageSize: 2, from }))
      assert(Option.isSome(page))
      assert.deepStrictEqual(
        { ...page.value.next },
        Position.after("item-4", ["item-9", "item-8", "item-7", "item-5"])
      )
    }))

  it.effect("reach back over small pages", () =>
    Effect.gen(function*() {
      const list = new FakeList(9, "404")
      const pages = yield* Stream.runCollect(Stream.take(Walk.pages(list, { pageSize: 1 }), 5))
      const { next } = Array.from(pages)[4]!
      list.delete("item-5", "item-6", "item-7")
      assert.deepStrictEqual(yield* collect(Walk.items(list, { pageSize: 1, from: next })), ids(down(4, 1)))
    }))

  it.effect("are at most 99, the nearest", () =>
    Effect.gen(function*() {
      const all = ids(down(300, 1))
      for (const pageSize of [40, 98, 99, 100]) {
        const pages = yield* Stream.runCollect(Walk.pages(new FakeList(300), { pageSize }))
        for (const { next } of pages) {
          if (next._tag !== "After") continue
          assert.deepStrictEqual(next.fallbacks, all.slice(0, all.indexOf(next.id)).slice(-99))
        }
      }
    }))
})

describe("a list that changes", () => {
  it.effect("shows new items when walking to newer ones, not to older ones", () =>
    Effect.gen(function*() {
      const list = new FakeList(6)
      const inserting = Stream.tap<Walk.WalkedPage<Item>, unknown, never, never>(() => Effect.sync(() => list.insert()))
      const forward = yield* Stream.runCollect(inserting(Walk.pages(list, { pageSize: 2 })))
      assert.deepStrictEqual(Array.from(forward).flatMap(({ data }) => ids(data)), ids(down(6, 1)))
      const once = { value: false }
      const backward = yield* Walk.items(list, { pageSize: 2, from: Position.before("item-1") }).pipe(
        Stream.tap(() =>
          Effect.sync(() => {
            if (!once.value) list.insert()
            once.value = true
          })
        ),
        Stream.runCollect
      )
      assert.deepStrictEqual(ids(backward), ids(up(2, 10)))
    }))

  it.effect("continues after a deleted item if the API allows it", () =>
    Effect.gen(function*() {
      const list = new FakeList(6)
      const first = yield* Stream.runHead(Walk.pages(list, { pageSize: 2 }))
      assert(Option.isSome(first))
      list.delete("item-5", "item-4")
      assert.deepStrictEqual(yield* collect(Walk.items(list, { from: first.value.next })), ids(down(3, 1)))
    }))
})

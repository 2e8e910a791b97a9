import { assert, describe, it } from "@effect/vitest"
import { InternalServerError, NotFound, Page, type PageRequest, type RequestError } from "@mailstream/core"
import { Follow, Progress, type Walk } from "@mailstream/stream"
import { settle } from "@mailstream/testing/Clock"
import { type Duration, Effect, Exit, FastCheck, Fiber, Logger, Option, Schedule, Stream, TestClock } from "effect"
import { down, FakeList, ids, type Item, up } from "./support/list.ts"

const unavailable: RequestError = new InternalServerError({ statusCode: 500, message: "Something went wrong." })

/** Follows a list in the background; the test inspects the items received so far. */
const follow = (list: Walk.Source<Item>, options: Follow.Options = {}) =>
  Effect.gen(function*() {
    const seen: Array<string> = []
    const fiber = yield* Follow.items(list, { pageSize: 3, poll: "1 minute", ...options }).pipe(
      Stream.runForEach(({ id }: Item) => Effect.sync(() => seen.push(id))),
      Effect.fork
    )
    yield* settle
    return { fiber, seen, poll: Effect.zipRight(TestClock.adjust("1 minute"), settle) }
  })

describe("follow", () => {
  it.effect("logs the beginning and the end of an outage, once each", () =>
    Effect.gen(function*() {
      const lines: Array<string> = []
      const logger = Logger.make(({ logLevel, message }) => void lines.push(`${logLevel.label} ${String(message)}`))
      const outage = (requests: number) => list.failures.push(...Array<RequestError>(requests).fill(unavailable))
      const list = new FakeList(5)
      yield* Effect.gen(function*() {
        const { fiber, poll, seen } = yield* follow(list, { retry: Schedule.spaced("20 seconds") })
        yield* poll
        assert.deepStrictEqual(lines, [])
        outage(9)
        yield* poll
        const begun = ["WARN follow: items: retrying in 20s: Something went wrong."]
        assert.deepStrictEqual(lines.splice(0), begun)
        yield* poll
        yield* poll
        assert.deepStrictEqual(lines, [])
        yield* poll
        assert.deepStrictEqual(lines.splice(0), ["INFO follow: items: responding again after 3m"])
        outage(1)
        list.insert()
        yield* poll
        yield* TestClock.adjust("20 seconds")
        yield* settle
        assert.deepStrictEqual(lines.splice(0), [...begun, "INFO follow: items: responding again after 20s"])
        assert.deepStrictEqual(seen, ["item-6"])
        yield* Fiber.interrupt(fiber)
      }).pipe(Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
    }))

  it.effect.each(
    [
      ["a failure that is final", Schedule.forever, new NotFound({ statusCode: 404, message: "No." })],
      ["a policy without retries", Schedule.stop, unavailable]
    ] as const
  )("does not log that it tries again after %s", ([, retry, failure]) =>
    Effect.gen(function*() {
      const lines: Array<unknown> = []
      const logger = Logger.make(({ message }) => void lines.push(message))
      const list = new FakeList(5)
      list.failures.push(failure)
      const { fiber } = yield* follow(list, { retry }).pipe(
        Effect.provide(Logger.replace(Logger.defaultLogger, logger))
      )
      assert.isTrue(Exit.isFailure(yield* Fiber.await(fiber)))
      assert.deepStrictEqual(lines, [])
    }))

  it.effect("emits items created from now on, in order of creation", () =>
    Effect.gen(function*() {
      const list = new FakeList(5)
      const { poll, seen } = yield* follow(list)
      assert.deepStrictEqual(seen, [])
      list.insert(2)
      yield* settle
      assert.deepStrictEqual(seen, [])
      yield* poll
      assert.deepStrictEqual(seen, ids(up(6, 7)))
      yield* poll
      list.insert(1)
      yield* poll
      assert.deepStrictEqual(seen, ids(up(6, 8)))
    }))

  it.effect("emits items created since a given one immediately", () =>
    Effect.gen(function*() {
      const list = new FakeList(9)
      const { poll, seen } = yield* follow(list, { since: "item-2" })
      assert.deepStrictEqual(seen, ids(up(3, 9)))
      list.insert()
      yield* poll
      assert.deepStrictEqual(seen, ids(up(3, 10)))
    }))

  it.effect("starts with an empty list", () =>
    Effect.gen(function*() {
      const list = new FakeList(0)
      const { poll, seen } = yield* follow(list)
      yield* poll
      list.insert(1)
      yield* poll
      list.insert(1)
      yield* poll
      assert.deepStrictEqual(seen, ids(up(1, 2)))
    }))

  for (const size of [0, 1, 4]) {
    it.effect(`emits a burst of many pages completely and in order, on a list of ${size}`, () =>
      Effect.gen(function*() {
        const list = new FakeList(size)
        const { poll, seen } = yield* follow(list)
        list.insert(50)
        // More are created while the burst is read.
        let more = 3
        list.before = Effect.sync(() => {
          if (more-- > 0) list.insert(2)
        })
        yield* poll
        assert.deepStrictEqual(seen, ids(up(size + 1, size + 56)))
      }))
  }

  for (const [name, last] of [["is empty", []], ["repeats an item", down(2, 2)]] as const) {
    it.effect(`starts with an empty list, and finds its first items even if the last page ${name}`, () =>
      Effect.gen(function*() {
        const list = new FakeList(0)
        const source: Walk.Source<Item> = {
          name: "items",
          page: (request: PageRequest.PageRequest) =>
            request.before === undefined && list.items.length > 0
              ? Effect.succeed(request.after === undefined ? Page.make(list.items, true) : Page.make(last, false))
              : list.page(request)
        }
        const { poll, seen } = yield* follow(source)
        yield* poll
        list.insert(2)
        yield* poll
        assert.deepStrictEqual(seen, ids(up(1, 2)))
        list.insert(1)
        yield* poll
        assert.deepStrictEqual(seen, ids(up(1, 3)))
      }))
  }

  it.effect("polls every five seconds by default, and reports its progress", () =>
    Effect.gen(function*() {
      const list = new FakeList(1)
      const progress = yield* Progress.make
      const { seen } = yield* follow(list, { poll: undefined, progress })
      list.insert(1)
      yield* TestClock.adjust("4999 millis")
      yield* settle
      assert.deepStrictEqual(seen, [])
      yield* TestClock.adjust("1 millis")
      yield* settle
      assert.deepStrictEqual(seen, ["item-2"])
      assert.strictEqual((yield* progress.get).requests, 2)
    }))

  it.effect("survives faults without losing items", () =>
    Effect.gen(function*() {
      const list = new FakeList(4)
      const { poll, seen } = yield* follow(list, { retry: Schedule.spaced("1 second") })
      list.insert(10)
      list.failures.push(unavailable, unavailable)
      list.before = Effect.sync(() => {
        if (list.requests.length === 5) list.failures.push(unavailable)
      })
      yield* poll
      yield* TestClock.adjust("10 seconds")
      yield* settle
      assert.deepStrictEqual(seen, ids(up(5, 14)))
    }))

  it.effect("ends with a persistent failure", () =>
    Effect.gen(function*() {
      const list = new FakeList(4)
      const { fiber, poll } = yield* follow(list, { retry: Schedule.recurs(1) })
      list.failures.push(unavailable, unavailable)
      yield* poll
      const error = yield* Effect.flip(Fiber.join(fiber))
      assert.strictEqual(error._tag, "internal_server_error")
    }))

  it.effect("continues when the newest items are deleted", () =>
    Effect.gen(function*() {
      const list = new FakeList(9, "404")
      const { poll, seen } = yield* follow(list, { pageSize: 5 })
      list.delete("item-9", "item-8")
      list.insert(1)
      yield* poll
      list.delete("item-10")
      list.insert(2)
      yield* poll
      assert.deepStrictEqual(seen, ["item-10", "item-11", "item-12"])
    }))

  it.effect("continues when all existing items are deleted", () =>
    Effect.gen(function*() {
      const list = new FakeList(2, "404")
      const { poll, seen } = yield* follow(list)
      list.delete("item-1", "item-2")
      yield* poll
      const requests = list.requests.length
      yield* poll
      assert.deepStrictEqual(list.requests.slice(requests), [{ limit: 3 }])
      list.insert(7)
      yield* poll
      list.delete(...seen)
      list.insert(2)
      yield* poll
      assert.deepStrictEqual(seen, ids(up(3, 11)))
    }))

  it.effect("continues when the item that it follows since is deleted", () =>
    Effect.gen(function*() {
      const list = new FakeList(9, "404")
      const { poll, seen } = yield* follow(list, { since: "item-9" })
      list.delete("item-9")
      list.insert(1)
      yield* poll
      assert.deepStrictEqual(seen, ["item-10"])
    }))

  it.effect("continues when a hundred existing items, and no others, are deleted", () =>
    Effect.gen(function*() {
      const list = new FakeList(100, "404")
      const { poll, seen } = yield* follow(list, { pageSize: 100 })
      list.delete(...ids(up(1, 100)))
      list.insert(1)
      yield* poll
      assert.deepStrictEqual(seen, ["item-101"])
    }))

  it.effect("continues when the only known item is deleted", () =>
    Effect.gen(function*() {
      const list = new FakeList(1, "404")
      const { poll, seen } = yield* follow(list, { pageSize: 1 })
      list.insert(1)
      list.delete("item-1")
      yield* poll
      assert.deepStrictEqual(seen, ["item-2"])
    }))

  it.effect("never treats an existing item as new, whatever the API says about it", () =>
    Effect.gen(function*() {
      const list = new FakeList(2)
      // Cursors are rejected although their items exist.
      list.before = Effect.sync(() => {
        const { after, before } = list.requests[list.requests.length - 1]!
        if (after !== undefined || before !== undefined) list.failures.push(NotFound.ofCursor)
      })
      const { poll, seen } = yield* follow(list)
      yield* poll
      list.insert(1)
      yield* poll
      yield* poll
      assert.deepStrictEqual(seen, ["item-3"])
    }))

  it.effect("fails when its position is lost", () =>
    Effect.gen(function*() {
      const list = new FakeList(9, "404")
      const { fiber, poll } = yield* follow(list)
      list.delete("item-9", "item-8", "item-7")
      yield* poll
      const error = yield* Effect.flip(Fiber.join(fiber))
      assert.strictEqual(error._tag, "PositionLost")
    }))

  it.effect("remembers the newest two hundred items: if they are gone, others may not be new", () =>
    Effect.gen(function*() {
      const list = new FakeList(100, "404")
      const { fiber, poll, seen } = yield* follow(list, { pageSize: 100 })
      list.insert(101)
      yield* poll
      list.delete(...ids(up(2, 201)))
      yield* poll
      const error = yield* Effect.flip(Fiber.join(fiber))
      assert(error._tag === "PositionLost")
      assert.strictEqual(error.tried, 199)
      assert.deepStrictEqual(seen, ids(up(101, 201)))
    }))

  it.effect("continues when the oldest of many new items is deleted while they are emitted", () =>
    Effect.gen(function*() {
      const list = new FakeList(0, "404")
      const { poll, seen } = yield* follow(list, { pageSize: 100 })
      list.insert(201)
      const found = list.requests.length + 3
      list.before = Effect.sync(() => list.requests.length > found && list.delete("item-1"))
      yield* poll
      assert.deepStrictEqual(seen, ids(up(1, 201)))
    }))

  it.effect("continues when the newest items are deleted while it looks for the oldest", () =>
    Effect.gen(function*() {
      const list = new FakeList(0, "404")
      const { poll, seen } = yield* follow(list, { pageSize: 2 })
      list.insert(7)
      const first = list.requests.length + 1
      list.before = Effect.sync(() => list.requests.length === first + 1 && list.delete("item-7", "item-6"))
      yield* poll
      assert.deepStrictEqual(seen, ids(up(1, 5)))
    }))

  it.effect("continues when a full page, all that it has just emitted, is deleted", () =>
    Effect.gen(function*() {
      const list = new FakeList(150, "404")
      const { poll, seen } = yield* follow(list, { pageSize: 100 })
      list.insert(250)
      const first = list.requests.length + 1
      list.before = Effect.sync(() => list.requests.length === first + 1 && list.delete(...ids(up(151, 250))))
      yield* poll
      assert.deepStrictEqual(seen, ids(up(151, 400)))
    }))

  it.effect("continues for ever when each new item is deleted as soon as it is handled, with two requests a poll", () =>
    Effect.gen(function*() {
      const list = new FakeList(150, "404")
      const { poll, seen } = yield* follow(list, { pageSize: 20 })
      for (let n = 151; n <= 180; n++) {
        list.insert(1)
        const before = list.requests.length
        yield* poll
        assert.isAtMost(list.requests.length - before, 2)
        list.delete(`item-${n}`)
      }
      assert.deepStrictEqual(seen, ids(up(151, 180)))
    }))

  it.effect("continues when a list is emptied that holds more than it remembers", () =>
    Effect.gen(function*() {
      const list = new FakeList(9, "404")
      const { poll, seen } = yield* follow(list)
      list.delete(...ids(up(1, 9)))
      yield* poll
      list.insert(5)
      yield* poll
      assert.deepStrictEqual(seen, ids(up(10, 14)))
    }))

  it.effect("fails with an API that lists items, but rejects them as cursors of newer ones", () =>
    Effect.gen(function*() {
      const list = new FakeList(0)
      const { fiber, poll } = yield* follow(list)
      list.before = Effect.sync(() => {
        if (list.requests[list.requests.length - 1]!.before !== undefined) list.failures.push(NotFound.ofCursor)
      })
      list.insert(7)
      yield* poll
      assert.strictEqual((yield* Effect.flip(Fiber.join(fiber)))._tag, "PositionLost")
    }))

  it.effect("never treats an item as new that was reported as deleted, however often", () =>
    Effect.gen(function*() {
      const list = new FakeList(3)
      const { poll, seen } = yield* follow(list)
      const reject = (count: number) => list.failures.push(...Array.from({ length: count }, () => NotFound.ofCursor))
      reject(3)
      list.insert(4)
      yield* poll
      assert.deepStrictEqual(seen, ids(up(4, 7)))
      // All cursors known by now: item 1, which is on the oldest page, and the new ones.
      reject(5)
      yield* poll
      assert.deepStrictEqual(list.failures, [])
      assert.deepStrictEqual(seen, ids(up(4, 7)))
      list.insert(1)
      yield* poll
      assert.deepStrictEqual(seen, ids(up(4, 8)))
    }))

  it.effect("fails with the API's own error if `since` is unknown", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(Stream.runDrain(Follow.items(new FakeList(3), { since: "unknown" })))
      assert.strictEqual(error._tag, "not_found")
    }))

  for (const poll of [0, -1, NaN, "0 seconds", "Infinity", Infinity, "soon"]) {
    it.effect(`refuses to poll every ${poll} before any request`, () =>
      Effect.gen(function*() {
        const list = new FakeList(3)
        const error = yield* Effect.flip(Stream.runDrain(Follow.items(list, { poll: poll as Duration.DurationInput })))
        assert(error._tag === "InvalidOption")
        assert.strictEqual(error.message, "poll must be a finite duration greater than 0, as in \"1 hour\"")
        assert.strictEqual(list.requests.length, 0)
      }))
  }

  it.effect("polls by the schedule, passes it the number of items found, and ends with it", () =>
    Effect.gen(function*() {
      const list = new FakeList(3)
      const found: Array<number> = []
      const poll = Schedule.recurs(3).pipe(
        Schedule.addDelay(() => "1 minute"),
        Schedule.tapInput((n: number) => Effect.sync(() => found.push(n)))
      )
      const { fiber, poll: minute, seen } = yield* follow(list, { poll })
      list.insert(4)
      yield* minute
      yield* minute
      list.insert(1)
      yield* minute
      yield* Fiber.join(fiber)
      assert.deepStrictEqual(seen, ids(up(4, 8)))
      assert.deepStrictEqual(found, [0, 4, 0, 1])
    }))

  it.effect("requests nothing before the first pull, and stops waiting when interrupted", () =>
    Effect.gen(function*() {
      const list = new FakeList(3)
      yield* Stream.runDrain(Stream.take(Follow.items(list), 0))
      assert.strictEqual(list.requests.length, 0)
      const { fiber } = yield* follow(list)
      assert.strictEqual(list.requests.length, 1)
      yield* Fiber.interrupt(fiber)
      yield* TestClock.adjust("10 minutes")
      yield* settle
      assert.strictEqual(list.requests.length, 1)
    }))

  for (const [name, since] of [["the oldest", 1], ["one in the middle", 8]] as const) {
    it.effect(`continues when the page it just passed is deleted entirely, since ${name}`, () =>
      Effect.gen(function*() {
        // The oldest of the remaining pages holds only the oldest item.
        const list = new FakeList(19, "404")
        list.before = Effect.sync(() => {
          // The first request finds the existing items; the second one is for the first page.
          if (list.requests.length === 3) list.delete(...ids(up(since + 1, since + 3)))
        })
        const { poll, seen } = yield* follow(list, { since: `item-${since}` })
        assert.deepStrictEqual(seen, ids(up(since + 1, 19)))
        list.insert(2)
        yield* poll
        assert.deepStrictEqual(seen, ids(up(since + 1, 21)))
      }))
  }

  it.effect("continues when all known items are reported as deleted, but some still exist", () =>
    Effect.gen(function*() {
      const list = new FakeList(3, "404")
      const { poll, seen } = yield* follow(list, { pageSize: 5 })
      // Once, even cursors of existing items are rejected.
      const gone = new NotFound({ statusCode: 404, message: "" })
      list.failures.push(gone, gone, gone)
      list.insert(1)
      yield* poll
      list.insert(5)
      yield* poll
      assert.deepStrictEqual(seen, ids(up(4, 9)))
    }))

  it.effect("continues when all known items are reported as deleted, and fill the oldest pages", () =>
    Effect.gen(function*() {
      const list = new FakeList(3, "404")
      const { poll, seen } = yield* follow(list)
      list.failures.push(NotFound.ofCursor, NotFound.ofCursor, NotFound.ofCursor)
      list.insert(4)
      yield* poll
      assert.deepStrictEqual(seen, ids(up(4, 7)))
    }))

  for (const gone of ["stands", "404"] as const) {
    it.effect.prop(`emits each new item that is not deleted once and in order, while the list changes (${gone})`, [
      FastCheck.integer({ min: 0, max: 10 }),
      FastCheck.integer({ min: 1, max: 5 }),
      FastCheck.array(
        FastCheck.record({
          insert: FastCheck.integer({ min: 0, max: 12 }),
          deletes: FastCheck.array(FastCheck.nat(5), { maxLength: 2 })
        }),
        { maxLength: 8 }
      )
    ], ([size, pageSize, changes]) =>
      Effect.gen(function*() {
        const list = new FakeList(size, gone)
        const { fiber, poll, seen } = yield* follow(list, { pageSize })
        const deleted = new Set<string>()
        for (const { deletes, insert } of changes) {
          list.insert(insert)
          for (const index of deletes) {
            // One of the newest, which include those at the cursor.
            const id = list.items[index]?.id
            if (id !== undefined) deleted.add(id)
            if (id !== undefined) list.delete(id)
          }
          yield* poll
        }
        const numbers = seen.map((id) => Number(id.slice(5)))
        assert.deepStrictEqual(numbers, [...new Set(numbers)].sort((a, b) => a - b))
        const exit = yield* Fiber.poll(fiber)
        if (exit._tag === "Some") {
          assert(exit.value._tag === "Failure" && exit.value.cause._tag === "Fail")
          assert.strictEqual(exit.value.cause.error._tag, "PositionLost")
          assert.strictEqual(gone, "404")
          return
        }
        const all = changes.reduce((sum, { insert }) => sum + insert, size)
        const once = new Set(seen)
        assert.deepStrictEqual(ids(up(size + 1, all)).filter((id) => !deleted.has(id) && !once.has(id)), [])
        yield* Fiber.interrupt(fiber)
      }), { fastCheck: { numRuns: 40 }, timeout: 60_000 })
  }

  const change = FastCheck.record({
    insert: FastCheck.oneof(FastCheck.constant(0), FastCheck.integer({ min: 0, max: 12 })),
    /** Places from the newest item. */
    deletes: FastCheck.array(FastCheck.nat(14), { maxLength: 4 })
  })

  it.effect.prop("emits all that outlives a poll, though the list changes before every request", [
    FastCheck.integer({ min: 0, max: 10 }),
    FastCheck.integer({ min: 1, max: 5 }),
    FastCheck.array(change, { maxLength: 25 })
  ], ([size, pageSize, changes]) =>
    Effect.gen(function*() {
      const list = new FakeList(size, "404")
      const alive = () => new Set(list.items.map(({ id }) => Number(id.slice(5))))
      /** What it was shown of the items that existed at first. */
      const shown = new Set<number>()
      /** The last item that existed at first. */
      let old = size
      let next = 0
      const source: Walk.Source<Item> = {
        name: "items",
        page: (request) =>
          Effect.suspend(() => {
            const { deletes, insert } = changes[next++] ?? { deletes: [], insert: 0 }
            const isFirst = list.requests.length === 0
            list.insert(insert)
            if (isFirst) old += insert
            list.delete(...deletes.flatMap((place) => list.items[place]?.id ?? []))
            return Effect.tap(list.page(request), ({ data }) => {
              if (!isFirst && request.after === undefined) return
              for (const { id } of data) shown.add(Number(id.slice(5)))
            })
          })
      }
      const between: Array<ReadonlySet<number>> = []
      const poll = Schedule.spaced("1 minute").pipe(
        Schedule.tapInput((_: number) => Effect.sync(() => between.push(alive())))
      )
      const { fiber, poll: minute, seen } = yield* follow(source, { pageSize, poll })
      while (next < changes.length + 2 && Option.isNone(yield* Fiber.poll(fiber))) yield* minute
      yield* minute
      yield* minute

      const numbers = seen.map((id) => Number(id.slice(5)))
      assert.deepStrictEqual(numbers, [...new Set(numbers)].sort((a, b) => a - b))
      assert.isTrue(numbers.every((number) => number > old))
      const emitted = new Set(numbers)
      const missed = between.slice(1).flatMap((after, index) =>
        [...between[index]!].filter((number) => number > old && after.has(number) && !emitted.has(number))
      )
      assert.deepStrictEqual(missed, [])
      const exit = yield* Fiber.poll(fiber)
      yield* Fiber.interrupt(fiber)
      if (Option.isNone(exit)) return
      // It fails only if all that it knew is deleted, and what is left may be older than it is.
      assert(Exit.isFailure(exit.value) && exit.value.cause._tag === "Fail")
      assert.strictEqual(exit.value.cause.error._tag, "PositionLost")
      const left = alive()
      assert.isAbove(left.size, 0)
      const newest = numbers.at(-1) ?? old
      assert.deepStrictEqual([...numbers, ...shown].filter((number) => number <= newest && left.has(number)), [])
      assert.isTrue(up(1, old).some((_, index) => !shown.has(index + 1)))
    }), { fastCheck: { numRuns: 20 }, timeout: 60_000 })
})

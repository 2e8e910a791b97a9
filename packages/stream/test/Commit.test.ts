import { KeyValueStore } from "@effect/platform"
import { assert, describe, it, layer } from "@effect/vitest"
import { Position } from "@mailstream/core"
import { Contacts } from "@mailstream/http"
import * as SampleData from "@mailstream/server/SampleData"
import { Checkpoint, Commit, contacts, type ListError, Progress } from "@mailstream/stream"
import { settle } from "@mailstream/testing/Clock"
import {
  Cause,
  Chunk,
  Deferred,
  Effect,
  Exit,
  FastCheck,
  Fiber,
  Layer,
  Logger,
  LogLevel,
  Option,
  Ref,
  Stream
} from "effect"
import { down, FakeList, ids, type Item, up } from "./support/list.ts"
import { storeOf, stores } from "./support/stores.ts"

type Pages = Stream.Stream<Commit.CommittablePage<Item>, ListError>

const processPages = <A, E, R>(
  list: FakeList,
  key: string,
  use: (pages: Pages) => Effect.Effect<A, E, R>,
  options: Commit.PagesOptions = {}
) => Commit.processPages(list, key, use, { pageSize: 3, ...options })

const process = <E, R>(
  list: FakeList,
  key: string,
  handle: (item: Item) => Effect.Effect<unknown, E, R>,
  options: Commit.Options = {}
) => Commit.process(list, key, handle, { pageSize: 3, ...options })

/** The items that one run handles. */
const handled = (list: FakeList, key: string, options?: Commit.Options) => {
  const seen: Array<string> = []
  return Effect.as(process(list, key, ({ id }) => Effect.sync(() => seen.push(id)), options), seen)
}

/** The pages that one run delivers, none of them committed. */
const delivered = (list: FakeList, key: string, options?: Commit.PagesOptions) =>
  processPages(list, key, Stream.runCollect, options).pipe(
    Effect.map((pages) => Chunk.toReadonlyArray(pages).map(({ data }) => ids(data)))
  )

for (const [name, store] of Object.entries(stores)) {
  layer(store)(`process, in ${name}`, (it) => {
    it.effect("handles every item, then nothing until it is cleared", () =>
      Effect.gen(function*() {
        const list = new FakeList(10)
        assert.deepStrictEqual(yield* handled(list, "export"), ids(down(10, 1)))
        const requests = list.requests.length
        list.insert()
        assert.deepStrictEqual(yield* handled(list, "export"), [])
        assert.strictEqual(list.requests.length, requests)
        yield* Checkpoint.clear("export")
        assert.deepStrictEqual(yield* handled(list, "export"), ids(down(11, 1)))
      }))

    it.effect("stops at the first failure, and repeats the items of that page only", () =>
      Effect.gen(function*() {
        const list = new FakeList(10)
        const failure = yield* Effect.flip(
          process(list, "fails", ({ id }) => id === "item-3" ? Effect.fail("no" as const) : Effect.void)
        )
        assert.strictEqual(failure, "no")
        assert.deepStrictEqual(yield* handled(list, "fails"), ids(down(4, 1)))
      }))

    it.effect("completes an empty list", () =>
      Effect.gen(function*() {
        const list = new FakeList(0)
        assert.deepStrictEqual(yield* handled(list, "empty"), [])
        list.insert()
        assert.deepStrictEqual(yield* handled(list, "empty"), [])
      }))

    it.effect("walks to newer items as well, and keeps keys apart", () =>
      Effect.gen(function*() {
        const list = new FakeList(8)
        const from = Position.before("item-1")
        yield* Effect.flip(process(list, "up", ({ id }) => id === "item-5" ? Effect.fail("no") : Effect.void, { from }))
        assert.deepStrictEqual(yield* handled(list, "other"), ids(down(8, 1)))
        assert.deepStrictEqual(yield* handled(list, "up", { from }), ids(up(5, 8)))
      }))

    it.effect("resumes after the item at its position was deleted", () =>
      Effect.gen(function*() {
        const list = new FakeList(10, "404")
        yield* Effect.flip(process(list, "deleted", ({ id }) => id === "item-7" ? Effect.fail("no") : Effect.void))
        list.delete("item-8", "item-9")
        assert.deepStrictEqual(yield* handled(list, "deleted"), ids(down(7, 1)))
      }))

    it.effect("refuses a second run with the same key, without any request", () =>
      Effect.gen(function*() {
        const list = new FakeList(10)
        const started = yield* Deferred.make<void>()
        const fiber = yield* Effect.fork(
          process(list, "twice", () => Effect.zipRight(Deferred.succeed(started, undefined), Effect.never))
        )
        yield* Deferred.await(started)
        const requests = list.requests.length
        const error = yield* Effect.flip(handled(list, "twice"))
        assert(error._tag === "LockError")
        assert.strictEqual(error.reason, "Held")
        assert.strictEqual(list.requests.length, requests)
        yield* Fiber.interrupt(fiber)
        assert.deepStrictEqual(yield* handled(list, "twice"), ids(down(10, 1)))
      }))
  })
}

layer(KeyValueStore.layerMemory)("process", (it) => {
  it.effect("handles several items at once, also across pages", () =>
    Effect.gen(function*() {
      const list = new FakeList(20)
      const arrived = yield* Ref.make(0)
      const all = yield* Deferred.make<void>()
      // None of the first eight items, from three pages, ends before all of them have begun.
      yield* process(list, "at once", () =>
        Ref.updateAndGet(arrived, (n) => n + 1).pipe(
          Effect.tap((n) => n === 8 ? Deferred.succeed(all, undefined) : Effect.void),
          Effect.zipRight(Deferred.await(all))
        ), { concurrency: 8 })
      assert.strictEqual(yield* Ref.get(arrived), 20)
      assert.deepStrictEqual(yield* handled(list, "at once"), [])
    }))

  it.effect("does not pass a slow item, however many pages after it are done", () =>
    Effect.gen(function*() {
      const list = new FakeList(12)
      const done: Array<string> = []
      const others = yield* Deferred.make<void>()
      const fiber = yield* Effect.fork(process(list, "slow", ({ id }) =>
        id === "item-11" ? Effect.never : Effect.suspend(() => {
          done.push(id)
          return done.length === 11 ? Deferred.succeed(others, undefined) : Effect.void
        }), { concurrency: 4 }))
      yield* Deferred.await(others)
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(yield* handled(list, "slow"), ids(down(12, 1)))
    }))

  for (const concurrency of [1, 4]) {
    /** Runs a handler that does not succeed for one item, and returns how `process` ended. */
    const exitOf = (key: string, list: FakeList, failing: Effect.Effect<unknown>) =>
      process(list, key, ({ id }) => id === "item-6" ? failing : Effect.void, { concurrency }).pipe(
        Effect.fork,
        Effect.flatMap(Fiber.await)
      )

    it.effect(`ends with a handler that interrupts itself, ${concurrency} at a time`, () =>
      Effect.gen(function*() {
        const list = new FakeList(10)
        const key = `interrupted ${concurrency}`
        assert.isTrue(Exit.isInterrupted(yield* exitOf(key, list, Effect.interrupt)))
        assert.include(yield* handled(list, key), "item-6")
      }))

    it.effect(`ends with a handler whose fiber is interrupted from outside, ${concurrency} at a time`, () =>
      Effect.gen(function*() {
        const list = new FakeList(10)
        const key = `interrupted from outside ${concurrency}`
        const failing = Effect.withFiberRuntime<void>((fiber) => {
          Effect.runFork(Fiber.interruptFork(fiber))
          return Effect.never
        })
        assert.isTrue(Exit.isInterrupted(yield* exitOf(key, list, failing)))
        assert.include(yield* handled(list, key), "item-6")
      }))

    it.effect(`ends with a commit that interrupts itself, ${concurrency} at a time`, () =>
      Effect.gen(function*() {
        const batches = Stream.make({ data: [1], commit: Effect.void }, { data: [2], commit: Effect.interrupt })
        const fiber = yield* Effect.fork(Commit.forEach(batches, () => Effect.void, { concurrency }))
        assert.isTrue(Exit.isInterrupted(yield* Fiber.await(fiber)))
      }))

    const dying: ReadonlyArray<readonly [name: string, failing: Effect.Effect<unknown>]> = [
      [
        "a part that throws while another one waits",
        Effect.all([Effect.die("broken"), Effect.never], { concurrency: 2 })
      ],
      ["a finalizer that dies while it is interrupted", Effect.ensuring(Effect.interrupt, Effect.die("broken"))]
    ]
    it.effect.each(dying)(
      `ends with the defect of %s, ${concurrency} at a time`,
      ([name, failing]) =>
        Effect.gen(function*() {
          const list = new FakeList(10)
          const key = `${name} ${concurrency}`
          const exit = yield* exitOf(key, list, failing)
          assert(Exit.isFailure(exit))
          assert.deepStrictEqual([...Cause.defects(exit.cause)], ["broken"])
          assert.include(yield* handled(list, key), "item-6")
        })
    )
  }

  it.effect("does not run far ahead of an item that is stuck", () =>
    Effect.gen(function*() {
      const list = new FakeList(1000)
      let done = 0
      const fiber = yield* Effect.fork(
        process(list, "stuck", ({ id }) => id === "item-999" ? Effect.never : Effect.sync(() => done++), {
          concurrency: 2
        })
      )
      yield* settle
      // 64 pages of three items, without the one that is stuck.
      assert.strictEqual(done, 64 * 3 - 1)
      assert.isAtMost(list.requests.length, 64 + 2)
      yield* Fiber.interrupt(fiber)
    }))

  it.effect("rejects an empty key, which would be that of every job without a name", () =>
    Effect.gen(function*() {
      const list = new FakeList(3)
      const error = yield* Effect.flip(handled(list, ""))
      assert.strictEqual(error.message, "key must not be empty")
      assert.deepStrictEqual(list.requests, [])
    }))

  it.effect("works on a service that is mocked in part", () =>
    Effect.gen(function*() {
      const done: Array<string> = []
      yield* contacts.process("mocked", ({ id }) => Effect.sync(() => done.push(id)))
      assert.deepStrictEqual(done, [SampleData.contact(0).id])
    }).pipe(Effect.provide(Layer.mock(Contacts, {
      list: () => Effect.succeed({ object: "list", has_more: false, data: [SampleData.contact(0)] })
    }))))

  it.effect("rejects an invalid concurrency", () =>
    Effect.forEach([0, -1, 1.5, NaN, Infinity], (concurrency) =>
      Effect.gen(function*() {
        const error = yield* Effect.flip(handled(new FakeList(3), "nonsense", { concurrency }))
        assert.strictEqual(error._tag, "InvalidOption")
        assert.strictEqual(error.message, "concurrency must be an integer, 1 or greater")
        const direct = yield* Effect.flip(
          Commit.forEach(Stream.make({ data: [1], commit: Effect.void }), () => Effect.void, { concurrency })
        )
        assert.deepStrictEqual(direct, error)
      })))

  it.effect("treats a handler that throws as a defect, and loses nothing", () =>
    Effect.gen(function*() {
      const list = new FakeList(5)
      const exit = yield* Effect.exit(process(list, "throws", (): Effect.Effect<void> => {
        throw new Error("oops")
      }))
      assert.strictEqual(exit._tag, "Failure")
      assert.deepStrictEqual(yield* handled(list, "throws"), ids(down(5, 1)))
    }))
})

layer(KeyValueStore.layerMemory)("processPages", (it) => {
  it.effect("delivers a page again until it is committed", () =>
    Effect.gen(function*() {
      const list = new FakeList(7)
      const once = (key: string) =>
        processPages(list, key, (pages) =>
          pages.pipe(
            Stream.take(1),
            Stream.mapEffect(({ commit, data }) => Effect.as(commit, ids(data))),
            Stream.runLast
          ))
      assert.deepStrictEqual(yield* delivered(list, "pages"), yield* delivered(list, "pages"))
      yield* once("pages")
      assert.deepStrictEqual(yield* delivered(list, "pages"), [ids(down(4, 2)), ids(down(1, 1))])
      yield* once("pages")
      yield* once("pages")
      assert.deepStrictEqual(yield* delivered(list, "pages"), [])
    }))

  it.effect("counts the items of all runs, in its progress and in what is stored", () =>
    Effect.gen(function*() {
      const list = new FakeList(10)
      const items = Effect.map(Checkpoint.read("counted"), Option.map(({ items }) => items))
      const run = (pages: number) =>
        Effect.gen(function*() {
          const progress = yield* Progress.make
          yield* processPages(
            list,
            "counted",
            (all) => Stream.runForEach(Stream.take(all, pages), ({ commit }) => commit),
            { progress }
          )
          return (yield* progress.get).items
        })
      assert.strictEqual(yield* run(2), 6)
      assert.deepStrictEqual(yield* items, Option.some(6))
      assert.strictEqual(yield* run(1), 9)
      assert.deepStrictEqual(yield* items, Option.some(9))
      assert.strictEqual(yield* run(9), 10)
      assert.deepStrictEqual(yield* items, Option.some(10))
      assert.strictEqual(yield* run(9), 10)
    }).pipe(Effect.provide(KeyValueStore.layerMemory)))

  it.effect("commits several pages with one write", () =>
    Effect.gen(function*() {
      const map = new Map<string, string>()
      let writes = 0
      const store = storeOf(map, (key, value) =>
        Effect.sync(() => {
          if (!key.includes(".lock")) writes++
          map.set(key, value)
        }))
      yield* processPages(new FakeList(30), "grouped", (pages) =>
        pages.pipe(Stream.grouped(4), Stream.runForEach(Commit.all))).pipe(
          Effect.provideService(KeyValueStore.KeyValueStore, store)
        )
      assert.strictEqual(writes, 3)
    }))

  it.effect("may be committed more than once, and all at once", () =>
    Effect.gen(function*() {
      const list = new FakeList(9)
      yield* processPages(list, "often", (pages) =>
        Effect.gen(function*() {
          const all = yield* Stream.runCollect(pages)
          yield* Effect.forEach([...all, ...all], ({ commit }) => commit, { concurrency: "unbounded" })
          yield* Commit.all(all)
        }))
      assert.deepStrictEqual(yield* delivered(list, "often"), [])
    }))

  it.effect("writes one position at a time, whatever is committed meanwhile", () =>
    Effect.gen(function*() {
      const map = new Map<string, string>()
      const [started, finish] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const writes: Array<string> = []
      const store = storeOf(map, (key, value) =>
        Effect.gen(function*() {
          if (!key.includes(".lock")) {
            writes.push(`begins ${key}`)
            yield* Deferred.succeed(started, undefined)
            yield* Deferred.await(finish)
            writes.push(`ends ${key}`)
          }
          map.set(key, value)
        }))
      const list = new FakeList(9)
      yield* processPages(list, "slow store", (pages) =>
        Effect.gen(function*() {
          const [first, second] = yield* Stream.runCollect(Stream.take(pages, 2))
          const earlier = yield* Effect.fork(first!.commit)
          yield* Deferred.await(started)
          const later = yield* Effect.fork(second!.commit)
          yield* settle
          yield* Deferred.succeed(finish, undefined)
          yield* Fiber.joinAll([earlier, later])
        })).pipe(Effect.provideService(KeyValueStore.KeyValueStore, store))
      assert.deepStrictEqual(writes, [
        "begins slow store.0",
        "ends slow store.0",
        "begins slow store.1",
        "ends slow store.1"
      ])
      assert.deepStrictEqual(
        yield* Effect.provideService(delivered(list, "slow store"), KeyValueStore.KeyValueStore, store),
        [ids(down(3, 1))]
      )
    }))

  it.effect("refuses a commit after its end, or by a run that was started before", () =>
    Effect.gen(function*() {
      const list = new FakeList(9)
      const leaked = yield* processPages(list, "leaked", (pages) =>
        Effect.gen(function*() {
          const first = yield* Stream.runCollect(pages)
          const second = yield* Stream.runCollect(pages)
          assert.deepStrictEqual(ids(Chunk.unsafeHead(second).data), ids(down(9, 7)))
          const error = yield* Effect.flip(Chunk.unsafeHead(first).commit)
          assert(error._tag === "CheckpointError")
          assert.strictEqual(error.reason, "Closed")
          yield* Chunk.unsafeHead(second).commit
          const third = yield* Stream.runCollect(pages)
          assert.deepStrictEqual(ids(Chunk.unsafeHead(third).data), ids(down(6, 4)))
          return third
        }))
      const error = yield* Effect.flip(Commit.all(leaked))
      assert(error._tag === "CheckpointError")
      assert.strictEqual(error.reason, "Closed")
      assert.deepStrictEqual(yield* delivered(list, "leaked"), [ids(down(6, 4)), ids(down(3, 1))])
    }))

  it.effect("can be committed again if the store failed", () =>
    Effect.gen(function*() {
      const map = new Map<string, string>()
      let failures = 2
      const store = storeOf(map, (key, value) =>
        Effect.suspend(() => {
          if (!key.includes(".lock") && failures-- > 0) return Effect.fail({ message: "disk full" } as never)
          map.set(key, value)
          return Effect.void
        }))
      const list = new FakeList(6)
      yield* processPages(list, "again", (pages) =>
        Stream.runForEach(pages, ({ commit }) =>
          Effect.retry(commit, { times: 2 })))
        .pipe(Effect.provideService(KeyValueStore.KeyValueStore, store))
      assert.deepStrictEqual(
        yield* Effect.provideService(delivered(list, "again"), KeyValueStore.KeyValueStore, store),
        []
      )
    }))

  it.effect("warns if a complete walk was not committed, and says if nothing is left to do", () =>
    Effect.gen(function*() {
      const logged: Array<string> = []
      const logger = Logger.make<unknown, void>(({ logLevel, message }) => {
        logged.push(`${logLevel.label} ${String(message)}`)
      })
      const list = new FakeList(7)
      yield* Effect.gen(function*() {
        yield* processPages(list, "forgotten", (pages) => Stream.runDrain(Stream.take(pages, 1)))
        yield* handled(list, "fine")
        assert.deepStrictEqual(logged, [])
        yield* processPages(list, "forgotten", Stream.runDrain)
        yield* handled(list, "fine")
      }).pipe(
        Logger.withMinimumLogLevel(LogLevel.Debug),
        Effect.provide(Logger.replace(Logger.defaultLogger, logger))
      )
      assert.deepStrictEqual(logged, [
        "WARN items: the walk is complete, but pages were not committed (3); the next run delivers them again",
        "INFO items: \"fine\" is already complete; to process the list again, clear its checkpoint or use another key"
      ])
    }))
})

/** What is done with the pages of a run: in which order they are committed, and how many are kept waiting. */
interface Plan {
  readonly pageSize: number
  readonly prefetch: number
  readonly window: number
  /** For each delivered page, which of the waiting ones is committed next. */
  readonly picks: ReadonlyArray<number>
  /** After how many events, which are handled items and writes, the process is killed. */
  readonly killAfter: number
  /** If it is killed during a write, how much of it is left. */
  readonly written: number
}

const plan: FastCheck.Arbitrary<Plan> = FastCheck.record({
  pageSize: FastCheck.integer({ min: 1, max: 7 }),
  prefetch: FastCheck.integer({ min: 0, max: 2 }),
  window: FastCheck.integer({ min: 1, max: 5 }),
  picks: FastCheck.array(FastCheck.nat(4), { minLength: 1, maxLength: 10 }),
  killAfter: FastCheck.integer({ min: 0, max: 60 }),
  written: FastCheck.double({ min: 0, max: 1, noNaN: true })
})

describe("killed at any instant", () => {
  it.effect.prop("loses nothing, and repeats uncommitted pages only, in whatever order pages are committed", [
    FastCheck.integer({ min: 0, max: 40 }),
    FastCheck.array(plan, { maxLength: 12 })
  ], ([size, plans]) =>
    Effect.gen(function*() {
      const list = new FakeList(size)
      const all = ids(list.items)
      const stored = new Map<string, string>()
      const seen = new Set<string>()
      /** Items whose page was committed, and all pages before it. */
      let committed = 0
      for (
        const plan of [...plans, { pageSize: 3, prefetch: 0, window: 2, picks: [1], killAfter: Infinity, written: 0 }]
      ) {
        const committedBefore = committed
        let left = plan.killAfter
        const event = Effect.suspend(() => left-- > 0 ? Effect.void : Effect.die("killed"))
        const store = storeOf(stored, (key, value) =>
          Effect.suspend(() => {
            if (left < 0) return Effect.die("killed")
            const isKilled = left-- === 0
            stored.set(key, isKilled ? value.slice(0, Math.floor(value.length * plan.written)) : value)
            return isKilled ? Effect.die("killed") : Effect.void
          }))
        const dead = { ...store, remove: (key: string) => left < 0 ? Effect.void : store.remove(key) }
        const firsts: Array<string> = []
        const done = new Map<number, number>()
        yield* processPages(list, "key", (pages) => {
          let turn = 0
          const waiting: Array<Commit.CommittablePage<Item>> = []
          const commitOne = Effect.suspend(() => {
            const [page] = waiting.splice(plan.picks[turn++ % plan.picks.length]! % waiting.length, 1)
            return Effect.tap(page!.commit, () => {
              const begin = all.indexOf(page!.data[0]?.id ?? "")
              if (begin !== -1) done.set(begin, begin + page!.data.length)
              while (done.has(committed)) committed = done.get(committed)!
            })
          })
          return pages.pipe(
            Stream.runForEach((page) =>
              Effect.gen(function*() {
                if (page.data[0] !== undefined) firsts.push(page.data[0].id)
                for (const { id } of page.data) {
                  yield* event
                  seen.add(id)
                }
                waiting.push(page)
                if (waiting.length >= plan.window) yield* commitOne
              })
            ),
            Effect.zipRight(
              Effect.whileLoop({ while: () => waiting.length > 0, body: () => commitOne, step: () => {} })
            )
          )
        }, plan).pipe(
          Effect.provideService(KeyValueStore.KeyValueStore, dead),
          Effect.catchAllDefect(() => Effect.void)
        )
        // A process that has ended holds no lock.
        stored.delete("key.lock")
        if (firsts[0] !== undefined) {
          const begin = all.indexOf(firsts[0])
          assert.isAtLeast(begin, committedBefore)
          assert.isTrue(all.slice(0, begin).every((id) => seen.has(id)))
        }
      }
      assert.strictEqual(seen.size, size)
      const last = yield* Effect.provideService(
        delivered(list, "key"),
        KeyValueStore.KeyValueStore,
        storeOf(stored, (key, value) => Effect.sync(() => stored.set(key, value)))
      )
      assert.deepStrictEqual(last, [])
    }), { fastCheck: { numRuns: 150 }, timeout: 60_000 })
})

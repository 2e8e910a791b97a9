import { KeyValueStore } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { InternalServerError, type RequestError } from "@mailstream/core"
import { Commit, Follow, Lock, Walk, Whole } from "@mailstream/stream"
import * as WallClock from "@mailstream/testing/WallClock"
import { Deferred, Effect, Either, Exit, Schedule, Stream, TestClock } from "effect"
import { FakeList, type Item } from "./support/list.ts"

const start = Date.UTC(2026, 10, 17, 11, 5)

const unavailable: RequestError = new InternalServerError({ statusCode: 500, message: "Something went wrong." })

/** Stops on its own: with a wall clock that is set back, it would not. */
const retry = Schedule.spaced("2 seconds").pipe(Schedule.upTo("9 seconds"))

const failing = () => {
  const list = new FakeList(5)
  list.before = Effect.sync(() => list.failures.push(unavailable))
  return list
}

const following = (poll: Follow.Options["poll"], polls: number) =>
  Effect.suspend(() => {
    const list = new FakeList(5)
    const begun = new FakeList(0)
    return Stream.runDrain(Follow.items({
      name: "items",
      page: (request) => {
        if (begun.requests.push(request) > polls + 1) return Effect.fail(unavailable)
        return list.page(request)
      }
    }, { poll, retry: Schedule.stop }))
  })

/** Every wait of this package, and how long it takes in milliseconds. */
const waits: ReadonlyArray<readonly [name: string, millis: number, Effect.Effect<unknown, unknown>]> = [
  ["the retries of a page", 10_000, Effect.suspend(() => Stream.runDrain(Walk.items(failing(), { retry })))],
  [
    "the retries of a page that is requested ahead",
    10_000,
    Effect.suspend(() => Stream.runDrain(Walk.items(failing(), { retry, prefetch: 2 })))
  ],
  [
    "the retries of a whole list",
    10_000,
    Effect.suspend(() =>
      Stream.runDrain(Whole.items<Item, never>({
        name: "items",
        page: () => Effect.fail(unavailable),
        check: (item) => Either.right(item as Item),
        open: Effect.fail(unavailable)
      }, { retry }))
    )
  ],
  [
    "the retries of a process",
    10_000,
    Effect.suspend(() => Commit.process(failing(), "key", () => Effect.void, { retry })).pipe(
      Effect.provide(KeyValueStore.layerMemory)
    )
  ],
  ["the retries of a follower", 10_000, Effect.suspend(() => Stream.runDrain(Follow.items(failing(), { retry })))],
  ["two polls of a follower", 10_000, following(undefined, 1)],
  ["polls at an interval", 9_000, following("3 seconds", 2)],
  ["polls on a schedule", 10_000, following(Schedule.spaced("2 seconds"), 4)],
  [
    "polls on a schedule, as long as it lasts",
    10_000,
    following(Schedule.spaced("2 seconds").pipe(Schedule.upTo("9 seconds")), 1000)
  ],
  ["polls on a schedule with fixed times", 9_000, following(Schedule.fixed("3 seconds"), 2)],
  [
    "the renewal of a lock",
    20_000,
    Effect.gen(function*() {
      const store = yield* KeyValueStore.KeyValueStore
      const renewed = yield* Deferred.make<void>()
      let renewals = 0
      const set: typeof store.set = (key, value) => {
        // The first is a part of acquiring it.
        if (key === "key.renewed" && renewals++ === 2) Deferred.unsafeDone(renewed, Exit.void)
        return store.set(key, value)
      }
      yield* Effect.provideService(Lock.acquire("key"), KeyValueStore.KeyValueStore, { ...store, set })
      yield* Deferred.await(renewed)
    }).pipe(Effect.scoped, Effect.provide(KeyValueStore.layerMemory))
  ],
  [
    "the watch of a lock that seems to be expired",
    15_000,
    Effect.gen(function*() {
      const store = yield* KeyValueStore.KeyValueStore
      yield* store.set("key", JSON.stringify({ id: "other", since: start - 3_600_000 }))
      yield* store.set("key.renewed", `other ${start - 3_600_000}`)
      yield* Lock.acquire("key")
    }).pipe(Effect.scoped, Effect.provide(KeyValueStore.layerMemory))
  ]
]

describe("the wall clock, set while something waits", () => {
  describe.each(waits)("%s", (_, millis, wait) => {
    it.scoped.each(WallClock.steps)(
      "by %s, %s, changes nothing",
      (step) =>
        Effect.gen(function*() {
          yield* TestClock.setTime(start)
          assert.strictEqual(yield* WallClock.elapsed(wait, "4500 millis", step), millis)
        })
    )
  })
})

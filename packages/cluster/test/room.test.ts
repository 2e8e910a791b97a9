import { assert, describe, it } from "@effect/vitest"
import { settle } from "@mailstream/testing/Clock"
import { Duration, Effect, Fiber, Option, TestClock } from "effect"
import * as Room from "../src/internal/room.ts"

/** A pass that takes this many seconds, and notes when it ran. */
const passes = () => {
  const log: Array<string> = []
  const pass = (name: string, seconds: number) =>
    Effect.sync(() => log.push(`${name} begins`)).pipe(
      Effect.zipRight(Effect.sleep(Duration.seconds(seconds))),
      Effect.zipRight(Effect.sync(() => log.push(`${name} ends`))),
      Effect.as(name),
      Effect.onInterrupt(() => Effect.sync(() => log.push(`${name} yields`)))
    )
  return { log, pass }
}

const advance = (seconds: number) => Effect.zipRight(TestClock.adjust(Duration.seconds(seconds)), settle)

const slice = Duration.seconds(10)

describe("the room of a worker", () => {
  it.effect("is left to short passes while long ones continue elsewhere", () =>
    Effect.gen(function*() {
      const { log, pass } = passes()
      const room = Room.make({ size: 2, slice })
      const long = yield* Effect.fork(room.run(pass("long", 1000), { isLong: false }))
      yield* settle
      const short = yield* Effect.fork(
        Effect.forEach(Array.from({ length: 50 }, (_, n) => `short ${n}`), (name) =>
          room.run(pass(name, 1), { isLong: false }))
      )
      for (let second = 0; second < 51; second++) {
        yield* advance(1)
      }
      assert.strictEqual(
        log.filter((line) =>
          /^short \d+ ends/.test(line)
        ).length,
        50
      )
      assert.notInclude(log, "long yields")
      yield* Fiber.join(short)
      yield* advance(1000)
      assert.deepStrictEqual(yield* Fiber.join(long), Option.some("long"))
    }))

  it.effect("keeps what a pass has done that ends while it is asked to give way", () =>
    Effect.gen(function*() {
      const room = Room.make({ size: 1, slice })
      const pass = Effect.as(Effect.uninterruptible(Effect.sleep("15 seconds")), "done")
      const first = yield* Effect.fork(room.run(pass, { isLong: false }))
      yield* settle
      yield* Effect.fork(room.run(Effect.void, { isLong: false }))
      yield* advance(10)
      yield* advance(5)
      assert.deepStrictEqual(yield* Fiber.join(first), Option.some("done"))
    }))

  it.effect("is given up by a pass that turns out to be long when there is no other place for it", () =>
    Effect.gen(function*() {
      const { log, pass } = passes()
      const room = Room.make({ size: 2, slice })
      yield* Effect.fork(room.run(pass("one", 10_000), { isLong: true }))
      yield* settle
      const two = yield* Effect.fork(room.run(pass("two", 10_000), { isLong: false }))
      yield* settle
      yield* advance(10)
      // Nobody waits for its place.
      assert.deepStrictEqual(log, ["one begins", "two begins"])
      yield* Effect.fork(room.run(pass("three", 1), { isLong: false }))
      yield* advance(10)
      assert.deepStrictEqual(yield* Fiber.join(two), Option.none())
      assert.deepStrictEqual(log, ["one begins", "two begins", "two yields", "three begins"])
    }))

  it.effect("is shared by long passes in turns", () =>
    Effect.gen(function*() {
      const { log, pass } = passes()
      const room = Room.make({ size: 2, slice })
      const first = yield* Effect.fork(room.run(pass("first", 150), { isLong: true }))
      yield* settle
      yield* Effect.fork(room.run(pass("second", 20), { isLong: true }))
      yield* advance(99)
      assert.deepStrictEqual(log, ["first begins"])
      yield* advance(1)
      assert.deepStrictEqual(yield* Fiber.join(first), Option.none())
      yield* advance(20)
      assert.deepStrictEqual(log, ["first begins", "first yields", "second begins", "second ends"])
    }))

  it.effect("is never larger than its size, and is free again after interruptions", () =>
    Effect.gen(function*() {
      for (const size of [1, 3]) {
        const room = Room.make({ size, slice })
        let [inside, most] = [0, 0]
        const pass = Effect.acquireUseRelease(
          Effect.sync(() => {
            most = Math.max(most, ++inside)
          }),
          () => Effect.sleep("25 seconds"),
          () => Effect.sync(() => inside--)
        )
        const turn = (n: number) => Effect.fork(room.run(pass, { isLong: n % 2 === 0 }))
        const fibers = yield* Effect.forEach(Array.from({ length: 16 }, (_, n) => n), turn)
        yield* advance(1)
        yield* Effect.forEach(fibers.slice(0, 8), Fiber.interrupt)
        yield* advance(1)
        for (let n = 0; n < 24; n++) yield* advance(25)
        assert.strictEqual(inside, 0)
        assert.isAtMost(most, size)
        yield* Effect.forEach(Array.from({ length: size + 1 }), () => Effect.fork(room.run(pass, { isLong: false })))
        yield* settle
        assert.strictEqual(inside, size)
      }
    }))
})

import { assert, describe, it } from "@effect/vitest"
import { Availability } from "@mailstream/sql"
import { Duration, Effect, Exit, Fiber, TestClock } from "effect"

/** Work that meets a lock, for so many attempts. */
const locked = (times: number) => {
  let attempts = 0
  return Effect.suspend(() => ++attempts <= times ? Effect.fail("locked" as const) : Effect.succeed("done"))
}

const wait = (times: number, patience?: Duration.DurationInput) =>
  Effect.fork(Availability.waitForLock(locked(times), (error) => error === "locked", patience))

describe("a lock of another process", () => {
  it.effect("is waited for until it is released", () =>
    Effect.gen(function*() {
      const fiber = yield* wait(10)
      yield* TestClock.adjust("4 seconds")
      assert.strictEqual(yield* Fiber.join(fiber), "done")
    }))

  it.effect.each([[undefined, 5], ["30 seconds", 30]] as const)(
    "is waited for no longer than %s",
    ([patience, seconds]) =>
      Effect.gen(function*() {
        const fiber = yield* wait(Infinity, patience)
        yield* TestClock.adjust(Duration.seconds(seconds - 1))
        assert.isNull(fiber.unsafePoll())
        yield* TestClock.adjust("2 seconds")
        assert.deepStrictEqual(fiber.unsafePoll(), Exit.fail("locked"))
      })
  )
})

import { assert, describe, it } from "@effect/vitest"
import * as Waiting from "@mailstream/kernel/Waiting"
import { Deferred, Effect, Exit, Fiber } from "effect"

describe("a race", () => {
  it.effect("ends with the first of both, whatever it ends with", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* Waiting.raceFirst(Effect.succeed(1), Effect.never), 1)
      assert.strictEqual(yield* Waiting.raceFirst(Effect.never, Effect.succeed(2)), 2)
      assert.strictEqual(yield* Effect.flip(Waiting.raceFirst(Effect.never, Effect.fail("3"))), "3")
      const exit = yield* Effect.exit(Waiting.raceFirst(Effect.die("4"), Effect.never))
      assert.deepStrictEqual(exit, Exit.die("4"))
    }))

  it.effect("that is interrupted has ended on both sides before what is around it", () =>
    Effect.gen(function*() {
      const ended: Array<string> = []
      const side = (name: string, started: Deferred.Deferred<void>) =>
        Effect.zipRight(Deferred.succeed(started, undefined), Effect.never).pipe(
          // It takes a few turns to end.
          Effect.ensuring(Effect.zipRight(Effect.repeatN(Effect.yieldNow(), 10), Effect.sync(() => ended.push(name))))
        )
      const [one, other] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const fiber = yield* Waiting.raceFirst(side("one", one), side("other", other)).pipe(
        Effect.ensuring(Effect.sync(() => ended.push("around"))),
        Effect.fork
      )
      yield* Effect.zip(Deferred.await(one), Deferred.await(other))
      const exit = yield* Fiber.interrupt(fiber)
      assert.isTrue(Exit.isInterrupted(exit))
      assert.strictEqual(ended.pop(), "around")
      assert.sameMembers(ended, ["one", "other"])
    }))
})

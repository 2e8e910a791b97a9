import { assert, describe, it } from "@effect/vitest"
import { Duration, FastCheck as fc } from "effect"
import { decide, firstLook, type Limits, longestLook, Look } from "../src/internal/postgres/limits.ts"

const millis = fc.integer({ min: 0, max: 10_000_000 })

const limits = fc.tuple(millis, millis, millis).map(([lock, silence, statement]): Limits => ({
  lock: Duration.millis(lock),
  silence: Duration.millis(silence),
  statement: Duration.millis(statement)
}))

const looks: fc.Arbitrary<Look> = fc.oneof(
  millis.map((millis) => Look.Waiting({ millis, what: "table items", holder: undefined })),
  fc.constantFrom(Look.Working(), Look.Lost(), Look.Silent(), Look.Unknown())
)

describe("a look", () => {
  it("has time to open a connection, however short the limits are, and never more than ten seconds", () =>
    fc.assert(fc.property(limits, (limits) => {
      const longest = longestLook(limits)
      assert.isAtLeast(longest, 2000)
      assert.isAtMost(longest, 10_000)
    })))
})

describe("decide", () => {
  it("gives up every statement at its limit, at the latest, whatever is seen of it", () =>
    fc.assert(fc.property(limits, fc.infiniteStream(looks), (limits, seen) => {
      let elapsed = firstLook(limits)
      for (const look of seen) {
        const decision = decide(look, elapsed, limits)
        if (decision._tag === "GiveUp") return
        assert.isAtLeast(decision.millis, 50)
        assert.isAtMost(elapsed, Duration.toMillis(limits.statement))
        elapsed += decision.millis
      }
    })))

  it("gives up a lock after its limit, and not before, unless the statement is at its own", () =>
    fc.assert(fc.property(limits, millis, millis, (limits, waited, elapsed) => {
      const decision = decide(Look.Waiting({ millis: waited, what: "a row", holder: undefined }), elapsed, limits)
      const isOver = waited >= Duration.toMillis(limits.lock) || elapsed >= Duration.toMillis(limits.statement)
      assert.strictEqual(decision._tag, isOver ? "GiveUp" : "Wait")
    })))

  it("leaves a statement alone that the server is working on", () =>
    fc.assert(fc.property(limits, millis, (limits, elapsed) => {
      const { _tag } = decide(Look.Working(), elapsed, limits)
      assert.strictEqual(_tag, elapsed >= Duration.toMillis(limits.statement) ? "GiveUp" : "Wait")
    })))
})

import { assert, describe, it } from "@effect/vitest"
import * as InvalidOption from "@mailstream/core/InvalidOption"
import { Duration, Either, FastCheck } from "effect"

const messageOf = <A>(checked: Either.Either<A, InvalidOption.InvalidOption>): string | undefined =>
  Either.isLeft(checked) ? checked.left.message : undefined

describe("InvalidOption", () => {
  it.prop(
    "accepts exactly the integers within bounds",
    [FastCheck.oneof(FastCheck.integer(), FastCheck.double()), FastCheck.integer(), FastCheck.nat()],
    ([value, min, span]) => {
      const isWithin = Number.isInteger(value) && value >= min && value <= min + span
      assert.strictEqual(Either.isRight(InvalidOption.integer("lanes", value, { min, max: min + span })), isWithin)
    }
  )

  it.prop(
    "accepts exactly the finite durations from their bound",
    [FastCheck.oneof(FastCheck.maxSafeInteger(), FastCheck.constantFrom(Number.NaN, Infinity)), FastCheck.nat()],
    ([millis, min]) => {
      const isWithin = millis <= 365_000 * 86_400_000 && millis >= min
      assert.strictEqual(Either.isRight(InvalidOption.duration("every", millis, { min })), isWithin)
    }
  )

  it.prop(
    "accepts exactly the numbers greater than 0",
    [FastCheck.oneof(FastCheck.double(), FastCheck.constantFrom(0, -0, Number.NaN, Infinity))],
    ([value]) => {
      assert.strictEqual(Either.isRight(InvalidOption.positive("requests", value)), value > 0)
    }
  )

  it("accepts an infinite duration where it may be infinite", () => {
    assert.deepStrictEqual(
      InvalidOption.duration("timeout", Duration.infinity, { infinite: true }),
      Either.right(Duration.infinity)
    )
    assert.strictEqual(
      messageOf(InvalidOption.duration("timeout", 0, { infinite: true })),
      "timeout must be a duration greater than 0, as in \"1 hour\""
    )
  })

  it("says which option is wrong and what it must be", () => {
    assert.strictEqual(
      messageOf(InvalidOption.integer("port", 0, { min: 1, max: 9 })),
      "port must be an integer from 1 to 9"
    )
    assert.strictEqual(
      messageOf(InvalidOption.integer("lanes", 0.5, { min: 1 })),
      "lanes must be an integer, 1 or greater"
    )
    for (const input of [0, -1, Number.NaN, Duration.infinity]) {
      assert.strictEqual(
        messageOf(InvalidOption.duration("every", input)),
        "every must be a finite duration greater than 0, as in \"1 hour\""
      )
    }
    // Effect would read these as zero.
    for (const input of [-1, Number.NaN]) {
      assert.include(messageOf(InvalidOption.duration("delay", input, { min: 0 })), "delay must be a finite duration")
    }
    assert.strictEqual(
      messageOf(InvalidOption.duration("slice", "1 milli", { min: "1 second" })),
      "slice must be a finite duration of at least 1s, as in \"1 hour\""
    )
  })
})

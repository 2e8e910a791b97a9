import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as Rules from "../src/CheckpointRules.ts"
import type { Position } from "../src/Position.ts"

const text = fc.string({ unit: "grapheme", maxLength: 12 })
const atItem = fc.record({ id: text, fallbacks: fc.array(text, { maxLength: 3 }), within: text }, {
  requiredKeys: ["id"]
})
const position: fc.Arbitrary<Position> = fc.oneof(
  fc.constantFrom<Position>({ _tag: "Start" }, { _tag: "End" }),
  atItem.map((item): Position => ({ _tag: "After", ...item })),
  atItem.map((item): Position => ({ _tag: "Before", ...item }))
)
const stored: fc.Arbitrary<Rules.Stored> = fc.record({
  sequence: fc.nat(),
  service: fc.option(text, { nil: undefined }),
  list: text,
  filter: fc.dictionary(text, text, { noNullPrototype: true, maxKeys: 3 }),
  from: text,
  position,
  items: fc.option(fc.nat(), { nil: undefined })
})

describe("checkpoints as they are stored", () => {
  it.prop("a checkpoint is read as it was written", [stored], ([stored]) => {
    assert.deepStrictEqual(Rules.decode(Rules.encode(stored)), stored)
  })

  it.prop("whatever part of the next one was written, the last complete one counts", [stored, stored, fc.nat()], (
    [stored, other, cut]
  ) => {
    const next = Rules.encode({ ...other, sequence: stored.sequence + 1 })
    const texts = (text: string) =>
      stored.sequence % 2 === 0 ? [Rules.encode(stored), text] : [text, Rules.encode(stored)]
    const torn = next.slice(0, cut % next.length)
    assert.deepStrictEqual(Rules.latest(texts(torn)), stored)
    assert.deepStrictEqual(Rules.latest(texts("\0".repeat(next.length))), stored)
    assert.deepStrictEqual(Rules.latest(texts(next)), Rules.decode(next))
  })

  it.prop("what is nothing but torn was never there in the first slot, and is corrupt in the second", [
    stored,
    fc.nat()
  ], ([stored, cut]) => {
    const whole = Rules.encode(stored)
    const torn = whole.slice(0, cut % whole.length)
    assert.isUndefined(Rules.latest([undefined, undefined]))
    assert.isUndefined(Rules.latest([torn, undefined]))
    assert.strictEqual(Rules.latest([undefined, torn]), "Corrupt")
  })

  it.prop("a field of another type is no checkpoint", [
    stored,
    fc.constantFrom("version", "sequence", "service", "list", "filter", "from", "position", "items"),
    fc.constantFrom<unknown>(null, true, 1.5, -1, [], ["a"], { a: 1 }, { _tag: "After", of: 1 }, {
      _tag: "Start ",
      of: 1
    })
  ], ([stored, field, value]) => {
    fc.pre(!(field === "items" && value === -1))
    const text = JSON.stringify({ ...JSON.parse(Rules.encode(stored)), [field]: value })
    assert.isUndefined(Rules.decode(text))
    assert.strictEqual(Rules.latest([text, undefined]), "Corrupt")
  })

  it.prop("a walk is resumed only in the same list, filter, service and direction", [stored, text, position], (
    [stored, other, start]
  ) => {
    const from = Rules.placeOf(start)
    const same = { ...stored, from }
    const isTurned = "id" in stored.position && (stored.position._tag === "Before") !== (start._tag === "Before")
    assert.strictEqual(Rules.problemOf(same, stored, from)?.reason, isTurned ? "Corrupt" : undefined)
    // What was stored without a service belongs to any.
    assert.strictEqual(
      Rules.problemOf({ ...same, service: undefined }, stored, from)?.reason,
      isTurned ? "Corrupt" : undefined
    )
    for (
      const changed of [
        { ...same, list: `${same.list}!` },
        { ...same, filter: { ...same.filter, [other]: `${same.filter[other]}!` } },
        { ...same, from: `${from}!` },
        { ...same, service: `${same.service}!` }
      ]
    ) {
      if (changed.service !== same.service && same.service === undefined) continue
      assert.strictEqual(Rules.problemOf(changed, stored, from)?.reason, "Mismatch")
    }
  })
})

import { assert, describe, it } from "@effect/vitest"
import { Database } from "@mailstream/sql"
import { FastCheck as fc } from "effect"

/** Texts with everything that a service may say, also half of a surrogate pair. */
const text = fc.string({ unit: fc.constantFrom("a", "é", "😀", "\ud83d", "\ude00", "\0", "\n"), maxLength: 20 })

describe("text for a database", () => {
  it("has neither U+0000 nor half of a surrogate pair, wherever it is cut", () =>
    fc.assert(fc.property(text, fc.nat(20), (text, length) => {
      const stored = Database.toText(text, length)
      assert.notMatch(stored, /[\0\p{Cs}]/u)
      assert.isAtMost(stored.length, length)
      assert.isAtLeast(stored.length, Math.min(length, text.length) - 1)
      const isCut = text.length > length
      assert.strictEqual(stored.endsWith("…"), isCut && length > 0)
      assert.isTrue(Database.toText(text).startsWith(isCut ? stored.slice(0, -1) : stored))
    })))

  it("is what it was if a database accepts it", () => {
    for (const text of ["", "x", "😀😀", "a\nb"]) assert.strictEqual(Database.toText(text), text)
    assert.deepStrictEqual([3, 4].map((length) => Database.toText("😀😀", length)), ["😀…", "😀😀"])
    assert.deepStrictEqual([0, 1, 2].map((length) => Database.toText("abc", length)), ["", "…", "a…"])
  })
})

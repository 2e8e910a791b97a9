import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as Places from "../src/internal/places.ts"

const slice = 30_000
const kind = fc.constantFrom<Places.Kind>("short", "new", "long")
const due = fc.record({ count: fc.nat(20), waited: fc.nat(100) })
const sized = fc.integer({ min: 1, max: 12 }).chain((size) =>
  fc.record({
    size: fc.constant(size),
    running: fc.array(fc.record({ kind, ran: fc.nat(20 * slice) }), { maxLength: size }),
    due: fc.record({ short: due, new: due, long: due })
  })
)

/** What a worker does, if it gets all that it asks for. */
const decide = (
  { due, running, size }: {
    readonly size: number
    readonly running: ReadonlyArray<Places.Place>
    readonly due: Places.Due
  }
) => {
  const settings = { size, slice }
  const claims = Places.claims(settings, running, due)
  return { claims, left: Places.yielding(settings, running, claims) }
}

const others = (places: ReadonlyArray<Places.Place>) => places.filter(({ kind }) => kind !== "short").length

describe("the places of a worker", () => {
  it("are never more than there are, and none is idle while an account is due", () =>
    fc.assert(
      fc.property(sized, (state) => {
        const { claims, left } = decide(state)
        const after = state.running.length + Places.sum(claims) - left.length
        assert.isAtMost(after, state.size)
        for (const kind of ["short", "new", "long"] as const) assert.isAtMost(claims[kind], state.due[kind].count)
        const waiting = Places.sum(Places.each((kind) => state.due[kind].count - claims[kind]))
        if (waiting > 0) assert.strictEqual(after, state.size)
        // Nobody makes room for nothing.
        assert.strictEqual(left.length, Math.max(0, state.running.length + Places.sum(claims) - state.size))
        assert.strictEqual(new Set(left).size, left.length)
      }),
      { numRuns: 1000 }
    ))

  it("are given back to short passes at once beyond half, and short passes never make room", () =>
    fc.assert(
      fc.property(sized, (state) => {
        fc.pre(state.size > 1)
        const { claims, left } = decide(state)
        assert.isTrue(left.every(({ kind }) => kind !== "short"))
        if (claims.short < state.due.short.count) {
          const kept = others(state.running) - left.length + claims.new + claims.long
          assert.isAtMost(kept, Math.floor(state.size / 2))
        }
      }),
      { numRuns: 1000 }
    ))

  it("are half for passes that are not short, whatever else is due", () =>
    fc.assert(
      fc.property(sized, (state) => {
        fc.pre(state.size > 1)
        const { claims, left } = decide(state)
        const half = Math.floor(state.size / 2)
        const after = others(state.running) - left.length + claims.new + claims.long
        const wanted = Math.min(half, others(state.running) + state.due.new.count + state.due.long.count)
        const free = state.size - state.running.length
        assert.isAtLeast(after, Math.min(wanted, others(state.running) + free))
      }),
      { numRuns: 1000 }
    ))

  it("are taken in turns where there is one only", () => {
    const one = (kind: Places.Kind, ran: number, waiting: Partial<Record<Places.Kind, number>>) => {
      const due = Places.each((kind) => ({ count: waiting[kind] === undefined ? 0 : 1, waited: waiting[kind] ?? 0 }))
      return decide({ size: 1, running: [{ kind, ran }], due })
    }
    assert.deepStrictEqual(one("long", slice - 1, { short: 9 }).claims, { short: 0, new: 0, long: 0 })
    assert.deepStrictEqual(one("long", slice, { short: 9, new: 5 }).claims, { short: 1, new: 0, long: 0 })
    assert.deepStrictEqual(one("long", slice, { short: 5, new: 9 }).claims, { short: 0, new: 1, long: 0 })
    assert.lengthOf(one("long", slice, { short: 9 }).left, 1)
    assert.deepStrictEqual(one("long", 9 * slice, { long: 9 }).claims, { short: 0, new: 0, long: 0 })
    assert.deepStrictEqual(one("long", 10 * slice, { long: 9 }).claims, { short: 0, new: 0, long: 1 })
    assert.deepStrictEqual(
      decide({
        size: 1,
        running: [],
        due: { short: { count: 1, waited: 1 }, new: { count: 0, waited: 0 }, long: { count: 1, waited: 2 } }
      }).claims,
      { short: 0, new: 0, long: 1 }
    )
  })

  it("are shared by long passes in turns, and a new one waits for a slice at most", () => {
    const running = Array.from({ length: 8 }, (_, n) => ({ kind: "long" as const, ran: (n + 1) * slice }))
    const none = { count: 0, waited: 0 }
    const some = (count: number) => ({ count, waited: 1 })
    const long = decide({ size: 8, running, due: { short: none, new: none, long: some(3) } })
    assert.deepStrictEqual(long.claims, { short: 0, new: 0, long: 0 })
    const older = running.map(({ kind, ran }) => ({ kind, ran: ran + 3 * slice }))
    const turns = decide({ size: 8, running: older, due: { short: none, new: none, long: some(3) } })
    assert.deepStrictEqual(turns.claims, { short: 0, new: 0, long: 2 })
    assert.deepStrictEqual(turns.left.map(({ ran }) => ran / slice).sort(), [10, 11])
    const added = decide({ size: 8, running, due: { short: none, new: some(20), long: some(3) } })
    assert.deepStrictEqual(added.claims, { short: 0, new: 6, long: 0 })
  })

  it("go to passes that turn out to be long once they have taken a slice", () =>
    fc.assert(fc.property(kind, fc.nat(2 * slice), (kind, spent) => {
      assert.strictEqual(Places.kindOf(kind, spent, { slice }), spent >= slice ? "long" : kind)
    })))
})

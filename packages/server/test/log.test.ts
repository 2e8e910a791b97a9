import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { Log } from "../src/stores/memory/Log.ts"

const size = 12

/** What is done to a log of twelve places, some of them empty. */
const step = fc.oneof(
  fc.record({ act: fc.constantFrom("empty" as const, "fill" as const), place: fc.nat(size - 1) }),
  fc.record({
    act: fc.constant("walk" as const),
    place: fc.nat(size - 1),
    step: fc.constantFrom(1 as const, -1 as const),
    limit: fc.integer({ min: 1, max: 4 }),
    until: fc.option(fc.nat(size - 1), { nil: undefined })
  })
)

describe("a list in memory", () => {
  it.prop(
    "skips empty places and nothing else",
    [fc.array(step, { minLength: 30, maxLength: 80 })],
    ([steps]) => {
      const log = new Log()
      const naive: Array<string | undefined> = []
      for (let place = 0; place < size; place++) {
        log.append(`id${place}`, `text${place}`)
        naive.push(`text${place}`)
      }
      for (const action of steps) {
        const { place } = action
        switch (action.act) {
          case "empty":
            log.empty(`id${place}`)
            naive[place] = undefined
            break
          case "fill":
            log.put(`id${place}`, `text${place}`)
            naive[place] = `text${place}`
            break
          case "walk": {
            const { limit, step } = action
            const until = action.until ?? (step === 1 ? size : -1)
            const ahead = naive.flatMap((text, at) =>
              text !== undefined && (at - place) * step >= 0 && (until - at) * step > 0 ? [at] : []
            )
            if (step === -1) ahead.reverse()
            assert.deepStrictEqual(log.walk(place, step, limit, until), {
              texts: ahead.slice(0, limit).map((at) => naive[at]!),
              next: ahead[limit]
            })
          }
        }
      }
    },
    { fastCheck: { numRuns: 300, seed: 5 } }
  )

  it("takes no more steps where many items were deleted", () => {
    // Counts how often a place is read.
    let reads = 0
    const texts = new Proxy<Array<string | undefined>>([], {
      get: (texts, key, receiver) => {
        if (typeof key === "string" && key !== "length") reads++
        return Reflect.get(texts, key, receiver)
      }
    })
    const log = new Log(texts)
    const count = 20_000
    for (let place = 0; place < count; place++) log.append(`id${place}`, "x")
    for (let place = 10; place < count - 10; place++) log.empty(`id${place}`)
    const readsOf = (place: number, step: 1 | -1) => {
      reads = 0
      log.walk(place, step, 5)
      return reads
    }
    readsOf(count - 11, -1)
    readsOf(10, 1)
    for (const place of [count - 11, count >> 1, 10, 1234]) {
      assert.isBelow(readsOf(place, -1), 100)
      assert.isBelow(readsOf(place, 1), 100)
    }
  })
})

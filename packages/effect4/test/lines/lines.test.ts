import { assert, describe, it } from "vitest"
import { compare } from "./differs.ts"
import { ofSeed } from "./scenario.ts"

/** The experiment `lines` of `torture` tries more. */
const seeds = process.env["MAILSTREAM_SLOW_TESTS"] === "1" ? 300 : 80

describe("the lines for Effect 3 and Effect 4, and the client for plain TypeScript", () => {
  it(
    "send the same requests at the same times, and get the same items, errors, progress, logs and checkpoints",
    async () => {
      const ends = new Set<string>()
      let requests = 0
      for (let seed = 1; seed <= seeds; seed++) {
        const { difference, three } = await compare(ofSeed(seed))
        assert.deepStrictEqual(difference?.found, difference?.expected, `seed ${seed}: ${difference?.between}`)
        requests += three.sent.length
        for (const { end } of three.outcomes) ends.add(JSON.stringify(end).slice(0, 30))
      }
      // Otherwise there was little to compare.
      assert.isAbove(requests, seeds)
      assert.isAbove(ends.size, 4)
    },
    600_000
  )
})

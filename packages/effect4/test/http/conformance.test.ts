import { assert, describe, it } from "vitest"
import { fc } from "../core/support.ts"
import { compared, scenario } from "./scenario.ts"

/** The slow tests try more. */
const runs = process.env["MAILSTREAM_SLOW_TESTS"] === "1" ? 2000 : 100

describe("the lines for Effect 3 and Effect 4", () => {
  it("send the same requests at the same times, and return the same results with the same spans", async () => {
    const tags = new Set<string>()
    let requests = 0
    await fc.assert(
      fc.asyncProperty(scenario, async (scenario) => {
        const { four, isSame, three } = await compared(scenario)
        if (!isSame) assert.deepStrictEqual(four, three)
        requests += four.sent.length
        for (const [, tag] of JSON.stringify(four.results).matchAll(/"_tag":"(\w+)"/g)) tags.add(tag!)
      }),
      { numRuns: runs }
    )
    // Otherwise there was little to compare.
    assert.isAbove(requests, runs)
    assert.isAbove(tags.size, 4)
  }, 600_000)
})

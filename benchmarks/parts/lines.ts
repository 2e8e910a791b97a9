/** 100,000 contacts in pages of 100, on Effect 4 and on Effect 3: ten processes of each, in turn. */
import { Effect } from "effect"
import * as Harness from "../harness.ts"
import * as Setting from "../setting.ts"

const size = 100_000
const pairs = 10

/** How many of ten processes are to be within the target. */
const atLeast = 0.9
const target = 1.05

const of = (prefetch: number) =>
  Effect.gen(function*() {
    const baseUrl = yield* Setting.sender({ size })
    const env = { BASE_URL: baseUrl, SIZE: String(size), PREFETCH: String(prefetch), WARMUPS: "6", WALKS: "21" }
    const samples = new Map<string, Array<number>>([["walk3", []], ["walk4", []]])
    for (let pair = 0; pair < pairs; pair++) {
      // Each begins in every other pair.
      const names = pair % 2 === 0 ? ["walk3", "walk4"] : ["walk4", "walk3"]
      for (const name of names) samples.get(name)!.push(yield* Effect.scoped(Setting.told(name, env)))
    }
    const [three = [], four = []] = [...samples.values()]
    const ratios = four.map((cpu, pair) => cpu / three[pair]!)
    const within = ratios.filter((ratio) => ratio <= target).length
    const name = prefetch === 0 ? "items()" : `items({ prefetch: ${prefetch} })`
    return [
      { what: `${name} on Effect 3`, measured: `CPU ${Harness.spread(three, "ms")}` },
      {
        what: `${name} on Effect 4, over ${name} on Effect 3`,
        measured: `CPU ${Harness.spread(four, "ms")}`,
        ratio: `CPU ${Harness.spread(ratios, "×")}, ${within} of ${pairs} within ${target} ×`,
        target: `CPU at most ${target} × in at least 9 of 10 processes`,
        reached: within >= atLeast * pairs
      }
    ]
  }).pipe(Effect.scoped)

export default Effect.map(
  Effect.all([of(0), of(1)]),
  (rows): ReadonlyArray<Harness.Row> => rows.flat()
) satisfies Harness.Part

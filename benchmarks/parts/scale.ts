/** What an item costs, and what is live, in walks of 10,000 to 1,000,000 items. */
import { contacts } from "@mailstream/stream"
import { Effect, Stream } from "effect"
import * as Harness from "../harness.ts"
import * as Memory from "../memory.ts"
import * as Setting from "../setting.ts"

const sizes = [10_000, 100_000, 1_000_000]
const longest = Math.max(...sizes)
const rounds = 6

/** So many items of the longest list: all servers make their pages up alike. */
export default Effect.gen(function*() {
  const baseUrl = yield* Setting.sender({ size: longest, keep: 0 })
  const runtime = yield* Setting.undici(baseUrl)
  const walk = (size: number) =>
    contacts.items().pipe(
      Stream.take(size),
      Stream.runCount,
      (items) => Harness.counted(items, size),
      Effect.provide(runtime)
    )
  // The short walks are repeated, so that all of them are measured over as much time.
  const samples = yield* Harness.race(
    sizes.map((size) => ({ name: String(size), run: Effect.repeatN(walk(size), longest / size - 1) })),
    { rounds }
  )
  const costs = (size: number, of: "cpu" | "wall") =>
    (samples.get(String(size)) ?? []).map((sample) => sample[of] * 1000 / longest)
  const live = new Map(sizes.map((size): [number, Array<number>] => [size, []]))
  for (const size of sizes) {
    const memory = Memory.watch()
    yield* walk(size)
    globalThis.gc?.()
    memory.look()
    live.get(size)?.push(memory.peak())
  }
  const [cheapest = longest] = [...sizes].sort((a, b) =>
    Harness.median(costs(a, "cpu")) - Harness.median(costs(b, "cpu"))
  )
  const ratio = (size: number) => Harness.ratio(samples, String(size), String(cheapest)).cpu
  return sizes.map((size): Harness.Row => ({
    what: `${size.toLocaleString("en")} items`,
    measured: `wall ${Harness.spread(costs(size, "wall"), "µs")}, CPU ${
      Harness.spread(costs(size, "cpu"), "µs")
    } an item; ${Harness.spread(live.get(size) ?? [], "MB")} more live after it`,
    ratio: `CPU ${Harness.digits(ratio(size))} × the cheapest`,
    target: "flat within 10 %",
    reached: ratio(size) <= 1.1
  }))
}).pipe(Effect.scoped) satisfies Harness.Part

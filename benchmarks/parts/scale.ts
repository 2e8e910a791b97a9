/** What an item costs, and what is live, in walks of 10,000 to 1,000,000 items. */
import { contacts } from "@mailstream/stream"
import { Effect, Stream } from "effect"
import * as Harness from "../harness.ts"
import * as Memory from "../memory.ts"
import * as Setting from "../setting.ts"

const sizes = [10_000, 100_000, 1_000_000]
const rounds = 6

/** So many items of the longest list: all servers make their pages up alike. */
export default Effect.gen(function*() {
  const baseUrl = yield* Setting.sender({ size: Math.max(...sizes), keep: 0 })
  const runtime = yield* Setting.undici(baseUrl)
  const walk = (size: number) =>
    contacts.items().pipe(
      Stream.take(size),
      Stream.runCount,
      (items) => Harness.counted(items, size),
      Effect.provide(runtime)
    )
  yield* walk(200_000)
  const costs = new Map(sizes.map((size): [number, Array<Harness.Sample>] => [size, []]))
  const live = new Map(sizes.map((size): [number, Array<number>] => [size, []]))
  for (let round = 0; round < rounds; round++) {
    const shift = round % sizes.length
    for (const size of [...sizes.slice(shift), ...sizes.slice(0, shift)]) {
      // The short walks are repeated, so that all of them are measured over as much time.
      const repeats = Math.max(...sizes) / size
      const { cpu, wall } = yield* Harness.measure(Effect.repeatN(walk(size), repeats - 1))
      costs.get(size)?.push({ wall: wall * 1000 / size / repeats, cpu: cpu * 1000 / size / repeats })
    }
  }
  for (const size of sizes) {
    const memory = Memory.watch()
    yield* walk(size)
    globalThis.gc?.()
    memory.look()
    live.get(size)?.push(memory.peak())
  }
  const cpuOf = (size: number) => Harness.median((costs.get(size) ?? []).map(({ cpu }) => cpu))
  const cheapest = Math.min(...sizes.map(cpuOf))
  return sizes.map((size): Harness.Row => ({
    what: `${size.toLocaleString("en")} items`,
    measured: `wall ${Harness.spread((costs.get(size) ?? []).map(({ wall }) => wall), "µs")}, CPU ${
      Harness.spread((costs.get(size) ?? []).map(({ cpu }) => cpu), "µs")
    } an item; ${Harness.spread(live.get(size) ?? [], "MB")} more live after it`,
    ratio: `CPU ${Harness.digits(cpuOf(size) / cheapest)} × the cheapest`,
    target: "flat within 10 %",
    reached: cpuOf(size) / cheapest <= 1.1
  }))
}).pipe(Effect.scoped) satisfies Harness.Part

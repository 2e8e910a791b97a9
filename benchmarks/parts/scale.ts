/** The cost per item, and the live heap, in walks of 10,000 to 1,000,000 items. */
import { contacts } from "@mailstream/stream"
import { Effect, Stream } from "effect"
import * as Harness from "../harness.ts"
import * as Memory from "../memory.ts"
import * as Setting from "../setting.ts"

const sizes = [10_000, 100_000, 1_000_000]
const longest = Math.max(...sizes)
/** How many items a round takes of each: ten short walks, or a tenth of a long one. */
const piece = 100_000
const rounds = 40

/** Walks of one length, one after the other. Each call takes N more items of them. */
const walks = (walk: Stream.Stream<unknown, unknown>) =>
  Effect.map(Stream.toPull(Stream.forever(walk)), (pull) =>
    Harness.counted(
      Effect.iterate(0, {
        while: (items) => items < piece,
        body: (items) => Effect.map(pull, (chunk) => items + chunk.length)
      }),
      piece
    ))

/** N items of the longest list: all servers generate the same pages. */
export default Effect.gen(function*() {
  const baseUrl = yield* Setting.sender({ size: longest, keep: 0 })
  const runtime = yield* Setting.undici(baseUrl)
  const items = (size: number) => Stream.provideContext(Stream.take(contacts.items(), size), runtime.context)
  // All in pieces of the same size, so that each is measured over the same time, in turn.
  const samples = yield* Effect.flatMap(
    Effect.forEach(sizes, (size) => Effect.map(walks(items(size)), (run) => ({ name: String(size), run }))),
    (contenders) => Harness.race(contenders, { rounds, warmups: 2 })
  )
  const costs = (size: number, of: "cpu" | "wall") =>
    (samples.get(String(size)) ?? []).map((sample) => sample[of] * 1000 / piece)
  const live = new Map(sizes.map((size): [number, Array<number>] => [size, []]))
  for (const size of sizes) {
    const memory = Memory.watch()
    yield* Stream.runDrain(items(size))
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
    } per item; ${Harness.spread(live.get(size) ?? [], "MB")} more live afterwards`,
    ratio: `CPU ${Harness.digits(ratio(size))} × the cheapest`,
    target: "flat within 10 %",
    reached: ratio(size) <= 1.1
  }))
}).pipe(Effect.scoped) satisfies Harness.Part

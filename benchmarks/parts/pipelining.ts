/**
 * Each response takes 20 ms and the consumer takes 20 ms per page: prefetching overlaps the two. A consumer that waits
 * lets other fibers run meanwhile; a CPU-bound one does not.
 */
import { contacts } from "@mailstream/stream"
import { Effect, Stream } from "effect"
import { setTimeout } from "node:timers/promises"
import * as Harness from "../harness.ts"
import * as Peers from "../peers.ts"
import * as Setting from "../setting.ts"

const delay = 20
const size = 10_000

export default Effect.gen(function*() {
  const baseUrl = yield* Setting.sender({ size, delay })
  const runtime = yield* Setting.undici(baseUrl)
  const undici = yield* Peers.undici(baseUrl)
  const use = () => setTimeout(delay)
  const compute = async () => {
    const end = performance.now() + delay
    while (performance.now() < end);
  }
  const peers = {
    "bare undici loop": undici,
    "bare fetch loop": Peers.fetching(baseUrl),
    "resend loop": Peers.resend(baseUrl)
  }
  const ahead = (use: () => Promise<void>) =>
    contacts.pages({ prefetch: 1 }).pipe(
      Stream.mapEffect((page) => Effect.as(Effect.promise(use), page.data.length)),
      Stream.runSum,
      Effect.provide(runtime)
    )
  const name = "pages({ prefetch: 1 })"
  const computing = "bare undici loop with a CPU-bound consumer"
  const aheadOfComputing = "pages({ prefetch: 1 }) with a CPU-bound consumer"
  const samples = yield* Harness.race([
    ...Object.entries(peers).map(([name, loop]) => ({ name, run: Harness.counted(loop({ limit: 100, use }), size) })),
    { name, run: Harness.counted(ahead(use), size) },
    { name: computing, run: Harness.counted(undici({ limit: 100, use: compute }), size) },
    { name: aheadOfComputing, run: Harness.counted(ahead(compute), size) }
  ], { rounds: 3 })
  return [
    ...Object.keys(peers).map((peer) => Harness.peer(samples, peer)),
    ...Object.keys(peers).map((peer): Harness.Row => {
      const { wall } = Harness.ratio(samples, peer, name)
      return {
        what: `${name}, as fast as the ${peer}`,
        measured: Harness.timeOf(samples, name),
        ratio: `wall ${Harness.digits(wall)} ×`,
        target: "at least 1.9 ×",
        reached: wall >= 1.9
      }
    }),
    Harness.peer(samples, computing),
    {
      what: `${aheadOfComputing}, as fast as the ${computing}`,
      measured: Harness.timeOf(samples, aheadOfComputing),
      ratio: `wall ${Harness.digits(Harness.ratio(samples, computing, aheadOfComputing).wall)} ×`
    }
  ]
}).pipe(Effect.scoped) satisfies Harness.Part

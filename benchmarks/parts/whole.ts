/** 1,000,000 contacts in one response, decoded as it arrives, compared with `fetch` and one `JSON.parse`. */
import { contacts } from "@mailstream/stream"
import { Effect, Stream } from "effect"
import * as Harness from "../harness.ts"
import * as Memory from "../memory.ts"
import * as Peers from "../peers.ts"
import * as Setting from "../setting.ts"

const size = 1_000_000

/** Neither contender pays for the garbage of the other, which is a million items. */
const collected = Effect.sync(() => globalThis.gc?.())

export default Effect.gen(function*() {
  const baseUrl = yield* Setting.sender({ size })
  const runtime = yield* Setting.undici(baseUrl)
  const shares: Array<number> = []

  const whole = (memory?: Memory.Watch) =>
    Effect.gen(function*() {
      const start = performance.now()
      let first = 0
      let items = 0
      yield* Stream.runForEachChunk(contacts.whole(), (chunk) =>
        Effect.sync(() => {
          if (items === 0) first = performance.now() - start
          items += chunk.length
          memory?.look()
        }))
      shares.push(first / (performance.now() - start) * 100)
      return items
    }).pipe(Effect.provide(runtime))

  const atOnce = (memory?: Memory.Watch) =>
    Effect.promise(async () => {
      const response = await fetch(`${baseUrl}/contacts`, { headers: Peers.headers })
      const text = await response.text()
      memory?.look()
      const items: number = JSON.parse(text).data.length
      memory?.look()
      return items
    })

  /** In separate runs, because sampling costs time; and before the peer grows the heap so much that GC is rare. */
  const heapOf = (run: (memory: Memory.Watch) => Effect.Effect<unknown, unknown>) =>
    Effect.replicateEffect(
      Effect.suspend(() => {
        const memory = Memory.watch()
        return Effect.map(run(memory), memory.peak)
      }),
      3
    )
  const heap = yield* heapOf(whole)
  const peerHeap = yield* heapOf(atOnce)
  shares.splice(0)

  const samples = yield* Harness.race([
    { name: "fetch + JSON.parse", before: collected, run: Harness.counted(atOnce(), size) },
    { name: "whole()", before: collected, run: Harness.counted(whole(), size) }
  ], { rounds: 5 })
  const share = Harness.median(shares)
  return [
    {
      ...Harness.peer(samples, "fetch + JSON.parse"),
      ratio: `heap ${Harness.spread(peerHeap, "MB more")}`
    },
    Harness.compare(samples, "whole()", "fetch + JSON.parse", 0.75),
    {
      what: "whole(): peak heap growth",
      measured: Harness.spread(heap, "MB"),
      target: "at most 32 MB",
      reached: Harness.median(heap) <= 32
    },
    {
      what: "whole(): time to the first item, of the total",
      measured: Harness.spread(shares, "%"),
      target: "within 1 %",
      reached: share <= 1
    }
  ]
}).pipe(Effect.scoped) satisfies Harness.Part

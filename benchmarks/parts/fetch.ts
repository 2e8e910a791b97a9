/** The same walk over `fetch`, compared with a bare `fetch` loop. */
import { contacts } from "@mailstream/stream"
import { Effect, Stream } from "effect"
import * as Harness from "../harness.ts"
import * as Peers from "../peers.ts"
import * as Setting from "../setting.ts"

const size = 100_000

const peer = "bare fetch loop"
const aborted = "bare fetch loop that can be interrupted"
const platform = "items(), on FetchHttpClient"

export default Effect.gen(function*() {
  const baseUrl = yield* Setting.sender({ size })
  const straight = yield* Setting.fetching(baseUrl)
  const usual = yield* Setting.platform.fetching(baseUrl)
  const walk = Stream.runCount(contacts.items())
  const samples = yield* Harness.race([
    { name: peer, run: Harness.counted(Peers.fetching(baseUrl)({ limit: 100 }), size) },
    { name: aborted, run: Harness.counted(Peers.fetching(baseUrl, { signal: true })({ limit: 100 }), size) },
    { name: "items()", run: Harness.counted(Effect.provide(walk, straight), size) },
    { name: platform, run: Harness.counted(Effect.provide(walk, usual), size) }
  ], { rounds: 21, warmups: 4 })
  return [
    Harness.peer(samples, peer),
    Harness.beside(samples, aborted, peer),
    Harness.compare(samples, "items()", peer, 1.3),
    Harness.beside(samples, platform, peer)
  ]
}).pipe(Effect.scoped) satisfies Harness.Part

/** The same walk over the platform's `fetch`, beside a bare loop of `fetch`. */
import { contacts } from "@mailstream/stream"
import { Effect, Stream } from "effect"
import * as Harness from "../harness.ts"
import * as Peers from "../peers.ts"
import * as Setting from "../setting.ts"

const size = 100_000

export default Effect.gen(function*() {
  const baseUrl = yield* Setting.sender({ size })
  const runtime = yield* Setting.fetching(baseUrl)
  const samples = yield* Harness.race([
    { name: "bare fetch loop", run: Harness.counted(Peers.fetching(baseUrl)({ limit: 100 }), size) },
    { name: "items()", run: Harness.counted(Effect.provide(Stream.runCount(contacts.items()), runtime), size) }
  ], { rounds: 7, warmups: 3 })
  return [Harness.peer(samples, "bare fetch loop"), Harness.compare(samples, "items()", "bare fetch loop", 1.3)]
}).pipe(Effect.scoped) satisfies Harness.Part

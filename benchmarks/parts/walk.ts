/** 100,000 contacts in pages of 100: every item validated, over loops that validate nothing. */
import { NodeHttpClient } from "@effect/platform-node"
import { contacts } from "@mailstream/stream"
import { Effect, Layer, Stream } from "effect"
import * as Harness from "../harness.ts"
import * as Peers from "../peers.ts"
import * as Setting from "../setting.ts"

const size = 100_000

const byHand = "paginateChunkEffect, HttpClient and Schema by hand"

export default Effect.gen(function*() {
  const baseUrl = yield* Setting.sender({ size })
  const runtime = yield* Setting.undici(baseUrl)
  const platform = yield* Setting.platform.undici(baseUrl)
  const client = yield* Layer.toRuntime(NodeHttpClient.layerUndici)
  const undici = yield* Peers.undici(baseUrl)
  const resend = Peers.resend(baseUrl)
  const items = Harness.counted(Effect.provide(Stream.runCount(contacts.items()), runtime), size)
  const ahead = Harness.counted(Effect.provide(Stream.runCount(contacts.items({ prefetch: 1 })), runtime), size)
  const loop = { name: "bare undici loop", run: Harness.counted(undici({ limit: 100 }), size) }
  const peers = yield* Harness.race([
    loop,
    { name: "resend loop", run: Harness.counted(resend({ limit: 100 }), size) },
    { name: "items()", run: items },
    { name: "items({ prefetch: 1 })", run: ahead }
  ], { rounds: 11, warmups: 4 })
  const others = yield* Harness.race([
    loop,
    { name: "items()", run: items },
    {
      name: "items(), on NodeHttpClient.layerUndici",
      run: Harness.counted(Effect.provide(Stream.runCount(contacts.items()), platform), size)
    },
    { name: byHand, run: Harness.counted(Effect.provide(Stream.runCount(Peers.byHand(baseUrl)), client), size) }
  ], { rounds: 5, warmups: 2 })
  return [
    Harness.peer(peers, "bare undici loop"),
    Harness.peer(peers, "resend loop"),
    Harness.compare(peers, "items()", "bare undici loop", 1.6),
    Harness.compare(peers, "items()", "resend loop", 0.9),
    Harness.compare(peers, "items({ prefetch: 1 })", "bare undici loop", 1.3),
    Harness.beside(others, "items(), on NodeHttpClient.layerUndici", "bare undici loop"),
    Harness.beside(others, byHand, "bare undici loop"),
    Harness.beside(others, "items()", byHand)
  ]
}).pipe(Effect.scoped) satisfies Harness.Part

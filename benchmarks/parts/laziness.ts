/** Five contacts out of 1,000,000: one request, and next to no overhead. */
import { Contacts } from "@mailstream/http"
import { contacts } from "@mailstream/stream"
import { Effect, Stream } from "effect"
import * as Harness from "../harness.ts"
import * as Peers from "../peers.ts"
import * as Setting from "../setting.ts"

const times = 300

export default Effect.gen(function*() {
  const baseUrl = yield* Setting.sender({ size: 1_000_000 })
  const runtime = yield* Setting.undici(baseUrl)
  const undici = yield* Peers.undici(baseUrl)
  const name = `take(5), ${times} times`
  const peer = `a single bare request, ${times} times`
  const stream = `take(5) of a Stream without requests, ${times} times`
  const page = `Contacts.list({ limit: 100 }), ${times} times`
  const samples = yield* Harness.race([
    { name: peer, run: Effect.repeatN(undici({ limit: 100, pages: 1 }), times - 1) },
    { name: stream, run: Effect.repeatN(Harness.counted(Stream.runCount(Stream.take(Peers.atOnce, 5)), 5), times - 1) },
    {
      name: page,
      run: Effect.flatMap(Contacts, ({ list }) => list({ limit: 100 })).pipe(
        Effect.repeatN(times - 1),
        Effect.provide(runtime)
      )
    },
    {
      name,
      run: contacts.items().pipe(
        Stream.take(5),
        Stream.runCount,
        (items) => Harness.counted(items, 5),
        Effect.repeatN(times - 1),
        Effect.provide(runtime)
      )
    }
  ], { rounds: 9, warmups: 5 })
  return [
    Harness.peer(samples, peer),
    Harness.beside(samples, stream, peer),
    Harness.beside(samples, page, peer),
    Harness.compare(samples, name, peer, 1.2)
  ]
}).pipe(Effect.scoped) satisfies Harness.Part

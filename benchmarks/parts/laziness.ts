/** The five newest contacts out of 1,000,000, compared with a bare request for five. */
import { Contacts } from "@mailstream/http"
import { contacts } from "@mailstream/stream"
import { Effect, Stream } from "effect"
import * as Harness from "../harness.ts"
import * as Peers from "../peers.ts"
import * as Setting from "../setting.ts"

const times = 300

const again = Effect.repeatN(times - 1)

export default Effect.gen(function*() {
  const baseUrl = yield* Setting.sender({ size: 1_000_000 })
  const runtime = yield* Setting.undici(baseUrl)
  const undici = yield* Peers.undici(baseUrl)
  const resend = Peers.resend(baseUrl)
  const peer = `a bare request for 5, ${times} times`
  const resent = `resend's list({ limit: 5 }), ${times} times`
  const full = `a bare request for 100, ${times} times`
  const page = `Contacts.list({ limit: 5 }), ${times} times`
  const taking = `items({ take: 5 }), ${times} times`
  const lazy = `items() and Stream.take(5), ${times} times`
  const stream = `Stream.take(5) without requests, ${times} times`
  const five = <E, R>(stream: Stream.Stream<unknown, E, R>) => again(Harness.counted(Stream.runCount(stream), 5))
  const samples = yield* Harness.race([
    { name: peer, run: again(Harness.counted(undici({ limit: 5, pages: 1 }), 5)) },
    { name: resent, run: again(Harness.counted(resend({ limit: 5, pages: 1 }), 5)) },
    { name: full, run: again(undici({ limit: 100, pages: 1 })) },
    {
      name: page,
      run: Effect.flatMap(Contacts, ({ list }) => list({ limit: 5 })).pipe(again, Effect.provide(runtime))
    },
    { name: taking, run: Effect.provide(five(contacts.items({ take: 5 })), runtime) },
    { name: lazy, run: Effect.provide(five(Stream.take(contacts.items(), 5)), runtime) },
    { name: stream, run: five(Stream.take(Peers.atOnce, 5)) }
  ], { rounds: 15, warmups: 5 })
  return [
    Harness.peer(samples, peer),
    Harness.beside(samples, resent, peer),
    Harness.beside(samples, full, peer),
    Harness.beside(samples, page, peer),
    Harness.compare(samples, taking, peer, 1.3),
    Harness.beside(samples, lazy, peer),
    Harness.beside(samples, stream, peer)
  ]
}).pipe(Effect.scoped) satisfies Harness.Part

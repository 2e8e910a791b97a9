/**
 * Code that uses the API, tested against the real service on a free port of this machine, which fails on demand.
 *
 * node examples/with-faults.ts
 */
import { Mailstream } from "@mailstream/http"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import { Server } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import { contacts, Progress, RetryPolicy } from "@mailstream/stream"
import { Effect, Layer, Stream } from "effect"
import { strictEqual } from "node:assert"

/** One request in three fails; the seed decides which. */
const ServerLive = Server.layerTest({
  faults: { seed: 7, serverError: { rate: 0.2 }, reset: { rate: 0.1 }, truncate: { rate: 0.05 } }
})

const MailstreamLive = Layer.unwrapEffect(Effect.map(Server.TestServer, Mailstream.layer)).pipe(
  Layer.provide(UndiciTransport.layer),
  Layer.provideMerge(ServerLive)
)

const test = Effect.gen(function*() {
  yield* SampleData.insert({ contacts: 1000 })
  const progress = yield* Progress.make
  const retry = RetryPolicy.make({ times: 10, base: "1 millis", cap: "1 second" })
  const seen = yield* Stream.runCollect(contacts.items({ pageSize: 20, progress, retry }))

  const ids = new Set([...seen].map((contact) => contact.id))
  strictEqual(seen.length, 1000)
  strictEqual(ids.size, 1000)
  const { retries } = yield* progress.get
  yield* Effect.log(`1000 contacts, each once, after ${retries} retries`)
})

Effect.runPromise(Effect.provide(test, MailstreamLive))

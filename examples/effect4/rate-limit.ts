/**
 * Two walks and a single request at once, all within one rate limit.
 *
 * MAILSTREAM_BASE_URL=… MAILSTREAM_API_KEY=… node examples/effect4/rate-limit.ts
 */
import { contacts, Mailstream, Progress, segments, Topics } from "@mailstream/effect4"
import * as FetchTransport from "@mailstream/effect4/FetchTransport"
import { Config, Console, Effect, Layer, Stream, SubscriptionRef } from "effect"

const program = Effect.gen(function*() {
  const progress = yield* Progress.make
  const topics = yield* Topics
  const [people, groups, page] = yield* Effect.all([
    Stream.runCount(contacts.items({ pageSize: 50, progress })),
    Stream.runCount(segments.items({ progress })),
    topics.list({ limit: 10 })
  ], { concurrency: "unbounded" })
  const { requests } = yield* SubscriptionRef.get(progress)
  yield* Console.log(`${people} contacts, ${groups} segments, ${page.data.length} topics: ${requests + 1} requests`)
})

// 20 requests per second, evenly spaced: one every 50 ms, across all fibers.
const MailstreamLive = Mailstream.layerConfig({ rateLimit: Config.succeed({ requests: 20, per: "1 second" }) }).pipe(
  Layer.provide(FetchTransport.layer)
)

Effect.runPromise(Effect.provide(program, MailstreamLive))

/**
 * Schedules a broadcast and takes it back: each step is possible in one state only, so a repetition is refused.
 *
 * MAILSTREAM_BASE_URL=… MAILSTREAM_API_KEY=… node examples/effect4/schedule-a-broadcast.ts
 */
import { Broadcasts, Mailstream, Segments } from "@mailstream/effect4"
import * as FetchTransport from "@mailstream/effect4/FetchTransport"
import { Console, DateTime, Effect, Layer } from "effect"

const program = Effect.gen(function*() {
  const broadcasts = yield* Broadcasts
  const segments = yield* Segments

  const { id: segment_id } = yield* segments.create({ name: "Everybody" })
  const { id } = yield* broadcasts.create({
    segment_id,
    from: "news@example.com",
    subject: "What is new",
    text: "A lot."
  })
  const state = Effect.map(broadcasts.get(id), ({ status }) => status)

  const tomorrow = DateTime.add(yield* DateTime.now, { days: 1 })
  yield* broadcasts.send(id, { scheduled_at: DateTime.formatIso(tomorrow) })
  yield* Console.log(`sent: ${yield* state}`)
  yield* broadcasts.cancel(id)
  yield* Console.log(`canceled: ${yield* state}`)
  yield* broadcasts.cancel(id).pipe(
    Effect.catchTag("validation_error", (error) => Console.log(`${error._tag} (${error.statusCode})`))
  )
  yield* broadcasts.remove(id)
  yield* segments.remove(segment_id)
})

const MailstreamLive = Mailstream.layerConfig().pipe(Layer.provide(FetchTransport.layer))

Effect.runPromise(Effect.provide(program, MailstreamLive))

/**
 * Creates a segment, and never a second one of the same name, whatever happens to the response.
 *
 * MAILSTREAM_BASE_URL=… MAILSTREAM_API_KEY=… node examples/effect4/create-once.ts "Beta testers"
 */
import { Mailstream, Segments, segments } from "@mailstream/effect4"
import * as FetchTransport from "@mailstream/effect4/FetchTransport"
import { Console, Effect, Layer, Option, Stream } from "effect"

/** The segment of this name: the existing one, or a new one. */
const ensure = (name: string) =>
  Effect.gen(function*() {
    const existing = yield* Stream.runHead(Stream.filter(segments.items(), (segment) => segment.name === name))
    if (Option.isSome(existing)) return existing.value.id
    const { create } = yield* Segments
    const created = yield* create({ name })
    return created.id
  }).pipe(
    // Nobody knows whether it was created, and repeating it blindly could create a second one. So look again first.
    Effect.retry({ times: 3, while: (error) => "outcome" in error && error.outcome === "unknown" })
  )

const program = Effect.gen(function*() {
  const [name = "Beta testers"] = process.argv.slice(2)
  yield* Console.log(yield* ensure(name))
})

const MailstreamLive = Mailstream.layerConfig().pipe(Layer.provide(FetchTransport.layer))

Effect.runPromise(Effect.provide(program, MailstreamLive))

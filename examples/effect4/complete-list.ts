/**
 * A complete list from one request, written to a file while it arrives.
 *
 * MAILSTREAM_BASE_URL=… MAILSTREAM_API_KEY=… node examples/effect4/complete-list.ts contacts.ndjson
 */
import { contacts, Mailstream, Progress } from "@mailstream/effect4"
import * as FetchTransport from "@mailstream/effect4/FetchTransport"
import { Console, Effect, Layer, Stream, SubscriptionRef } from "effect"
import { open } from "node:fs/promises"

const program = Effect.gen(function*() {
  const [file = "contacts.ndjson"] = process.argv.slice(2)
  const progress = yield* Progress.make
  const output = yield* Effect.acquireRelease(
    Effect.promise(() => open(file, "w")),
    (output) => Effect.promise(() => output.close())
  )
  yield* contacts.whole({ progress }).pipe(
    Stream.map((contact) => JSON.stringify(contact) + "\n"),
    Stream.runForEachArray((lines) => Effect.promise(() => output.write(lines.join(""))))
  )
  const { items, requests } = yield* SubscriptionRef.get(progress)
  yield* Console.log(`${items} contacts in ${file}, requests: ${requests}`)
}).pipe(Effect.scoped)

const MailstreamLive = Mailstream.layerConfig().pipe(Layer.provide(FetchTransport.layer))

Effect.runPromise(Effect.provide(program, MailstreamLive))

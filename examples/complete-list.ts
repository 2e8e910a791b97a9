/**
 * A complete list from one request, written to a file while it arrives.
 *
 * MAILSTREAM_BASE_URL=… MAILSTREAM_API_KEY=… node examples/complete-list.ts contacts.ndjson
 */
import { FileSystem } from "@effect/platform"
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { Mailstream } from "@mailstream/http"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import { contacts, Progress } from "@mailstream/stream"
import { Console, Effect, Layer, Stream } from "effect"

const program = Effect.gen(function*() {
  const [file = "contacts.ndjson"] = process.argv.slice(2)
  const fs = yield* FileSystem.FileSystem
  const progress = yield* Progress.make
  yield* contacts.whole({ progress }).pipe(
    Stream.map((contact) => JSON.stringify(contact) + "\n"),
    Stream.encodeText,
    Stream.run(fs.sink(file))
  )
  const { items, requests } = yield* progress.get
  yield* Console.log(`${items} contacts in ${file}, requests: ${requests}`)
})

const MailstreamLive = Mailstream.layerConfig().pipe(Layer.provide(UndiciTransport.layer))

program.pipe(Effect.provide([MailstreamLive, NodeContext.layer]), NodeRuntime.runMain)

/**
 * Exports the contacts of one segment to a CSV file.
 *
 * MAILSTREAM_BASE_URL=… MAILSTREAM_API_KEY=… node examples/segment-to-csv.ts <segment id> contacts.csv
 */
import { FileSystem } from "@effect/platform"
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { type Contact, SegmentId } from "@mailstream/core"
import { Mailstream } from "@mailstream/http"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import { contacts, Progress } from "@mailstream/stream"
import { Console, Effect, Layer, Schema, Stream } from "effect"

const cell = (text: string | null): string => `"${(text ?? "").replaceAll("\"", "\"\"")}"`

const row = (contact: Contact): string =>
  [contact.email, contact.first_name, contact.last_name, contact.created_at].map(cell).join(",") + "\n"

const program = Effect.gen(function*() {
  const [segment = "", file = "contacts.csv"] = process.argv.slice(2)
  const segment_id = yield* Schema.decode(SegmentId)(segment)
  const fs = yield* FileSystem.FileSystem
  const progress = yield* Progress.make

  // The next page is requested while the rows of the current one are written.
  const rows = Stream.map(contacts.items({ filter: { segment_id }, prefetch: 1, progress }), row)
  yield* Stream.make("email,first_name,last_name,created_at\n").pipe(
    Stream.concat(rows),
    Stream.encodeText,
    Stream.run(fs.sink(file))
  )

  const { items, requests, retries } = yield* progress.get
  yield* Console.log(`${items} contacts in ${file} (requests: ${requests}, retries: ${retries})`)
})

const MailstreamLive = Mailstream.layerConfig().pipe(Layer.provide(UndiciTransport.layer))

program.pipe(Effect.provide([MailstreamLive, NodeContext.layer]), NodeRuntime.runMain)

/**
 * Looks one contact up and corrects it; then streams all contacts, and puts those without a name into a segment.
 *
 * MAILSTREAM_BASE_URL=… MAILSTREAM_API_KEY=… node examples/effect4/change-contacts.ts
 */
import { Contacts, contacts, Mailstream, Segments } from "@mailstream/effect4"
import * as FetchTransport from "@mailstream/effect4/FetchTransport"
import { Console, Effect, Layer, Stream } from "effect"

const program = Effect.gen(function*() {
  const { create, get, join, update } = yield* Contacts
  const segments = yield* Segments

  yield* create({ email: "ada@example.com", first_name: "Ada", last_name: "Byron" })
  // A field that is not named stays as it is; null would remove it.
  yield* update({ email: "ada@example.com" }, { last_name: "Lovelace" })
  const ada = yield* get({ email: "ada@example.com" })
  yield* Console.log(`${ada.first_name} ${ada.last_name}`)

  yield* create({ email: "anonymous@example.com" })
  const segment = yield* segments.create({ name: "Without a name" })
  const joined = yield* contacts.items().pipe(
    Stream.filter((contact) => contact.first_name === null || contact.first_name === ""),
    Stream.mapEffect((contact) => join(contact.id, segment.id), { concurrency: 8 }),
    Stream.runCount
  )
  const members = yield* Stream.runCount(contacts.items({ filter: { segment_id: segment.id } }))
  yield* Console.log(`joined: ${joined}, in the segment: ${members}`)
})

const MailstreamLive = Mailstream.layerConfig().pipe(Layer.provide(FetchTransport.layer))

Effect.runPromise(Effect.provide(program, MailstreamLive))

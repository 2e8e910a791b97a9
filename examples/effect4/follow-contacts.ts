/**
 * New contacts as they are created, in order, each exactly once. Stop it with Ctrl-C.
 *
 * MAILSTREAM_BASE_URL=… MAILSTREAM_API_KEY=… node examples/effect4/follow-contacts.ts
 */
import { contacts, Mailstream } from "@mailstream/effect4"
import * as FetchTransport from "@mailstream/effect4/FetchTransport"
import { Console, Effect, Layer, Stream } from "effect"

const program = contacts.follow({ poll: "1 second" }).pipe(
  Stream.runForEach((contact) => Console.log(`${contact.created_at}  ${contact.email}`))
)

const MailstreamLive = Mailstream.layerConfig().pipe(Layer.provide(FetchTransport.layer))

Effect.runPromise(Effect.provide(program, MailstreamLive))

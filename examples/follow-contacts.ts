/**
 * New contacts as they are created, in order, each exactly once. Stop it with Ctrl-C.
 *
 * MAILSTREAM_BASE_URL=… MAILSTREAM_API_KEY=… node examples/follow-contacts.ts
 */
import { NodeRuntime } from "@effect/platform-node"
import { Mailstream } from "@mailstream/http"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import { contacts } from "@mailstream/stream"
import { Console, Effect, Layer, Stream } from "effect"

const program = contacts.follow({ poll: "1 second" }).pipe(
  Stream.runForEach((contact) => Console.log(`${contact.created_at}  ${contact.email}`))
)

const MailstreamLive = Mailstream.layerConfig().pipe(Layer.provide(UndiciTransport.layer))

NodeRuntime.runMain(Effect.provide(program, MailstreamLive))

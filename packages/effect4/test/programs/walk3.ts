/** Walks through the contacts of the service at `BASE_URL` on Effect 3, in a process of its own. */
import { Mailstream } from "@mailstream/http"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import { contacts } from "@mailstream/stream"
import { Effect, Layer, ManagedRuntime, Redacted, Stream } from "effect3"
import * as Walker from "./walker.ts"

const live = Mailstream.layer({ baseUrl: Walker.baseUrl, apiKey: Redacted.make(Walker.key) }).pipe(
  Layer.provide(UndiciTransport.layer)
)

const runtime = ManagedRuntime.make(live)

await Walker.report((options) => runtime.runPromise(Stream.runCount(contacts.items(options)).pipe(Effect.orDie)))

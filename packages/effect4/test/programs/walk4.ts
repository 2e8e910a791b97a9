/** Walks through the contacts of the service at `BASE_URL` on Effect 4, in a process of its own. */
import { contacts, Mailstream } from "@mailstream/effect4"
import * as UndiciTransport from "@mailstream/effect4/UndiciTransport"
import { Effect, Layer, ManagedRuntime, Redacted, Stream } from "effect"
import * as Walker from "./walker.ts"

const live = Mailstream.layer({ baseUrl: Walker.baseUrl, apiKey: Redacted.make(Walker.key) }).pipe(
  Layer.provide(UndiciTransport.layer)
)

const runtime = ManagedRuntime.make(live)

await Walker.report((options) => runtime.runPromise(Stream.runCount(contacts.items(options)).pipe(Effect.orDie)))

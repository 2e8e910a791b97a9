/** What a program weighs that streams contacts. */
import { FetchHttpClient } from "@effect/platform"
import { ApiClient, Contacts } from "@mailstream/http"
import { contacts } from "@mailstream/stream"
import { Console, Effect, Layer, Redacted, Stream } from "effect"

const program = contacts.items().pipe(Stream.runForEach((contact) => Console.log(contact.email)))

const client = Contacts.layer.pipe(
  Layer.provide(ApiClient.layer({ baseUrl: "http://127.0.0.1:9", apiKey: Redacted.make("re_weight") })),
  Layer.provide(FetchHttpClient.layer)
)

Effect.runFork(process.argv[2] === "load" ? Effect.void : Effect.provide(program, client))

/** What a program weighs that streams contacts. */
import { ApiClient, Contacts } from "@mailstream/http"
import * as FetchTransport from "@mailstream/http/FetchTransport"
import * as contacts from "@mailstream/stream/contacts"
import { Console, Effect, Stream } from "effect"
// From "effect", all of them would come: a bundler cannot look into a namespace that is exported as one.
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"

const program = contacts.items().pipe(Stream.runForEach((contact) => Console.log(contact.email)))

const client = Contacts.layer.pipe(
  Layer.provide(ApiClient.layer({ baseUrl: "http://127.0.0.1:9", apiKey: Redacted.make("re_weight") })),
  Layer.provide(FetchTransport.layer)
)

Effect.runFork(process.argv[2] === "load" ? Effect.void : Effect.provide(program, client))

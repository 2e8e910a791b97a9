/** The program of `contacts`, as far as that goes, with `effect` and `HttpClient` alone. */
import { FetchHttpClient, HttpClient } from "@effect/platform"
import { Chunk, Console, Context, Effect, Layer, Option, Redacted, Schedule, Schema, Stream } from "effect"

const Contact = Schema.Struct({ id: Schema.UUID, email: Schema.String, created_at: Schema.DateTimeUtc })

const decode = Schema.decodeUnknown(Schema.Struct({ has_more: Schema.Boolean, data: Schema.Array(Contact) }))

class Contacts
  extends Context.Tag("Contacts")<Contacts, { readonly page: (after: string) => ReturnType<typeof decode> }>()
{}

const layer = Layer.effect(
  Contacts,
  Effect.map(HttpClient.HttpClient, (client) => {
    const headers = { authorization: `Bearer ${Redacted.value(Redacted.make("re_weight"))}` }
    return {
      page: (after) =>
        client.get("http://127.0.0.1:9/contacts", { headers, urlParams: { after } }).pipe(
          Effect.flatMap((response) => response.json),
          Effect.retry(Schedule.recurs(5)),
          Effect.orDie,
          Effect.flatMap(decode)
        )
    }
  })
).pipe(Layer.provide(FetchHttpClient.layer))

const program = Stream.paginateChunkEffect(
  "",
  (after: string) =>
    Effect.flatMap(Contacts, (contacts) => contacts.page(after)).pipe(
      Effect.map(({ data, has_more }) => {
        const next = has_more ? Option.fromNullable(data.at(-1)) : Option.none()
        return [Chunk.unsafeFromArray(data), Option.map(next, ({ id }) => id)] as const
      })
    )
).pipe(Stream.runForEach((contact) => Console.log(contact.email)))

Effect.runFork(process.argv[2] === "load" ? Effect.void : Effect.provide(program, layer))

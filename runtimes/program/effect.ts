/** `@mailstream/core`, `http` and `stream`: Effect 3. */
import { KeyValueStore } from "@effect/platform"
import {
  type Contact,
  ContactId,
  type InvalidOption,
  type RequestError,
  Timestamp,
  type TopicId
} from "@mailstream/core"
import { Contacts, Mailstream, Topics, type Transport } from "@mailstream/http"
import { contacts, type ListError } from "@mailstream/stream"
import { Effect, Fiber, Layer, Option, Redacted, Stream } from "effect"
import { checks, type Options, type Use } from "./walks.ts"

type Live = Layer.Layer<Transport.Transport, InvalidOption>

const using = (use: Use) => (contact: Contact) => Effect.promise(async () => use(contact.email))

const contact = (number: number): Contact => ({
  id: ContactId.make(`5f0c1a52-0000-4000-8000-${String(number).padStart(12, "0")}`),
  email: `person-${number}@example.com`,
  first_name: null,
  last_name: null,
  created_at: Timestamp.Timestamp.make("2025-11-30 20:41:40.84216+00"),
  unsubscribed: false
})

const stateIn = (state: Map<string, string>) =>
  Layer.succeed(
    KeyValueStore.KeyValueStore,
    KeyValueStore.makeStringOnly({
      get: (key) => Effect.sync(() => Option.fromNullable(state.get(key))),
      set: (key, text) => Effect.sync(() => void state.set(key, text)),
      remove: (key) => Effect.sync(() => void state.delete(key)),
      clear: Effect.sync(() => state.clear()),
      size: Effect.sync(() => state.size)
    })
  )

/** Rejects with the error itself. */
const promised = <A, E>(effect: Effect.Effect<A, E>): Promise<A> =>
  Effect.runPromise(Effect.either(effect)).then((either) => {
    if (either._tag === "Left") throw either.left
    return either.right
  })

export default (transport: Live) =>
  checks(({ apiKey, baseUrl }: Options) => {
    const live = Layer.provide(Mailstream.layer({ baseUrl, apiKey: Redacted.make(apiKey) }), transport)
    const each = (stream: Stream.Stream<Contact, ListError, Contacts>, use: Use) =>
      promised(Effect.provide(Stream.runForEachWhile(stream, using(use)), live))
    const withTopics = <A>(use: (topics: typeof Topics.Service) => Effect.Effect<A, RequestError>) =>
      promised(Effect.provide(Effect.flatMap(Topics, use), live))
    return {
      // The ids are those of the service, or wrong on purpose.
      topics: {
        create: (input) => withTopics((topics) => topics.create(input)),
        get: (id) => withTopics((topics) => topics.get(id as TopicId)),
        update: (id, input) => withTopics((topics) => topics.update(id as TopicId, input)),
        remove: (id) => withTopics((topics) => topics.remove(id as TopicId))
      },
      walk: (use, options) => each(contacts.items(options), use),
      whole: (use) => each(contacts.whole(), use),
      process: (state, handle) =>
        contacts.process("key", ({ email }) => Effect.try(() => handle(email)), { pageSize: 50 }).pipe(
          Effect.provide([live, stateIn(state)]),
          promised
        ),
      refused: () =>
        Contacts.pipe(
          Effect.flatMap(({ list }) => list({ limit: 0 })),
          Effect.flip,
          Effect.map(({ _tag }) => _tag),
          Effect.provide(live),
          promised
        ),
      start: () => {
        const fiber = Effect.runFork(Effect.provide(Stream.runDrain(contacts.items()), live))
        return () => Effect.runPromise(Effect.asVoid(Fiber.interrupt(fiber)))
      },
      withoutNetwork: () =>
        Stream.runCount(contacts.items()).pipe(
          Effect.provide(Mailstream.layerTest({ contacts: Array.from({ length: 250 }, (_, index) => contact(index)) })),
          promised
        )
    }
  })

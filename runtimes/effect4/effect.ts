/** `@mailstream/effect4`: Effect 4, over any transport. */
import {
  type Contact,
  ContactId,
  Contacts,
  contacts,
  type InvalidOption,
  type ListError,
  Mailstream,
  type RequestError,
  Store,
  Timestamp,
  type TopicId,
  Topics,
  type Transport
} from "@mailstream/effect4"
import { Effect, Fiber, Layer, Redacted, Stream } from "effect"
import { checks, type Options, type Use } from "../program/walks.ts"

const contact = (number: number): Contact => ({
  id: ContactId.make(`5f0c1a52-0000-4000-8000-${String(number).padStart(12, "0")}`),
  email: `person-${number}@example.com`,
  first_name: null,
  last_name: null,
  created_at: Timestamp.Timestamp.make("2025-11-30 20:41:40.84216+00"),
  unsubscribed: false
})

const stateIn = (state: Map<string, string>) =>
  Layer.succeed(Store, {
    get: (key) => Effect.sync(() => state.get(key)),
    set: (key, text) => Effect.sync(() => state.set(key, text)),
    remove: (key) => Effect.sync(() => state.delete(key)),
    has: (key) => Effect.sync(() => state.has(key))
  })

export default (transport: Layer.Layer<Transport.Transport, InvalidOption>) =>
  checks(({ apiKey, baseUrl }: Options) => {
    const live = Mailstream.layer({ baseUrl, apiKey: Redacted.make(apiKey) }).pipe(Layer.provide(transport))
    const run = <A, E>(effect: Effect.Effect<A, E, Mailstream.Mailstream>): Promise<A> =>
      Effect.runPromise(Effect.provide(effect, live))
    const each = (stream: Stream.Stream<Contact, ListError, Contacts>, use: Use) =>
      run(Stream.runForEachWhile(stream, ({ email }) => Effect.promise(async () => use(email))))
    const withTopics = <A>(use: (topics: typeof Topics.Service) => Effect.Effect<A, RequestError>) =>
      run(Effect.flatMap(Topics, use))
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
        contacts.process("key", ({ email }) => Effect.sync(() => handle(email)), { pageSize: 50 }).pipe(
          Effect.provide(stateIn(state)),
          run
        ),
      refused: () =>
        Effect.flatMap(Contacts, ({ list }) => list({ limit: 0 })).pipe(
          Effect.flip,
          Effect.map(({ _tag }) => _tag),
          run
        ),
      start: () => {
        const fiber = Effect.runFork(Effect.provide(Stream.runDrain(contacts.items()), live))
        return () => Effect.runPromise(Fiber.interrupt(fiber))
      },
      withoutNetwork: () =>
        Stream.runCount(contacts.items()).pipe(
          Effect.provide(Mailstream.layerTest({ contacts: Array.from({ length: 250 }, (_, index) => contact(index)) })),
          Effect.runPromise
        )
    }
  })

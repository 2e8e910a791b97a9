/** `@mailstream/effect4`: Effect 4. */
import { Contacts, contacts, Mailstream, Store } from "@mailstream/effect4"
import * as FetchTransport from "@mailstream/effect4/FetchTransport"
import { Effect, Fiber, Layer, Redacted, Stream } from "effect"
import { checks, type Use } from "../program/walks.ts"

const stateIn = (state: Map<string, string>) =>
  Layer.succeed(Store, {
    get: (key) => Effect.sync(() => state.get(key)),
    set: (key, text) => Effect.sync(() => state.set(key, text)),
    remove: (key) => Effect.sync(() => state.delete(key)),
    has: (key) => Effect.sync(() => state.has(key))
  })

export default checks(({ apiKey, baseUrl }) => {
  const live = Mailstream.layer({ baseUrl, apiKey: Redacted.make(apiKey) }).pipe(Layer.provide(FetchTransport.layer))
  const run = <A, E>(effect: Effect.Effect<A, E, Mailstream.Mailstream>) =>
    Effect.runPromise(Effect.provide(effect, live))
  const each = <E>(stream: Stream.Stream<{ readonly email: string }, E, Contacts>, use: Use) =>
    run(Stream.runForEachWhile(stream, ({ email }) => Effect.promise(async () => use(email))))
  return {
    walk: (use, options) => each(contacts.items(options), use),
    whole: (use) => each(contacts.whole(), use),
    process: (state, handle) =>
      contacts.process("key", ({ email }) => Effect.sync(() => handle(email)), { pageSize: 50 }).pipe(
        Effect.provide(stateIn(state)),
        run
      ),
    refused: () =>
      Effect.flatMap(Contacts, ({ list }) => list({ limit: 0 })).pipe(
        Effect.as("none"),
        Effect.catchTag("validation_error", ({ _tag }) => Effect.succeed(_tag)),
        run
      ),
    start: () => {
      const fiber = Effect.runFork(Effect.provide(Stream.runDrain(contacts.items()), live))
      return () => Effect.runPromise(Fiber.interrupt(fiber))
    }
  }
})

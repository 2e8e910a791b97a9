import type { Store } from "@mailstream/effect4"
import {
  broadcastRecipients,
  type ChangedTopic,
  type Checkpoint,
  Commit,
  type CommitError,
  type Contact,
  Contacts,
  contacts,
  contactTopics,
  emails,
  type InvalidOption,
  type List,
  type ListError,
  Mailstream,
  Position,
  type ReceivedEmailAttachment,
  type ReceivedEmailAttachments,
  receivedEmailAttachments,
  type ReceivedEmailFilter,
  type RequestError,
  type Topics,
  topics,
  type ValidationError
} from "@mailstream/effect4"
import { Config, type Context, Data, Effect, type Layer, Redacted, Stream } from "effect"
import { KeyValueStore } from "effect/persistence"
import { describe, expect, test } from "tstyche"

class Refused extends Data.TaggedError("Refused") {}

declare const service: Context.Service.Shape<typeof Contacts>

describe("a list", () => {
  test("has `follow` if its newest item comes first", () => {
    expect(emails).type.toHaveProperty("follow")
    expect(contactTopics).type.not.toHaveProperty("follow")
    expect(broadcastRecipients).type.not.toHaveProperty("follow")
    expect(broadcastRecipients).type.toHaveProperty("process")
  })

  test("is a Stream with exact errors, which requires its service", () => {
    expect(contacts.items()).type.toBe<Stream.Stream<Contact, ListError, Contacts>>()
    expect(contacts.pages()).type.toBe<Stream.Stream<List.WalkedPage<Contact>, ListError, Contacts>>()
    expect(contacts.follow()).type.toBe<Stream.Stream<Contact, ListError, Contacts>>()
    expect(contacts.whole()).type.toBe<Stream.Stream<Contact, ListError, Contacts>>()
    expect(contacts.list({ limit: 1 })).type.toBe<
      Effect.Effect<List.Page<Contact>, RequestError | InvalidOption, Contacts>
    >()
    expect(topics.create({ name: "News" })).type.toBe<
      Effect.Effect<ChangedTopic, RequestError | InvalidOption, Topics>
    >()
  })

  test("is a service, too", () => {
    expect(service.items()).type.toBe<Stream.Stream<Contact, ListError>>()
    expect(Contacts.use((contacts) => contacts.list())).type.toBe<
      Effect.Effect<List.Page<Contact>, RequestError | InvalidOption, Contacts>
    >()
  })

  test("has `whole` if it needs no limit", () => {
    expect(contacts).type.toHaveProperty("whole")
    expect(emails).type.not.toHaveProperty("whole")
    expect(topics).type.not.toHaveProperty("whole")
  })

  test("leaves the other errors when one is caught, and knows no other tags", () => {
    expect(contacts.items().pipe(Stream.catchTag("validation_error", () => Stream.empty))).type.toBe<
      Stream.Stream<Contact, Exclude<ListError, ValidationError>, Contacts>
    >()
    expect(contacts.list().pipe(Effect.catchTag("invalid_api_key", () => Effect.succeed("none")))).type.toBe<
      Effect.Effect<
        List.Page<Contact> | string,
        Exclude<RequestError, { readonly _tag: "invalid_api_key" }> | InvalidOption,
        Contacts
      >
    >()
    expect(
      contacts.items().pipe(Stream.catchTag("rate_limit_exceeded", (error) => Stream.succeed(error.retryAfter)))
    ).type.toBe<
      Stream.Stream<
        Contact | number | undefined,
        Exclude<ListError, { readonly _tag: "rate_limit_exceeded" }>,
        Contacts
      >
    >()
    // @ts-expect-error Argument of type '"validation_eror"' is not assignable to parameter of type
    void contacts.items().pipe(Stream.catchTag("validation_eror", () => Stream.empty))
    // @ts-expect-error Argument of type '"StalledWalk"' is not assignable to parameter of type
    void contacts.list().pipe(Effect.catchTag("StalledWalk", () => Effect.void))
  })

  test("accepts a filter where it has one, and requires it where it must", () => {
    expect(contacts.items({ filter: { segment_id: "s" }, from: Position.after("id") })).type.toBe<
      Stream.Stream<Contact, ListError, Contacts>
    >()
    // @ts-expect-error pass it as `filter: { segment_id }`
    void contacts.items({ segment_id: "s" })
    // @ts-expect-error 'email_id' does not exist in type 'SegmentFilter'
    void contacts.items({ filter: { email_id: "e" } })
    // @ts-expect-error is not assignable to type 'undefined'
    void topics.items({ filter: { segment_id: "s" } })
    expect(receivedEmailAttachments.list({ filter: { email_id: "e" } })).type.toBe<
      Effect.Effect<List.Page<ReceivedEmailAttachment>, RequestError | InvalidOption, ReceivedEmailAttachments>
    >()
    // @ts-expect-error Expected 1 arguments, but got 0
    void receivedEmailAttachments.items()
    // @ts-expect-error Expected 3 arguments, but got 2
    void receivedEmailAttachments.process("key", () => Effect.void)
    expect(receivedEmailAttachments).type.toBeAssignableTo<
      List.OptionalLimitList<{ readonly id: string }, ReceivedEmailFilter, ReceivedEmailAttachments>
    >()
  })

  test("takes durations, and no signal", () => {
    void contacts.follow({ poll: "10 seconds", retry: { times: 3, base: "1 second", cap: "1 minute" } })
    // @ts-expect-error Type '"10 eons"' is not assignable to type
    void contacts.follow({ poll: "10 eons" })
    // @ts-expect-error 'signal' does not exist in type
    void contacts.items({ signal: new AbortController().signal })
    // @ts-expect-error pass either `after` or `before`, not both
    void contacts.list({ after: "a", before: "b" })
  })
})

describe("processing", () => {
  test("fails with what the handler fails with, and requires what it requires", () => {
    const handle = (contact: Contact) =>
      contact.unsubscribed ? Effect.fail(new Refused()) : Effect.asVoid(Effect.service(KeyValueStore.KeyValueStore))
    expect(contacts.process("key", handle, { concurrency: 8 })).type.toBe<
      Effect.Effect<void, ListError | CommitError | Refused, Contacts | Store | KeyValueStore.KeyValueStore>
    >()
    // @ts-expect-error Type 'string' is not assignable to type 'Effect<unknown,
    void contacts.process("key", () => "no effect")
  })

  test("has pages to commit", () => {
    expect(
      contacts.processPages("key", (pages) => Stream.runForEach(pages, (page) => page.commit))
    ).type.toBe<Effect.Effect<void, ListError | CommitError, Contacts | Store>>()
    expect(contacts.processPages("key", () => Effect.succeed(1))).type.toBe<
      Effect.Effect<number, ValidationError | InvalidOption | CommitError, Contacts | Store>
    >()
    expect(Commit.all([{ commit: Effect.void }])).type.toBe<Effect.Effect<void, CommitError>>()
    expect<typeof Checkpoint.clear>().type.toBe<(key: string) => Effect.Effect<void, CommitError, Store>>()
  })

  test("keeps its position in any KeyValueStore", () => {
    expect<KeyValueStore.KeyValueStore>().type.toBeAssignableTo<Context.Service.Shape<typeof Store>>()
  })
})

describe("a layer", () => {
  test("provides all services", () => {
    const layer = Mailstream.layer({ baseUrl: "https://api.example.com", apiKey: Redacted.make("re_1") })
    expect(layer).type.toBe<Layer.Layer<Mailstream.Mailstream, InvalidOption>>()
    expect(Mailstream.layerConfig()).type.toBe<
      Layer.Layer<Mailstream.Mailstream, InvalidOption | Config.ConfigError>
    >()
    expect(Effect.provide(Stream.runCount(contacts.items()), layer)).type.toBe<
      Effect.Effect<number, ListError>
    >()
  })

  test("takes any option from the configuration", () => {
    expect(Mailstream.layerConfig).type.toBeCallableWith({
      baseUrl: Config.String("URL"),
      timeout: Config.Duration("TIMEOUT")
    })
    expect(Mailstream.layerConfig).type.not.toBeCallableWith({ timeout: "5 seconds" })
    expect(Mailstream.layerConfig).type.not.toBeCallableWith({ apiKey: Config.String("KEY") })
  })

  test("takes a redacted key", () => {
    expect(Mailstream.layer).type.not.toBeCallableWith({ baseUrl: "https://api.example.com", apiKey: "re_1" })
    expect(Mailstream.layer).type.not.toBeCallableWith({ apiKey: Redacted.make("re_1") })
  })
})

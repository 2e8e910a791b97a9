import type { ReceivedEmailAttachments } from "@mailstream/effect4"
import {
  type ApiClient,
  broadcastRecipients,
  type Checkpoint,
  Commit,
  type Contact,
  ContactId,
  Contacts,
  contacts,
  contactTopics,
  emails,
  type InvalidOption,
  type List,
  type ListError,
  Mailstream,
  type Page,
  Position,
  type ReceivedEmailAttachment,
  receivedEmailAttachments,
  ReceivedEmailId,
  type RequestError,
  type Resource,
  RetryPolicy,
  SegmentId,
  type Store,
  type TopicOperations,
  Topics,
  topics,
  type Transport,
  type ValidationError,
  type Walk
} from "@mailstream/effect4"
import type { Duration } from "effect"
import { Config, type Context, Data, Effect, type Layer, Redacted, Stream } from "effect"
import { KeyValueStore } from "effect/persistence"
import { describe, expect, test } from "tstyche"

class Refused extends Data.TaggedError("Refused") {}

type CommitError = Commit.CommitError

describe("a list", () => {
  test("has `follow` if its newest item comes first", () => {
    expect(emails).type.toHaveProperty("follow")
    expect(contactTopics).type.not.toHaveProperty("follow")
    expect(broadcastRecipients).type.not.toHaveProperty("follow")
    expect(broadcastRecipients).type.toHaveProperty("process")
  })

  test("is a Stream with exact errors, which requires its service", () => {
    expect(contacts.items()).type.toBe<Stream.Stream<Contact, ListError, Contacts>>()
    expect(contacts.pages()).type.toBe<Stream.Stream<Walk.WalkedPage<Contact>, ListError, Contacts>>()
    expect(contacts.follow()).type.toBe<Stream.Stream<Contact, ListError, Contacts>>()
    expect(contacts.whole()).type.toBe<Stream.Stream<Contact, ListError, Contacts>>()
  })

  test("has a service, with operations", () => {
    expect(Effect.flatMap(Contacts, (contacts) => contacts.list({ limit: 1 }))).type.toBe<
      Effect.Effect<Page.Page<Contact>, RequestError, Contacts>
    >()
    expect(Effect.flatMap(Topics, (topics) => topics.create({ name: "News" }))).type.toBe<
      Effect.Effect<TopicOperations.ChangedTopic, RequestError, Topics>
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
    expect(
      contacts.items().pipe(Stream.catchTag("rate_limit_exceeded", (error) => Stream.succeed(error.retryAfter)))
    ).type.toBe<
      Stream.Stream<
        Contact | Duration.Duration | undefined,
        Exclude<ListError, { readonly _tag: "rate_limit_exceeded" }>,
        Contacts
      >
    >()
    // @ts-expect-error Argument of type '"validation_eror"' is not assignable to parameter of type
    void contacts.items().pipe(Stream.catchTag("validation_eror", () => Stream.empty))
  })

  test("accepts a filter where it has one, and requires it where it must", () => {
    const filter = { segment_id: SegmentId.make("s") }
    expect(contacts.items({ filter, from: Position.after(ContactId.make("id")) })).type.toBe<
      Stream.Stream<Contact, ListError, Contacts>
    >()
    // @ts-expect-error pass it as `filter: { segment_id }`
    void contacts.items(filter)
    // @ts-expect-error 'email_id' does not exist in type 'SegmentFilter'
    void contacts.items({ filter: { email_id: "e" } })
    // @ts-expect-error this list has no filter
    void topics.items({ filter })
    expect(receivedEmailAttachments.items({ filter: { email_id: ReceivedEmailId.make("e") } })).type.toBe<
      Stream.Stream<ReceivedEmailAttachment, ListError, ReceivedEmailAttachments>
    >()
    // @ts-expect-error Expected 1 arguments, but got 0
    void receivedEmailAttachments.items()
    // @ts-expect-error Expected 3 arguments, but got 2
    void receivedEmailAttachments.process("key", () => Effect.void)
    expect(receivedEmailAttachments.descriptor).type.toBeAssignableTo<
      List.List<ReceivedEmailAttachment, object, Resource.ReceivedEmailFilter, ReceivedEmailAttachments>
    >()
  })

  test("takes durations and Schedules", () => {
    void contacts.follow({
      poll: "10 seconds",
      retry: RetryPolicy.make({ times: 3, base: "1 second", cap: "1 minute" })
    })
    // @ts-expect-error Type '"10 eons"' is not assignable to type
    void contacts.follow({ poll: "10 eons" })
    // @ts-expect-error pass `pageSize`, or `take` for the number of items
    void contacts.items({ limit: 1 })
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
      Effect.Effect<number, InvalidOption | CommitError, Contacts | Store>
    >()
    expect(Commit.all([{ commit: Effect.void }])).type.toBe<Effect.Effect<void, CommitError>>()
    expect<typeof Checkpoint.clear>().type.toBe<
      (key: string) => Effect.Effect<void, CommitError | InvalidOption, Store>
    >()
  })

  test("keeps its position in any KeyValueStore", () => {
    expect<KeyValueStore.KeyValueStore>().type.toBeAssignableTo<Context.Service.Shape<typeof Store>>()
  })
})

describe("a layer", () => {
  test("provides all services, over a transport", () => {
    const layer = Mailstream.layer({ baseUrl: "https://api.example.com", apiKey: Redacted.make("re_1") })
    expect(layer).type.toBe<Layer.Layer<Mailstream.Mailstream | ApiClient, InvalidOption, Transport.Transport>>()
    expect(Mailstream.layerConfig()).type.toBe<
      Layer.Layer<Mailstream.Mailstream | ApiClient, InvalidOption | Config.ConfigError, Transport.Transport>
    >()
  })

  test("takes any option from the configuration", () => {
    expect(Mailstream.layerConfig).type.toBeCallableWith({
      baseUrl: Config.String("URL"),
      timeout: Config.Duration("TIMEOUT")
    })
    expect(Mailstream.layerConfig).type.not.toBeCallableWith({ apiKey: Config.String("KEY") })
  })

  test("takes a redacted key", () => {
    expect(Mailstream.layer).type.not.toBeCallableWith({ baseUrl: "https://api.example.com", apiKey: "re_1" })
    expect(Mailstream.layer).type.not.toBeCallableWith({ apiKey: Redacted.make("re_1") })
  })
})

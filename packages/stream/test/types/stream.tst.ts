import type { KeyValueStore } from "@effect/platform"
import {
  type BroadcastId,
  type Contact,
  type ContactId,
  type Page,
  Position,
  type ReceivedEmailAttachment,
  type ReceivedEmailId,
  type SegmentId,
  type Topic,
  type TopicId
} from "@mailstream/core"
import type { Contacts, ReceivedEmailAttachments, Topics } from "@mailstream/http"
import {
  apiKeys,
  broadcastRecipients,
  broadcasts,
  Commit,
  contacts,
  contactTopics,
  domains,
  emails,
  type ListError,
  receivedEmailAttachments,
  receivedEmails,
  type RetryPolicy,
  segments,
  suppressions,
  templates,
  topics,
  Walk
} from "@mailstream/stream"
import { Effect, type Schedule, Stream } from "effect"
import { describe, expect, test } from "tstyche"

declare const contactId: ContactId
declare const emailId: ReceivedEmailId
declare const segmentId: SegmentId
declare const topicId: TopicId

// `toBeCallableWith` cannot be used here: a stream that is not used is an error itself.
type Options<F extends (...args: never) => unknown> = Parameters<F>[0]

describe("streams", () => {
  test("have exact item, error and requirement types", () => {
    expect(contacts.items()).type.toBe<Stream.Stream<Contact, ListError, Contacts>>()
    expect(contacts.whole()).type.toBe<Stream.Stream<Contact, ListError, Contacts>>()
    expect(contacts.follow()).type.toBe<Stream.Stream<Contact, ListError, Contacts>>()
    expect(topics.pages()).type.toBe<Stream.Stream<Walk.WalkedPage<Topic>, ListError, Topics>>()
    expect(contacts.process("key", () => Effect.fail("oops" as const))).type.toBe<
      Effect.Effect<void, ListError | Commit.CommitError | "oops", Contacts | KeyValueStore.KeyValueStore>
    >()
    expect(contacts.processPages("key", Stream.runCount)).type.toBe<
      Effect.Effect<number, ListError | Commit.CommitError, Contacts | KeyValueStore.KeyValueStore>
    >()
    expect<Walk.WalkedPage<Contact>>().type.toBeAssignableTo<Page.Page<Contact>>()
  })

  test("accept positions of their own list only", () => {
    expect<Options<typeof contacts.items>>().type.toBeAssignableFrom<{ from: Position.Position<ContactId> }>()
    expect<Options<typeof contacts.items>>().type.toBeAssignableFrom<{ from: typeof Position.start }>()
    expect<Options<typeof contacts.items>>().type.toBeAssignableFrom<{ from: typeof Position.end }>()
    expect<Options<typeof contacts.items>>().type.not.toBeAssignableFrom<{ from: Position.Position<TopicId> }>()
    expect<Options<typeof contacts.pages>>().type.not.toBeAssignableFrom<{ from: Position.Position }>()
    expect<Parameters<typeof contacts.process>[2]>().type.toBeAssignableFrom<{ from: Position.Position<ContactId> }>()
    expect<Parameters<typeof contacts.process>[2]>().type.not.toBeAssignableFrom<{ from: Position.Position<TopicId> }>()
    expect<Options<typeof contacts.follow>>().type.toBeAssignableFrom<{ since: ContactId }>()
    expect<Options<typeof contacts.follow>>().type.not.toBeAssignableFrom<{ since: TopicId }>()
    expect(contacts.items({ from: Position.after(contactId) })).type.toBe<
      Stream.Stream<Contact, ListError, Contacts>
    >()
  })

  test("accept filters of their own list only, and require them where the API does", () => {
    expect<Options<typeof contacts.items>>().type.toBeAssignableFrom<
      { filter: { segment_id: SegmentId }; pageSize: number }
    >()
    expect<Options<typeof contacts.items>>().type.toBeAssignableFrom<undefined>()
    expect<Options<typeof contacts.items>>().type.not.toBeAssignableFrom<{ filter: { segment_id: ContactId } }>()
    expect(receivedEmailAttachments.items({ filter: { email_id: emailId } })).type.toBe<
      Stream.Stream<ReceivedEmailAttachment, ListError, ReceivedEmailAttachments>
    >()
    expect<Options<typeof receivedEmailAttachments.items>>().type.not.toBeAssignableFrom<undefined>()
    expect<Options<typeof receivedEmailAttachments.whole>>().type.not.toBeAssignableFrom<{}>()
    expect<Parameters<typeof receivedEmailAttachments.process>[2]>().type.not.toBeAssignableFrom<undefined>()
    expect<Options<typeof topics.items>>().type.not.toBeAssignableFrom<{ filter: { segment_id: SegmentId } }>()
    expect<Options<typeof contacts.items>>().type.toBeAssignableFrom<{ filter: { segment_id: SegmentId } }>()
  })

  test("reject a position of another list with the brands of both ids", () => {
    // @ts-expect-error Type 'string & Brand<"TopicId">' is not assignable to type 'string & Brand<"ContactId">'
    void contacts.items({ from: Position.after(topicId) })
    const filter = { segment_id: segmentId }
    // @ts-expect-error is not assignable to type 'Conflict<"pass it as `filter: { segment_id }`">
    void contacts.items({ ...filter, pageSize: 5 })
    // @ts-expect-error Property 'filter' is missing in type
    void receivedEmailAttachments.items({ pageSize: 5 })
    const page = { limit: 5, pageSize: 5 }
    // @ts-expect-error is not assignable to type 'Conflict<"pass `pageSize`, or `take` for the number of items">
    void contacts.items(page)
    // @ts-expect-error is not assignable to type 'Conflict<"pass `from: Position.after(id)`">
    void contacts.items({ after: contactId })
  })

  test("have a `take` where it cannot be mistaken: a resumed process, a new item and the complete list have none", () => {
    expect<Options<typeof contacts.items>>().type.toBeAssignableFrom<{ take: number }>()
    expect<Options<typeof contacts.pages>>().type.toBeAssignableFrom<{ take: number }>()
    // @ts-expect-error is not assignable to type 'Conflict<"`whole` is the complete list: use `items`">
    void contacts.whole({ take: 5 })
    const after: Walk.Options<ContactId> = { from: Position.after(contactId) }
    // @ts-expect-error is not assignable to type 'Conflict<"`whole` is the complete list: use `items`">
    void contacts.whole(after)
    // @ts-expect-error is not assignable to type 'Conflict<"use `Stream.take`">
    void contacts.follow({ take: 5 })
    // @ts-expect-error is not assignable to type 'Conflict<"the complete list is processed, in however many runs: use `items`">
    void contacts.process("key", () => Effect.void, { take: 5 })
    // @ts-expect-error is not assignable to type 'Conflict<"the complete list is processed, in however many runs: use `items`">
    void contacts.processPages("key", Stream.runDrain, { take: 5 })
  })

  test("accept handlers only whose work is an Effect, because nothing else can be waited for", () => {
    // @ts-expect-error Type 'Promise<void>' is missing the following properties from type 'Effect<unknown
    void contacts.process("key", () => Promise.resolve())
    // @ts-expect-error Type 'void' is not assignable to type 'Effect<unknown
    void contacts.process("key", () => {})
    expect<Commit.CommittablePage<Contact>>().type.toBeAssignableTo<Walk.WalkedPage<Contact>>()
    expect<Walk.WalkedPage<Contact>>().type.not.toHaveProperty("commit")
  })

  test("can be resumed with the position after a page alone", () => {
    expect<Options<typeof contacts.items>>().type.toBeAssignableFrom<{ from: Walk.WalkedPage<Contact>["next"] }>()
    expect<keyof Walk.WalkedPage<Contact>>().type.toBe<"object" | "has_more" | "data" | "next">()
  })

  test("offer `whole` for optional-limit lists only", () => {
    for (const list of [domains, apiKeys, broadcasts, segments, contacts, receivedEmails, receivedEmailAttachments]) {
      expect(list).type.toHaveProperty("whole")
    }
    expect(emails).type.not.toHaveProperty("whole")
    expect(templates).type.not.toHaveProperty("whole")
    expect(topics).type.not.toHaveProperty("whole")
  })

  test("offer `follow` for lists that have their newest item first only", () => {
    expect(suppressions).type.toHaveProperty("follow")
    expect(contactTopics).type.not.toHaveProperty("follow")
    expect(broadcastRecipients).type.not.toHaveProperty("follow")
  })

  test("require what a filter needs besides its owner", () => {
    expect<Options<typeof broadcastRecipients.items>>().type.toBeAssignableFrom<
      { filter: { broadcast_id: BroadcastId; type: "opened" } }
    >()
    expect<Options<typeof broadcastRecipients.items>>().type.not.toBeAssignableFrom<
      { filter: { broadcast_id: BroadcastId } }
    >()
    expect<Options<typeof suppressions.items>>().type.toBeAssignableFrom<{ filter: { origin: "bounce" } }>()
    expect<Options<typeof suppressions.items>>().type.toBeAssignableFrom<{}>()
    expect<Options<typeof segments.items>>().type.toBeAssignableFrom<{ filter: { contact_id: ContactId } }>()
    expect<Options<typeof segments.items>>().type.toBeAssignableFrom<{ filter: { contact_id: { email: string } } }>()
    expect<Options<typeof segments.items>>().type.not.toBeAssignableFrom<{ filter: { segment_id: SegmentId } }>()
  })

  test("accept any schedule over request errors as a retry policy", () => {
    expect<Options<typeof contacts.items>>().type.toBeAssignableFrom<{ retry: typeof RetryPolicy.patient }>()
    expect<Options<typeof contacts.items>>().type.toBeAssignableFrom<{ retry: Schedule.Schedule<number> }>()
    expect<Options<typeof contacts.items>>().type.not.toBeAssignableFrom<{ retry: number }>()
    expect<Options<typeof contacts.follow>>().type.toBeAssignableFrom<{ poll: Schedule.Schedule<number> }>()
    expect<Options<typeof contacts.follow>>().type.toBeAssignableFrom<{ poll: "10 seconds" }>()
    expect<Options<typeof contacts.follow>>().type.toBeAssignableFrom<{ poll: number }>()
    expect<Options<typeof contacts.follow>>().type.not.toBeAssignableFrom<{ poll: "10 eons" }>()
    expect<Options<typeof contacts.follow>>().type.not.toBeAssignableFrom<{ poll: Schedule.Schedule<number, Date> }>()
  })

  test("have errors that can be caught by tag", () => {
    expect<ListError["_tag"]>().type.toBeAssignableFrom("validation_error" as const)
    expect<ListError["_tag"]>().type.toBeAssignableFrom("InvalidOption" as const)
    expect<ListError["_tag"]>().type.toBeAssignableFrom("StalledWalk" as const)
    expect<ListError["_tag"]>().type.toBeAssignableFrom("PositionLost" as const)
    expect<ListError["_tag"]>().type.not.toBeAssignableFrom("CheckpointError" as const)
  })
})

describe("Commit.forEach", () => {
  const pages = {} as Stream.Stream<Commit.CommittablePage<Contact>, ListError, Contacts>
  type Handled = Effect.Effect<void, ListError | Commit.CommitError | "oops", Contacts | Topics>
  const handle = (_: Contact) => ({}) as Effect.Effect<void, "oops", Topics>

  test("takes the pages first or last, with the same types", () => {
    expect(Commit.forEach(pages, handle)).type.toBe<Handled>()
    expect(Commit.forEach(pages, handle, { concurrency: 2 })).type.toBe<Handled>()
    expect(pages.pipe(Commit.forEach(handle))).type.toBe<Handled>()
    expect(pages.pipe(Commit.forEach(handle, { concurrency: 2 }))).type.toBe<Handled>()
    expect(contacts.processPages("key", Commit.forEach(handle))).type.toBe<
      Effect.Effect<void, ListError | Commit.CommitError | "oops", Contacts | Topics | KeyValueStore.KeyValueStore>
    >()
  })

  test("infers the item of an inline handler", () => {
    expect(Commit.forEach(pages, (contact) => Effect.log(contact.email))).type.toBe<
      Effect.Effect<void, ListError | Commit.CommitError, Contacts>
    >()
    expect(pages.pipe(Commit.forEach((contact) => Effect.log(contact.email)))).type.toBe<
      Effect.Effect<void, ListError | Commit.CommitError, Contacts>
    >()
  })

  test("rejects a handler of other items", () => {
    const other = (_: Topic) => Effect.void
    // @ts-expect-error is not assignable to parameter of type
    void Commit.forEach(pages, other)
    // @ts-expect-error is not assignable to
    void pages.pipe(Commit.forEach(other))
  })
})

describe("a custom walk", () => {
  interface Invoice {
    readonly id: string
    readonly total: number
  }
  interface Ledger {
    readonly _: unique symbol
  }

  test("has the items and requirements of its page function", () => {
    expect(Walk.items({} as Walk.Source<Invoice, Ledger>)).type.toBe<Stream.Stream<Invoice, ListError, Ledger>>()
    expect(Walk.items({} as Walk.Source<Contact>, { from: Position.after(contactId) })).type.toBe<
      Stream.Stream<Contact, ListError>
    >()
  })
})

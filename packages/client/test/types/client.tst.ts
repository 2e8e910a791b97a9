import {
  after,
  type Contact,
  type CreatedTopic,
  type List,
  type Mailstream,
  MailstreamError,
  type OptionalLimitList,
  type Page,
  type Position,
  type Store,
  type Walk,
  type WalkedPage
} from "@mailstream/client"
import type * as Core from "@mailstream/core"
import { describe, expect, test } from "tstyche"

declare const mailstream: Mailstream
declare const store: Store

describe("the client", () => {
  test("has every list, with its items", () => {
    expect(mailstream.contacts.items()).type.toBe<Walk<Contact>>()
    expect(mailstream.contacts.pages()).type.toBe<Walk<WalkedPage<Contact>>>()
    expect(mailstream.contacts.list({ limit: 1 })).type.toBe<Promise<Page<Contact>>>()
    expect(mailstream.topics.create({ name: "News" })).type.toBe<Promise<CreatedTopic>>()
  })

  test("has `whole` for lists that need no limit", () => {
    expect<Mailstream["contacts"]>().type.toBeAssignableTo<
      OptionalLimitList<Contact, { readonly segment_id: string } | undefined>
    >()
    expect<Mailstream["emails"]>().type.toBeAssignableTo<List<{ readonly id: string }>>()
    expect<Mailstream["emails"]>().type.not.toHaveProperty("whole")
    expect<Mailstream["topics"]>().type.not.toHaveProperty("whole")
  })

  test("has items that are those of core, with plain ids", () => {
    expect<Core.Contact>().type.toBeAssignableTo<Contact>()
    expect<Contact["id"]>().type.toBe<string>()
  })

  test("accepts a filter where the list has one", () => {
    expect(mailstream.contacts.items).type.toBeCallableWith({ filter: { segment_id: "s" }, from: after("id") })
    expect(mailstream.contacts.items).type.not.toBeCallableWith({ segment_id: "s" })
    expect(mailstream.contacts.items).type.not.toBeCallableWith({ filter: { email_id: "e" } })
    expect(mailstream.domains.items).type.not.toBeCallableWith({ filter: { segment_id: "s" } })
    expect(mailstream.receivedEmailAttachments.items).type.toBeCallableWith({ filter: { email_id: "e" } })
    expect(mailstream.receivedEmailAttachments.items).type.not.toBeCallableWith()
    expect(mailstream.contacts.list).type.not.toBeCallableWith({ after: "a", before: "b" })
  })

  test("says what to pass instead of an option that a walk does not have", () => {
    // @ts-expect-error is not assignable to type 'Conflict<"pass it as `filter: { segment_id }`">
    void mailstream.contacts.items({ segment_id: "s" })
    // @ts-expect-error is not assignable to type 'Conflict<"pass `pageSize`, or `take` for the number of items">
    void mailstream.contacts.items({ limit: 5 })
    // @ts-expect-error is not assignable to type 'Conflict<"pass `from: after(id)`">
    void mailstream.contacts.items({ after: "id" })
  })

  test("requires a store to process, and a limit to collect", () => {
    expect(mailstream.contacts.process).type.toBeCallableWith("key", () => {}, { store, concurrency: 8 })
    expect(mailstream.contacts.process).type.not.toBeCallableWith("key", () => {})
    expect(mailstream.contacts.process).type.not.toBeCallableWith("key", () => {}, {})
    expect(mailstream.contacts.items().toArray).type.toBeCallableWith({ limit: 10 })
    expect(mailstream.contacts.items().toArray).type.not.toBeCallableWith()
  })
})

describe("errors", () => {
  test("narrow by instanceof, and are exhaustive by their tags", () => {
    const explain = (error: unknown): string => {
      if (!(error instanceof MailstreamError)) return "unknown"
      switch (error._tag) {
        case "TransportError":
          return error.url
        case "UnexpectedResponse":
          return error.field
        case "StalledWalk":
        case "PositionLost":
          expect(error.position).type.toBe<Position>()
          return error.list
        case "CheckpointError":
        case "LockError":
          return error.key
        case "InvalidOption":
          return error.option
        case "ClientClosed":
          return error.message
        case "api_error":
          return error.name
        default:
          expect(error.retryAfter).type.toBe<number | undefined>()
          expect(error._tag).type.toBe<Core.NamedApiError["_tag"]>()
          return error.message
      }
    }
    expect(explain).type.toBe<(error: unknown) => string>()
  })
})

import {
  after,
  type Attachment,
  attachment,
  type BatchResult,
  type CallOptions,
  type ChangedContact,
  type ChangedMembership,
  type ChangedTopic,
  type Contact,
  type ContactDetails,
  type CreateContact,
  type CreatedApiKey,
  type List,
  type Mailstream,
  MailstreamError,
  type OptionalLimitList,
  type Outcome,
  type Page,
  type Position,
  type Secret,
  type SentEmail,
  type Store,
  type UpdateContact,
  type ValidationError,
  type Walk,
  type WalkedPage
} from "@mailstream/client"
import type * as Core from "@mailstream/core"
import { describe, expect, test } from "tstyche"

declare const mailstream: Mailstream
declare const store: Store
declare const bytes: Uint8Array
const filename = "notes.txt"

describe("the client", () => {
  test("has every list, with its items", () => {
    expect(mailstream.contacts.items()).type.toBe<Walk<Contact>>()
    expect(mailstream.contacts.pages()).type.toBe<Walk<WalkedPage<Contact>>>()
    expect(mailstream.contacts.list({ limit: 1 })).type.toBe<Promise<Page<Contact>>>()
    expect(mailstream.topics.create({ name: "News" })).type.toBe<Promise<ChangedTopic>>()
  })

  test("has `whole` for lists that need no limit", () => {
    expect<Mailstream["contacts"]>().type.toBeAssignableTo<
      OptionalLimitList<Contact, { readonly segment_id: string } | undefined>
    >()
    expect<Mailstream["emails"]>().type.toBeAssignableTo<List<{ readonly id: string }>>()
    expect<Mailstream["emails"]>().type.not.toHaveProperty("whole")
    expect<Mailstream["topics"]>().type.not.toHaveProperty("whole")
  })

  test("has `follow` for lists with their newest item first", () => {
    expect<Mailstream["contacts"]>().type.toHaveProperty("follow")
    expect<Mailstream["emails"]>().type.toHaveProperty("follow")
    expect<Mailstream["contactTopics"]>().type.not.toHaveProperty("follow")
    expect<Mailstream["broadcastRecipients"]>().type.not.toHaveProperty("follow")
    expect<Mailstream["broadcastRecipients"]>().type.toHaveProperty("process")
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

describe("operations", () => {
  test("take plain strings, and return plain objects", () => {
    expect(mailstream.contacts.get("id")).type.toBe<Promise<ContactDetails>>()
    expect(mailstream.contacts.create({ email: "ada@example.com" })).type.toBe<Promise<ChangedContact>>()
    expect(mailstream.contacts.join("id", "segment", { retry: "none" })).type.toBe<Promise<ChangedMembership>>()
    expect<ContactDetails>().type.toBeAssignableTo<Contact>()
    expect<ChangedContact["id"]>().type.toBe<string>()
    expect<Core.ContactOperations.ContactDetails>().type.toBeAssignableTo<ContactDetails>()
    expect<Parameters<typeof mailstream.contacts.get>>().type.toBe<
      [contact: string | { readonly email: string }, options?: CallOptions | undefined]
    >()
  })

  test("name objects by their ids, or by what the API accepts as well", () => {
    expect(mailstream.contacts.get).type.toBeCallableWith({ email: "ada@example.com" })
    expect(mailstream.templates.publish).type.toBeCallableWith({ alias: "welcome" })
    expect(mailstream.suppressions.remove).type.toBeCallableWith({ email: "ada@example.com" })
    expect(mailstream.contacts.get).type.not.toBeCallableWith({ alias: "ada" })
    expect(mailstream.contacts.get).type.not.toBeCallableWith()
    expect(mailstream.topics.get).type.not.toBeCallableWith({ email: "ada@example.com" })
    expect(mailstream.topics.get).type.not.toBeCallableWith({ id: "id" })
    expect(mailstream.emailAttachments.get).type.toBeCallableWith("email", "attachment")
    expect(mailstream.emailAttachments.get).type.not.toBeCallableWith("email")
  })

  test("tell absent and undefined, which are the same, from null", () => {
    expect<UpdateContact>().type.toBeAssignableFrom<{ first_name: undefined; last_name: null; unsubscribed: boolean }>()
    expect<UpdateContact>().type.toBeAssignableFrom<{ properties: { plan: null; seats: number; trial: undefined } }>()
    expect<CreateContact>().type.not.toBeAssignableFrom<{ email: undefined }>()
    expect<CreateContact>().type.not.toBeAssignableFrom<{ email: string; unsubscribed: null }>()
  })

  test("know their fields", () => {
    expect(mailstream.contacts.create).type.not.toBeCallableWith({ email: "a@b.c", firstName: "Ada" })
    expect(mailstream.contacts.update).type.not.toBeCallableWith("id", { email: "a@b.c" })
    expect(mailstream.contacts.update).type.not.toBeCallableWith("id")
    expect(mailstream.broadcasts.send).type.toBeCallableWith("id")
    expect(mailstream.broadcasts.send).type.toBeCallableWith("id", { scheduled_at: "in 1 hour" }, { retry: "none" })
    expect(mailstream.apiKeys.create).type.not.toBeCallableWith({ name: "CI", permission: "all" })
    expect(mailstream.suppressions.removeMany).type.toBeCallableWith({ ids: ["id"] })
    expect(mailstream.contacts.updateTopics).type.toBeCallableWith("id", [{ id: "topic", subscription: "opt_in" }])
    expect(mailstream.contacts.get).type.not.toBeCallableWith("id", { timeout: 5 })
    expect(mailstream.apiKeys).type.not.toHaveProperty("get")
  })

  test("return secrets that are read on purpose", () => {
    expect<CreatedApiKey["token"]>().type.toBe<Secret>()
    expect<Secret>().type.not.toBeAssignableTo<string>()
    expect<ReturnType<Secret["value"]>>().type.toBe<string>()
  })

  test("filter where the list has more than one field for it", () => {
    expect(mailstream.broadcastRecipients.items).type.toBeCallableWith({
      filter: { broadcast_id: "b", type: "bounced", bounce_type: "Permanent", email: undefined }
    })
    expect(mailstream.broadcastRecipients.items).type.not.toBeCallableWith({ filter: { broadcast_id: "b" } })
    expect(mailstream.suppressions.items).type.toBeCallableWith({ filter: { origin: "bounce" } })
    expect(mailstream.suppressions.items).type.toBeCallableWith()
    expect(mailstream.segments.items).type.toBeCallableWith({ filter: { contact_id: "c" } })
    expect(mailstream.segments.items).type.toBeCallableWith({ filter: { contact_id: { email: "ada@example.com" } } })
    // @ts-expect-error is not assignable to type 'Conflict<"pass it as `filter: { origin }`">
    void mailstream.suppressions.items({ origin: "bounce" })
  })
})

describe("sending", () => {
  const email = { from: "a@example.com", to: "b@example.com", subject: "Hello", text: "Hello" }

  test("takes an email and options, and returns its id", () => {
    expect(mailstream.emails.send(email)).type.toBe<Promise<SentEmail>>()
    expect(mailstream.emails.send).type.toBeCallableWith(email, { idempotencyKey: "k", signal: AbortSignal.abort() })
    expect(mailstream.emails.send).type.toBeCallableWith({
      to: "a@example.com",
      template: { id: "t" },
      html: undefined
    })
    expect(mailstream.emails.send).type.toBeCallableWith({ ...email, scheduled_at: new Date() })
    expect(mailstream.emails.send).type.not.toBeCallableWith({ ...email, scheduledAt: new Date() })
    expect(mailstream.emails.send).type.not.toBeCallableWith(email, { validation: "strict" })
    expect(mailstream.emails.send).type.not.toBeCallableWith({
      ...email,
      attachments: [attachment(bytes, { filename })]
    })
  })

  test("returns one result for each email of a batch", () => {
    expect(mailstream.emails.sendBatch([email], { validation: "permissive" })).type.toBe<
      Promise<ReadonlyArray<BatchResult>>
    >()
    expect<Extract<BatchResult, { readonly _tag: "Rejected" }>["error"]>().type.toBe<ValidationError>()
    expect(mailstream.emails.sendBatch).type.not.toBeCallableWith([{ ...email, attachments: [] }])
    expect(mailstream.emails.sendBatch).type.not.toBeCallableWith([email], { validation: "loose" })
  })

  test("attaches bytes with a name, and files, which have one", () => {
    expect(attachment(bytes, { filename })).type.toBe<Promise<Attachment>>()
    expect(attachment).type.toBeCallableWith(new ArrayBuffer(1), { filename, content_id: "logo" })
    expect(attachment).type.toBeCallableWith(new Blob([]), { filename })
    expect(attachment).type.toBeCallableWith(new File([], "a.txt"))
    expect(attachment).type.not.toBeCallableWith(bytes)
    expect(attachment).type.not.toBeCallableWith("text", { filename })
  })
})

describe("errors", () => {
  test("say what became of a change", () => {
    expect<MailstreamError["outcome"]>().type.toBe<Outcome | undefined>()
    expect<Outcome>().type.toBe<"not_processed" | "unknown">()
  })

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
        case "CampaignPaused":
          expect(error.until).type.toBe<Date | undefined>()
          return error.error.message
        case "UndecidedRecipients":
          expect(error.count).type.toBe<number>()
          return error.campaign
        case "CampaignBusy":
        case "CampaignTakenOver":
        case "UnknownCampaign":
        case "CampaignStoreError":
          return error.campaign
        case "CampaignMismatch":
          expect(error.reason).type.toBe<"Service" | "Account" | "Once" | "Scope">()
          return error.begunWith ?? error.campaign
        case "InvalidOption":
          return error.option
        case "Aborted":
          expect(error.cause).type.toBe<unknown>()
          return error.message
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

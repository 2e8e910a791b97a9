import type { Timestamp } from "@mailstream/core"
import {
  type ApiError,
  type BatchEmail,
  type Contact,
  ContactId,
  type Domain,
  type NotFound,
  Page,
  type PageRequest,
  Position,
  type RequestError,
  type SegmentId,
  type SendEmail,
  type TopicId,
  type TransportError,
  type UnexpectedResponse
} from "@mailstream/core"
import { type Either, pipe } from "effect"
import { describe, expect, test } from "tstyche"

declare const contactId: ContactId
declare const topicId: TopicId
declare const segmentId: SegmentId
declare const contacts: ReadonlyArray<Contact>

describe("ids", () => {
  test("do not mix with each other or with plain strings", () => {
    expect<ContactId>().type.not.toBeAssignableFrom<TopicId>()
    expect<TopicId>().type.not.toBeAssignableFrom<ContactId>()
    expect<SegmentId>().type.not.toBeAssignableFrom<string>()
    expect<string>().type.toBeAssignableFrom<ContactId>()
    expect(ContactId.make("x")).type.toBe<ContactId>()
  })
})

describe("a request for a page", () => {
  test("has at most one cursor, of the right kind", () => {
    expect<PageRequest.PageRequest<ContactId>>().type.toBeAssignableFrom({})
    expect<PageRequest.PageRequest<ContactId>>().type.toBeAssignableFrom({ limit: 1, after: contactId })
    expect<PageRequest.PageRequest<ContactId>>().type.toBeAssignableFrom({ before: contactId })
    expect<PageRequest.PageRequest<ContactId>>().type.not.toBeAssignableFrom({ after: contactId, before: contactId })
    expect<PageRequest.PageRequest<ContactId>>().type.not.toBeAssignableFrom({ after: topicId })
    expect<PageRequest.PageRequest<ContactId>>().type.not.toBeAssignableFrom({ before: segmentId })
    expect<PageRequest.PageRequest<ContactId>>().type.not.toBeAssignableFrom({ limit: "1" })
  })
})

describe("a position", () => {
  test("keeps the type of its id", () => {
    expect(Position.after(contactId)).type.toBeAssignableTo<Position.Position<ContactId>>()
    expect(Position.after(topicId)).type.not.toBeAssignableTo<Position.Position<ContactId>>()
    expect(Position.start).type.toBeAssignableTo<Position.Position<ContactId>>()
    expect(Position.end).type.toBeAssignableTo<Position.Position<TopicId>>()
  })
})

describe("items", () => {
  test("of a list that the specification shows in full have all their fields", () => {
    expect<Contact>().type.toBe<{
      readonly id: ContactId
      readonly email: string
      readonly first_name: string | null
      readonly last_name: string | null
      readonly created_at: Timestamp.Timestamp
      readonly unsubscribed: boolean
    }>()
  })

  test("of a list that it does not show only guarantee their id", () => {
    expect<Domain["name"]>().type.toBe<string | null | undefined>()
    expect<undefined>().type.not.toBeAssignableTo<Domain["id"]>()
  })

  test("offer the known values of an open enumeration, and accept any other", () => {
    expect<Domain["status"]>().type.toBeAssignableFrom<"verified">()
    expect<Domain["status"]>().type.toBeAssignableFrom<string>()
  })
})

describe("errors", () => {
  test("are listed by name", () => {
    expect<RequestError>().type.toBe<ApiError | TransportError | UnexpectedResponse>()
    expect<ApiError["_tag"]>().type.toBe<
      | "validation_error"
      | "missing_api_key"
      | "invalid_api_key"
      | "restricted_api_key"
      | "suspended_api_key"
      | "invalid_permission"
      | "not_found"
      | "method_not_allowed"
      | "resource_locked"
      | "invalid_parameter"
      | "missing_required_field"
      | "missing_required_parameter"
      | "invalid_idempotency_key"
      | "invalid_idempotent_request"
      | "concurrent_idempotent_requests"
      | "invalid_attachment"
      | "email_above_quota"
      | "rate_limit_exceeded"
      | "daily_quota_exceeded"
      | "monthly_quota_exceeded"
      | "application_error"
      | "internal_server_error"
      | "service_unavailable"
      | "api_error"
    >()
  })
})

describe("an email to send", () => {
  const email = { from: "a@example.com", to: "b@example.com", subject: "Hello" }
  const template = { id: "welcome" }

  test("has HTML, text or both, or a template", () => {
    expect<SendEmail>().type.toBeAssignableFrom({ ...email, html: "" })
    expect<SendEmail>().type.toBeAssignableFrom({ ...email, text: "" })
    expect<SendEmail>().type.toBeAssignableFrom({ ...email, html: "", text: "" })
    expect<SendEmail>().type.toBeAssignableFrom({ to: email.to, template })
    expect<SendEmail>().type.toBeAssignableFrom({ ...email, template })
    expect<SendEmail>().type.not.toBeAssignableFrom(email)
    expect<SendEmail>().type.not.toBeAssignableFrom({ ...email, text: "", template })
    expect<SendEmail>().type.not.toBeAssignableFrom({ to: email.to, text: "" })
    expect<BatchEmail>().type.not.toBeAssignableFrom(email)
  })
})

describe("combinators", () => {
  test("take their data first or last", () => {
    const request = { limit: 2, after: contactId }
    type Paged = Either.Either<Page.Page<Contact>, NotFound>
    expect(Page.fromItems(contacts, request)).type.toBe<Paged>()
    expect(pipe(contacts, Page.fromItems(request))).type.toBe<Paged>()
    expect(pipe(contacts, Page.fromItems({ limit: 2 }))).type.toBe<Paged>()
    expect(Page.fromItems).type.not.toBeCallableWith(contacts, { after: topicId })

    const position: Position.Open<ContactId> = Position.after(contactId)
    expect(Position.toRequest(position, 2)).type.toBe<PageRequest.PageRequest<ContactId>>()
    expect(pipe(position, Position.toRequest(2))).type.toBe<PageRequest.PageRequest<ContactId>>()
    expect(Position.toRequest).type.not.toBeCallableWith(Position.end, 2)
  })
})

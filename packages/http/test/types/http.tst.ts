import type { HttpClient } from "@effect/platform"
import type {
  Contact,
  ContactId,
  CreatedTopic,
  Page,
  ReceivedEmailAttachment,
  ReceivedEmailId,
  RequestError,
  SegmentId,
  Topic,
  TopicId
} from "@mailstream/core"
import type { ReceivedEmailAttachments, Topics } from "@mailstream/http"
import { ApiClient, Contacts, Mailstream } from "@mailstream/http"
import type { ConfigError, Effect, Layer } from "effect"
import { Redacted } from "effect"
import { describe, expect, test } from "tstyche"

declare const contacts: typeof Contacts.Service
declare const attachments: typeof ReceivedEmailAttachments.Service
declare const topics: typeof Topics.Service
declare const contactId: ContactId
declare const topicId: TopicId
declare const segmentId: SegmentId
declare const emailId: ReceivedEmailId

describe("list", () => {
  test("names exactly what can come of it", () => {
    expect(contacts.list()).type.toBe<Effect.Effect<Page.Page<Contact>, RequestError>>()
    expect(topics.list()).type.toBe<Effect.Effect<Page.Page<Topic>, RequestError>>()
    expect(attachments.list({ email_id: emailId })).type.toBe<
      Effect.Effect<Page.Page<ReceivedEmailAttachment>, RequestError>
    >()
  })

  test("takes one cursor at the most, of its own kind", () => {
    expect(contacts.list({ limit: 5, after: contactId, segment_id: segmentId })).type.toBe<
      Effect.Effect<Page.Page<Contact>, RequestError>
    >()
    expect(contacts.list).type.not.toBeCallableWith({ after: contactId, before: contactId })
    expect(contacts.list).type.not.toBeCallableWith({ after: topicId })
    expect(topics.list).type.not.toBeCallableWith({ after: contactId })
  })

  test("takes its own filter, and requires it where the API does", () => {
    expect(contacts.list).type.not.toBeCallableWith({ segment_id: emailId })
    expect(attachments.list).type.not.toBeCallableWith()
    expect(attachments.list).type.not.toBeCallableWith({ limit: 5 })
    expect(attachments.list).type.not.toBeCallableWith({ email_id: segmentId })
    expect(topics.list).type.not.toBeCallableWith({ segment_id: segmentId })
  })
})

describe("create", () => {
  test("names exactly what can come of it", () => {
    expect(topics.create({ name: "News" })).type.toBe<Effect.Effect<CreatedTopic, RequestError>>()
    expect(topics.create).type.not.toBeCallableWith({})
    expect(topics.create).type.not.toBeCallableWith({ name: "News", default_subscription: "maybe" })
  })
})

describe("layers", () => {
  const options = { baseUrl: "", apiKey: Redacted.make("") }

  test("need an HttpClient and nothing else", () => {
    expect(ApiClient.layer(options)).type.toBe<
      Layer.Layer<ApiClient, ConfigError.ConfigError, HttpClient.HttpClient>
    >()
    expect(Mailstream.layerConfig()).type.toBe<
      Layer.Layer<Mailstream.Mailstream | ApiClient, ConfigError.ConfigError, HttpClient.HttpClient>
    >()
    expect(Contacts.layer).type.toBe<Layer.Layer<Contacts, never, ApiClient>>()
    expect(Contacts.layerTest([])).type.toBe<Layer.Layer<Contacts>>()
    expect(Mailstream.layerTest()).type.toBe<Layer.Layer<Mailstream.Mailstream>>()
  })

  test("take a key that does not show itself", () => {
    expect(ApiClient.layer).type.not.toBeCallableWith({ baseUrl: "", apiKey: "re_123" })
    expect(ApiClient.layer).type.not.toBeCallableWith({ apiKey: Redacted.make("") })
  })
})

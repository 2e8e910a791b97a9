import type { HttpClient } from "@effect/platform"
import type {
  Contact,
  ContactId,
  InvalidOption,
  Page,
  ReceivedEmailAttachment,
  ReceivedEmailId,
  RequestError,
  SegmentId,
  Topic,
  TopicId,
  TopicOperations
} from "@mailstream/core"
import type { ReceivedEmailAttachments, Topics, Transport } from "@mailstream/http"
import { ApiClient, type ApiClientOptions, Contacts, Mailstream, RetryPolicy } from "@mailstream/http"
import * as FetchTransport from "@mailstream/http/FetchTransport"
import * as HttpClientTransport from "@mailstream/http/HttpClientTransport"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import type { ConfigError, Layer } from "effect"
import { Context, Effect, Redacted, Schedule } from "effect"
import { describe, expect, test } from "tstyche"

declare const contacts: typeof Contacts.Service
declare const attachments: typeof ReceivedEmailAttachments.Service
declare const topics: typeof Topics.Service
declare const contactId: ContactId
declare const topicId: TopicId
declare const segmentId: SegmentId
declare const emailId: ReceivedEmailId

// `toBeCallableWith` cannot be used here: it treats the warning about a floating effect as an error.
type Argument<F extends (...args: ReadonlyArray<never>) => unknown> = Exclude<Parameters<F>[0], undefined>

describe("list", () => {
  test("has the exact result and error types", () => {
    expect(contacts.list()).type.toBe<Effect.Effect<Page.Page<Contact>, RequestError>>()
    expect(topics.list()).type.toBe<Effect.Effect<Page.Page<Topic>, RequestError>>()
    expect(attachments.list({ filter: { email_id: emailId } })).type.toBe<
      Effect.Effect<Page.Page<ReceivedEmailAttachment>, RequestError>
    >()
  })

  test("accepts at most one cursor, of its own kind", () => {
    expect<Argument<typeof contacts.list>>().type.toBeAssignableFrom({
      limit: 5,
      after: contactId,
      filter: { segment_id: segmentId }
    })
    expect<Argument<typeof contacts.list>>().type.not.toBeAssignableFrom({ after: contactId, before: contactId })
    expect<Argument<typeof contacts.list>>().type.not.toBeAssignableFrom({ after: topicId })
    expect<Argument<typeof topics.list>>().type.not.toBeAssignableFrom({ after: contactId })
  })

  test("accepts its own filter, and requires it where the API does", () => {
    expect<Argument<typeof contacts.list>>().type.not.toBeAssignableFrom({ filter: { segment_id: emailId } })
    expect<Parameters<typeof contacts.list>>().type.toBeAssignableFrom<[]>()
    expect<Parameters<typeof attachments.list>>().type.not.toBeAssignableFrom<[]>()
    expect<Argument<typeof attachments.list>>().type.toBeAssignableFrom({ filter: { email_id: emailId } })
    expect<Argument<typeof attachments.list>>().type.not.toBeAssignableFrom({ limit: 5 })
    expect<Argument<typeof attachments.list>>().type.not.toBeAssignableFrom({ filter: { email_id: segmentId } })
  })
})

describe("compile errors", () => {
  test("say that two cursors cannot be combined", () => {
    // @ts-expect-error is not assignable to type 'Conflict<"pass either `after` or `before`, not both">
    void contacts.list({ after: contactId, before: contactId })
  })

  test("name the brands of both ids", () => {
    // @ts-expect-error Type 'string & Brand<"TopicId">' is not assignable to type '(string & Brand<"ContactId">)
    void contacts.list({ after: topicId })
    // @ts-expect-error Type 'string' is not assignable to type 'string & Brand<"ContactId">'
    void contacts.list({ after: "e169aa45" })
    // @ts-expect-error Type 'string & Brand<"ReceivedEmailId">' is not assignable to type 'string & Brand<"SegmentId">'
    void contacts.list({ filter: { segment_id: emailId } })
  })

  test("name a missing filter, and one that the list does not have", () => {
    // @ts-expect-error Property 'filter' is missing in type
    void attachments.list({ limit: 5 })
    // @ts-expect-error Expected 1 arguments, but got 0
    void attachments.list()
    // @ts-expect-error required in type 'Conflict<"this list has no filter">
    void topics.list({ filter: {} })
  })

  test("say where a misplaced filter belongs, even in a spread", () => {
    const filter = { segment_id: segmentId }
    // @ts-expect-error is not assignable to type 'Conflict<"pass it as `filter: { segment_id }`">
    void contacts.list({ segment_id: segmentId })
    // @ts-expect-error is not assignable to type 'Conflict<"pass it as `filter: { segment_id }`">
    void contacts.list({ ...filter, limit: 5 })
  })

  test("list the tags that can be caught", () => {
    // @ts-expect-error '"validation_eror"' is not assignable to parameter of type '"validation_error" |
    void Effect.catchTag(contacts.list(), "validation_eror", () => Effect.void)
  })
})

describe("create", () => {
  test("has the exact result and error types", () => {
    expect(topics.create({ name: "News" })).type.toBe<
      Effect.Effect<typeof TopicOperations.ChangedTopic.Type, RequestError>
    >()
    expect<Argument<typeof topics.create>>().type.toBeAssignableFrom({ name: "News", description: undefined })
    expect<Argument<typeof topics.create>>().type.not.toBeAssignableFrom({})
    expect<Argument<typeof topics.create>>().type.not.toBeAssignableFrom({ name: "News", visibility: "maybe" as const })
  })
})

describe("layers", () => {
  const options = { baseUrl: "", apiKey: Redacted.make("") }

  test("need a Transport and nothing else", () => {
    expect(ApiClient.layer(options)).type.toBe<
      Layer.Layer<ApiClient, InvalidOption, Transport.Transport>
    >()
    expect(Mailstream.layerConfig()).type.toBe<
      Layer.Layer<Mailstream.Mailstream | ApiClient, ConfigError.ConfigError | InvalidOption, Transport.Transport>
    >()
    expect(Contacts.layer).type.toBe<Layer.Layer<Contacts, never, ApiClient>>()
    expect(Contacts.layerTest([])).type.toBe<Layer.Layer<Contacts>>()
    expect(Mailstream.layerTest()).type.toBe<Layer.Layer<Mailstream.Mailstream>>()
  })

  test("a Transport needs an HttpClient, or nothing", () => {
    expect(HttpClientTransport.layer).type.toBe<Layer.Layer<Transport.Transport, never, HttpClient.HttpClient>>()
    expect(FetchTransport.layer).type.toBe<Layer.Layer<Transport.Transport>>()
    expect(UndiciTransport.layer).type.toBe<Layer.Layer<Transport.Transport, InvalidOption>>()
    expect(UndiciTransport.layerWithoutDispatcher).type.toBe<
      Layer.Layer<Transport.Transport, InvalidOption, UndiciTransport.Dispatcher>
    >()
  })

  test("take a redacted key", () => {
    expect<ApiClientOptions>().type.toBeAssignableFrom(options)
    expect<ApiClientOptions>().type.not.toBeAssignableFrom({ baseUrl: "", apiKey: "re_123" })
    expect<ApiClientOptions>().type.not.toBeAssignableFrom({ apiKey: Redacted.make("") })
  })
})

describe("a retry policy", () => {
  test("is any schedule over errors of requests, and takes retry-after data-first or data-last", () => {
    const steady = Schedule.spaced("1 second")
    expect(RetryPolicy.withRetryAfter(steady, "5 seconds")).type.toBe<RetryPolicy.RetryPolicy>()
    expect(steady.pipe(RetryPolicy.withRetryAfter("5 seconds"))).type.toBe<RetryPolicy.RetryPolicy>()
    expect(RetryPolicy.withRetryAfter).type.not.toBeCallableWith(Schedule.identity<number>(), "5 seconds")
  })
})

describe("Mailstream", () => {
  test("names its services, so that providing them provides nothing else", () => {
    class Other extends Context.Tag("Other")<Other, string>() {}
    const layer = Mailstream.layer({ baseUrl: "http://localhost", apiKey: Redacted.make("key") })
    const program = Effect.zipRight(Contacts, Other)
    expect(program.pipe(Effect.provide(layer))).type.toBe<
      Effect.Effect<string, InvalidOption, Transport.Transport | Other>
    >()
    expect<Contacts | Topics>().type.toBeAssignableTo<Mailstream.Mailstream>()
    expect<Other>().type.not.toBeAssignableTo<Mailstream.Mailstream>()
  })
})

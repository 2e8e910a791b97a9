/**
 * What a webhook reports: the events of emails, contacts, domains and the like.
 *
 * Event types are an open set, and what an event carries may change. A type that is not known here, and a known type whose
 * data are not as expected, are events too: `Other`, with everything as it was sent.
 *
 * Translated from core by `npm run generate`.
 *
 * @since 1.0.0
 */
import type * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { ContactId } from "./Contact.ts"
import { DomainId } from "./Domain.ts"
import { EmailId } from "./Email.ts"
import { anything, attached, maybe, open } from "./internal/fields.ts"
import { ReceivedEmailId } from "./ReceivedEmail.ts"
import { SegmentId } from "./Segment.ts"
import { Suppression } from "./Suppression.ts"
import { Timestamp } from "./Timestamp.ts"
import { Topic, TopicId } from "./Topic.ts"
import * as Wire from "./Wire.ts"

const texts = maybe(Schema.Array(Schema.String))

const message = {
  created_at: maybe(Timestamp),
  from: maybe(Schema.String),
  to: texts,
  subject: maybe(Schema.String),
  message_id: maybe(Schema.String)
}

const email = {
  email_id: EmailId,
  ...message,
  broadcast_id: maybe(Schema.String),
  template_id: maybe(Schema.String),
  tags: maybe(Schema.Record(Schema.String, Schema.String))
}

/** What an event is about, with a name for the reference and for plain types. */
const data = <Fields extends Schema.Struct.Fields>(identifier: string, fields: Fields): Schema.Struct<Fields> =>
  Schema.Struct(fields).annotate({ identifier })

const Sent = data("EmailEventData", email)

const Bounced = data("BouncedEmailEventData", {
  ...email,
  bounce: Schema.Struct({
    message: maybe(Schema.String),
    type: maybe(open("Permanent", "Transient", "Undetermined")),
    subType: maybe(Schema.String)
  })
})

const Clicked = data("ClickedEmailEventData", {
  ...email,
  click: Schema.Struct({
    link: Schema.String,
    timestamp: maybe(Timestamp),
    ipAddress: maybe(Schema.String),
    userAgent: maybe(Schema.String)
  })
})

const Failed = data("FailedEmailEventData", { ...email, failed: Schema.Struct({ reason: maybe(Schema.String) }) })

const Suppressed = data("SuppressedEmailEventData", {
  ...email,
  suppressed: Schema.Struct({ message: maybe(Schema.String), type: maybe(Schema.String) })
})

const Received = data("ReceivedEmailEventData", {
  email_id: ReceivedEmailId,
  ...message,
  cc: texts,
  bcc: texts,
  received_for: texts,
  attachments: maybe(Schema.Array(Schema.Struct({
    id: Schema.String,
    filename: maybe(Schema.String),
    content_type: maybe(Schema.String),
    content_disposition: maybe(Schema.String),
    content_id: maybe(Schema.String)
  })))
})

const Contact = data("ContactEventData", {
  id: ContactId,
  email: maybe(Schema.String),
  first_name: maybe(Schema.String),
  last_name: maybe(Schema.String),
  unsubscribed: maybe(Schema.Boolean),
  audience_id: maybe(Schema.String),
  segment_ids: maybe(Schema.Array(SegmentId)),
  created_at: maybe(Timestamp),
  updated_at: maybe(Timestamp)
})

const ContactTopics = data("ContactTopicsEventData", {
  email: Schema.String,
  topics: Schema.Array(Schema.Struct({ id: TopicId, subscription: maybe(open("opt_in", "opt_out")) }))
})

const Domain = data("DomainEventData", {
  id: DomainId,
  name: maybe(Schema.String),
  status: maybe(Schema.String),
  region: maybe(Schema.String),
  created_at: maybe(Timestamp),
  records: maybe(Schema.Array(anything))
})

const ChangedSuppression = data("SuppressionEventData", Suppression.fields)

const ChangedTopic = data("TopicEventData", {
  ...Topic.fields,
  deleted: maybe(Schema.Boolean),
  updated_at: maybe(Timestamp)
})

const event = <const Type extends string, A, I>(type: Type, data: Schema.Codec<A, I>) =>
  Schema.Struct({ type: Schema.Literal(type), created_at: Timestamp, data }).pipe(
    attached("_tag", type)
  )

/**
 * An event whose type is not known here, or whose data are not what its type promises.
 *
 * @since 1.0.0
 * @category models
 */
export interface OtherWebhookEvent {
  readonly _tag: "Other"
  readonly type: string
  /** As it was sent: not even a timestamp is promised. */
  readonly created_at?: unknown
  /** As it was sent. */
  readonly data?: unknown
}

const Other = Schema.Struct({
  type: Schema.String,
  created_at: Schema.optionalKey(Schema.Unknown),
  data: Schema.optionalKey(Schema.Unknown)
}).pipe(attached("_tag", "Other"))

const Known = Schema.Union([
  event("email.sent", Sent),
  event("email.scheduled", Sent),
  event("email.delivered", Sent),
  event("email.delivery_delayed", Sent),
  event("email.complained", Sent),
  event("email.opened", Sent),
  event("email.bounced", Bounced),
  event("email.clicked", Clicked),
  event("email.failed", Failed),
  event("email.suppressed", Suppressed),
  event("email.received", Received),
  event("contact.created", Contact),
  event("contact.updated", Contact),
  event("contact.deleted", Contact),
  event("contact.topics.updated", ContactTopics),
  event("domain.created", Domain),
  event("domain.updated", Domain),
  event("domain.deleted", Domain),
  event("suppression.added", ChangedSuppression),
  event("suppression.removed", ChangedSuppression),
  event("topic.created", ChangedTopic),
  event("topic.updated", ChangedTopic),
  event("topic.deleted", ChangedTopic)
])

/**
 * An event of a known type. Its `_tag` is its `type`.
 *
 * @since 1.0.0
 * @category models
 */
export type KnownWebhookEvent = typeof Known.Type

/**
 * An event, as a webhook sends it. The `_tag` of an event of a known type is that type, and `Other` for all others.
 *
 * @since 1.0.0
 * @category models
 */
export type WebhookEvent = KnownWebhookEvent | OtherWebhookEvent

/**
 * The event of one type.
 *
 * @since 1.0.0
 * @category models
 * @example
 * ```ts
 * import type { WebhookEventOf } from "@mailstream/effect4"
 *
 * const reason = (event: WebhookEventOf<"email.bounced">) => event.data.bounce.message
 * ```
 */
export type WebhookEventOf<Tag extends WebhookEvent["_tag"]> = Extract<WebhookEvent, { readonly _tag: Tag }>

/**
 * An event, as a webhook sends it.
 *
 * @since 1.0.0
 * @category schemas
 */
export const WebhookEvent: Schema.Codec<WebhookEvent, WebhookEventEncoded> = Schema.Union([Known, Other]).annotate({
  identifier: "WebhookEvent"
})

/**
 * What a webhook sends.
 *
 * @since 1.0.0
 * @category models
 */
export type WebhookEventEncoded = typeof Known.Encoded | Omit<OtherWebhookEvent, "_tag">

/**
 * Decodes the body of a webhook's request, and keeps fields that are not known here. Fails only if it is not an object with
 * a `type`.
 *
 * @since 1.0.0
 * @category combinators
 * @example
 * ```ts
 * import { decodeWebhookEvent } from "@mailstream/effect4"
 *
 * decodeWebhookEvent({ type: "email.polished", data: 1 }) // success({ _tag: "Other", type: "email.polished", data: 1 })
 * ```
 */
export const decodeWebhookEvent = (value: unknown): Result.Result<WebhookEvent, Schema.SchemaError> =>
  Wire.decode(WebhookEvent)(value)

/**
 * The operations of each service as methods, with the names of their parameters. All of them check their arguments before any
 * request, and repeat it as `ObjectService.Method` describes.
 *
 * Generated from the table of lists by `npm run generate`.
 *
 * @since 1.0.0
 */
import type * as Effect from "effect/Effect"
import type {
  ChangedApiKey,
  CreateApiKey,
  CreatedApiKey,
  RemovedApiKey,
  UpdateApiKey
} from "../core/ApiKeyOperations.ts"
import type {
  BroadcastDetails,
  ChangedBroadcast,
  CreateBroadcast,
  RemovedBroadcast,
  SendBroadcast,
  UpdateBroadcast
} from "../core/BroadcastOperations.ts"
import type {
  ChangedContact,
  ChangedMembership,
  ContactDetails,
  CreateContact,
  RemovedContact,
  UpdateContact,
  UpdateTopics
} from "../core/ContactOperations.ts"
import type {
  ChangedContactProperty,
  CreateContactProperty,
  RemovedContactProperty,
  UpdateContactProperty
} from "../core/ContactPropertyOperations.ts"
import type {
  ChangedDomain,
  CreateDomain,
  DomainDetails,
  RemovedDomain,
  UpdateDomain
} from "../core/DomainOperations.ts"
import type { ChangedEmail, EmailDetails, RescheduleEmail } from "../core/EmailOperations.ts"
import type {
  ApiKeyId,
  BroadcastId,
  ContactProperty,
  ContactPropertyId,
  ContactRef,
  DomainId,
  EmailAttachment,
  EmailAttachmentId,
  EmailId,
  ReceivedEmailAttachment,
  ReceivedEmailAttachmentId,
  ReceivedEmailId,
  RequestError,
  Segment,
  SegmentId,
  SendBatch,
  SendEmail,
  SentBatch,
  SentEmail,
  Suppression,
  Topic,
  TopicId,
  WebhookId
} from "../core/index.ts"
import type { ReceivedEmailDetails } from "../core/ReceivedEmailOperations.ts"
import type { ChangedSegment, CreateSegment, RemovedSegment } from "../core/SegmentOperations.ts"
import type {
  ChangedSuppression,
  ChangedSuppressions,
  CreateSuppression,
  CreateSuppressions,
  RemovedSuppression,
  RemovedSuppressions,
  RemoveSuppressions,
  SuppressionRef
} from "../core/SuppressionOperations.ts"
import type {
  ChangedTemplate,
  CreateTemplate,
  RemovedTemplate,
  TemplateDetails,
  TemplateRef,
  UpdateTemplate
} from "../core/TemplateOperations.ts"
import type { ChangedTopic, CreateTopic, RemovedTopic, UpdateTopic } from "../core/TopicOperations.ts"
import type {
  ChangedWebhook,
  CreateWebhook,
  RemovedWebhook,
  SignedWebhook,
  UpdateWebhook,
  WebhookDetails
} from "../core/WebhookOperations.ts"
import type { Options } from "./ObjectService.ts"

/**
 * The operations of `Domains`.
 *
 * @since 1.0.0
 * @category models
 */
export interface Domains {
  /** Retrieves a domain, with the DNS records that it needs. */
  readonly get: (domain_id: DomainId, options?: Options) => Effect.Effect<DomainDetails, RequestError>
  /**
   * Creates a domain. Its DNS records are in the response. Repeated only if the first attempt was certainly not
   * processed.
   */
  readonly create: (input: CreateDomain, options?: Options) => Effect.Effect<DomainDetails, RequestError>
  /** Changes a domain. */
  readonly update: (
    domain_id: DomainId,
    input: UpdateDomain,
    options?: Options
  ) => Effect.Effect<ChangedDomain, RequestError>
  /** Removes a domain. */
  readonly remove: (domain_id: DomainId, options?: Options) => Effect.Effect<RemovedDomain, RequestError>
  /** Begins to verify a domain: its status tells what becomes of it. */
  readonly verify: (domain_id: DomainId, options?: Options) => Effect.Effect<ChangedDomain, RequestError>
}

/**
 * The operations of `ApiKeys`.
 *
 * @since 1.0.0
 * @category models
 */
export interface ApiKeys {
  /**
   * Creates an API key. Its secret is shown only in this response. Repeated only if the first attempt was certainly not
   * processed.
   */
  readonly create: (input: CreateApiKey, options?: Options) => Effect.Effect<CreatedApiKey, RequestError>
  /** Renames an API key. */
  readonly update: (
    api_key_id: ApiKeyId,
    input: UpdateApiKey,
    options?: Options
  ) => Effect.Effect<ChangedApiKey, RequestError>
  /** Removes an API key. It stops working at once. */
  readonly remove: (api_key_id: ApiKeyId, options?: Options) => Effect.Effect<RemovedApiKey, RequestError>
}

/**
 * The operations of `Broadcasts`.
 *
 * @since 1.0.0
 * @category models
 */
export interface Broadcasts {
  /** Retrieves a broadcast, with its content. */
  readonly get: (broadcast_id: BroadcastId, options?: Options) => Effect.Effect<BroadcastDetails, RequestError>
  /**
   * Creates a broadcast: a draft, unless `send` is true. Repeated only if the first attempt was certainly not
   * processed.
   */
  readonly create: (input: CreateBroadcast, options?: Options) => Effect.Effect<ChangedBroadcast, RequestError>
  /** Changes a broadcast that is a draft. */
  readonly update: (
    broadcast_id: BroadcastId,
    input: UpdateBroadcast,
    options?: Options
  ) => Effect.Effect<ChangedBroadcast, RequestError>
  /** Removes a broadcast that has not been sent. */
  readonly remove: (broadcast_id: BroadcastId, options?: Options) => Effect.Effect<RemovedBroadcast, RequestError>
  /** Sends a broadcast to its segment, now or later. */
  readonly send: (
    broadcast_id: BroadcastId,
    input?: SendBroadcast | undefined,
    options?: Options
  ) => Effect.Effect<ChangedBroadcast, RequestError>
  /** Stops a broadcast that is queued; one that is scheduled becomes a draft. */
  readonly cancel: (broadcast_id: BroadcastId, options?: Options) => Effect.Effect<ChangedBroadcast, RequestError>
  /** Copies a broadcast into a new draft. Repeated only if the first attempt was certainly not processed. */
  readonly duplicate: (broadcast_id: BroadcastId, options?: Options) => Effect.Effect<ChangedBroadcast, RequestError>
}

/**
 * The operations of `Segments`.
 *
 * @since 1.0.0
 * @category models
 */
export interface Segments {
  /** Retrieves a segment. */
  readonly get: (segment_id: SegmentId, options?: Options) => Effect.Effect<Segment, RequestError>
  /** Creates a segment. Repeated only if the first attempt was certainly not processed. */
  readonly create: (input: CreateSegment, options?: Options) => Effect.Effect<ChangedSegment, RequestError>
  /** Renames a segment. */
  readonly update: (
    segment_id: SegmentId,
    input: CreateSegment,
    options?: Options
  ) => Effect.Effect<ChangedSegment, RequestError>
  /** Removes a segment. Its contacts stay. One that does not exist is reported as deleted, too. */
  readonly remove: (segment_id: SegmentId, options?: Options) => Effect.Effect<RemovedSegment, RequestError>
}

/**
 * The operations of `Contacts`.
 *
 * @since 1.0.0
 * @category models
 */
export interface Contacts {
  /** Retrieves a contact, with its properties. */
  readonly get: (contact: ContactRef, options?: Options) => Effect.Effect<ContactDetails, RequestError>
  /** Creates a contact. If the address exists, that contact is returned, unchanged. */
  readonly create: (input: CreateContact, options?: Options) => Effect.Effect<ChangedContact, RequestError>
  /** Changes a contact. */
  readonly update: (
    contact: ContactRef,
    input: UpdateContact,
    options?: Options
  ) => Effect.Effect<ChangedContact, RequestError>
  /** Removes a contact, from all segments as well. One that does not exist is reported as deleted, too. */
  readonly remove: (contact: ContactRef, options?: Options) => Effect.Effect<RemovedContact, RequestError>
  /** Adds a contact to a segment. */
  readonly join: (
    contact: ContactRef,
    segment_id: SegmentId,
    options?: Options
  ) => Effect.Effect<ChangedMembership, RequestError>
  /** Removes a contact from a segment. The contact stays. */
  readonly leave: (
    contact: ContactRef,
    segment_id: SegmentId,
    options?: Options
  ) => Effect.Effect<ChangedMembership, RequestError>
  /** Changes which topics a contact is subscribed to; topics that are not named stay as they are. */
  readonly updateTopics: (
    contact_id: ContactRef,
    input: UpdateTopics,
    options?: Options
  ) => Effect.Effect<ChangedMembership, RequestError>
}

/**
 * The operations of `ReceivedEmails`.
 *
 * @since 1.0.0
 * @category models
 */
export interface ReceivedEmails {
  /** Retrieves a received email, with its content. */
  readonly get: (email_id: ReceivedEmailId, options?: Options) => Effect.Effect<ReceivedEmailDetails, RequestError>
}

/**
 * The operations of `ReceivedEmailAttachments`.
 *
 * @since 1.0.0
 * @category models
 */
export interface ReceivedEmailAttachments {
  /** Retrieves an attachment of a received email: where it can be downloaded. */
  readonly get: (
    email_id: ReceivedEmailId,
    attachment_id: ReceivedEmailAttachmentId,
    options?: Options
  ) => Effect.Effect<ReceivedEmailAttachment, RequestError>
}

/**
 * The operations of `Emails`.
 *
 * @since 1.0.0
 * @category models
 */
export interface Emails {
  /** Sends an email, now or later. A lost response is harmless: repetitions have the same idempotency key. */
  readonly send: (input: SendEmail, options?: SendOptions) => Effect.Effect<SentEmail, RequestError>
  /** Sends up to 100 emails with one request, and tells for each whether it was accepted. */
  readonly sendBatch: (input: SendBatch, options?: SendBatchOptions) => Effect.Effect<SentBatch, RequestError>
  /** Retrieves an email, with its content and what became of it. */
  readonly get: (email_id: EmailId, options?: Options) => Effect.Effect<EmailDetails, RequestError>
  /** Changes when a scheduled email is sent. */
  readonly reschedule: (
    email_id: EmailId,
    input: RescheduleEmail,
    options?: Options
  ) => Effect.Effect<ChangedEmail, RequestError>
  /** Cancels a scheduled email. */
  readonly cancel: (email_id: EmailId, options?: Options) => Effect.Effect<ChangedEmail, RequestError>
}

/**
 * The options of `emails.send`.
 *
 * @since 1.0.0
 * @category models
 */
export interface SendOptions extends Options {
  /** Sends with the same key and the same content are one, for 24 hours. Default: a new one for each send. */
  readonly idempotencyKey?: string | undefined
}

/**
 * The options of `emails.sendBatch`.
 *
 * @since 1.0.0
 * @category models
 */
export interface SendBatchOptions extends Options {
  /** Sends with the same key and the same content are one, for 24 hours. Default: a new one for each send. */
  readonly idempotencyKey?: string | undefined
  /**
   * If the service rejects an email of the batch: send none of them (`strict`, the default), or send the others
   * (`permissive`).
   */
  readonly validation?: "strict" | "permissive" | undefined
}

/**
 * The operations of `Templates`.
 *
 * @since 1.0.0
 * @category models
 */
export interface Templates {
  /** Retrieves a template, with its content. */
  readonly get: (template: TemplateRef, options?: Options) => Effect.Effect<TemplateDetails, RequestError>
  /** Creates a template, as a draft. Repeated only if the first attempt was certainly not processed. */
  readonly create: (input: CreateTemplate, options?: Options) => Effect.Effect<ChangedTemplate, RequestError>
  /** Changes the draft of a template; what is published stays. */
  readonly update: (
    template: TemplateRef,
    input: UpdateTemplate,
    options?: Options
  ) => Effect.Effect<ChangedTemplate, RequestError>
  /** Removes a template. */
  readonly remove: (template: TemplateRef, options?: Options) => Effect.Effect<RemovedTemplate, RequestError>
  /** Publishes the draft of a template: from then on it is sent. */
  readonly publish: (template: TemplateRef, options?: Options) => Effect.Effect<ChangedTemplate, RequestError>
  /** Copies a template into a new draft. Repeated only if the first attempt was certainly not processed. */
  readonly duplicate: (template: TemplateRef, options?: Options) => Effect.Effect<ChangedTemplate, RequestError>
}

/**
 * The operations of `Topics`.
 *
 * @since 1.0.0
 * @category models
 */
export interface Topics {
  /** Retrieves a topic. */
  readonly get: (topic_id: TopicId, options?: Options) => Effect.Effect<Topic, RequestError>
  /** Creates a topic that contacts can subscribe to. Repeated only if the first attempt was certainly not processed. */
  readonly create: (input: CreateTopic, options?: Options) => Effect.Effect<ChangedTopic, RequestError>
  /** Changes a topic. */
  readonly update: (
    topic_id: TopicId,
    input: UpdateTopic,
    options?: Options
  ) => Effect.Effect<ChangedTopic, RequestError>
  /** Removes a topic. */
  readonly remove: (topic_id: TopicId, options?: Options) => Effect.Effect<RemovedTopic, RequestError>
}

/**
 * The operations of `EmailAttachments`.
 *
 * @since 1.0.0
 * @category models
 */
export interface EmailAttachments {
  /** Retrieves an attachment of a sent email: where it can be downloaded. */
  readonly get: (
    email_id: EmailId,
    attachment_id: EmailAttachmentId,
    options?: Options
  ) => Effect.Effect<EmailAttachment, RequestError>
}

/**
 * The operations of `ContactProperties`.
 *
 * @since 1.0.0
 * @category models
 */
export interface ContactProperties {
  /** Retrieves a contact property. */
  readonly get: (
    contact_property_id: ContactPropertyId,
    options?: Options
  ) => Effect.Effect<ContactProperty, RequestError>
  /** Creates a contact property. Repeated only if the first attempt was certainly not processed. */
  readonly create: (
    input: CreateContactProperty,
    options?: Options
  ) => Effect.Effect<ChangedContactProperty, RequestError>
  /** Changes the fallback of a contact property. */
  readonly update: (
    contact_property_id: ContactPropertyId,
    input: UpdateContactProperty,
    options?: Options
  ) => Effect.Effect<ChangedContactProperty, RequestError>
  /** Removes a contact property, from all contacts. */
  readonly remove: (
    contact_property_id: ContactPropertyId,
    options?: Options
  ) => Effect.Effect<RemovedContactProperty, RequestError>
}

/**
 * The operations of `Suppressions`.
 *
 * @since 1.0.0
 * @category models
 */
export interface Suppressions {
  /** Retrieves a suppression. */
  readonly get: (suppression: SuppressionRef, options?: Options) => Effect.Effect<Suppression, RequestError>
  /** Suppresses an address: nothing is sent to it any more. */
  readonly create: (input: CreateSuppression, options?: Options) => Effect.Effect<ChangedSuppression, RequestError>
  /** Lifts a suppression. */
  readonly remove: (suppression: SuppressionRef, options?: Options) => Effect.Effect<RemovedSuppression, RequestError>
  /** Suppresses up to 100 addresses. */
  readonly createMany: (
    input: CreateSuppressions,
    options?: Options
  ) => Effect.Effect<ChangedSuppressions, RequestError>
  /** Lifts up to 100 suppressions. */
  readonly removeMany: (
    input: RemoveSuppressions,
    options?: Options
  ) => Effect.Effect<RemovedSuppressions, RequestError>
}

/**
 * The operations of `Webhooks`.
 *
 * @since 1.0.0
 * @category models
 */
export interface Webhooks {
  /** Retrieves a webhook, with its secret. */
  readonly get: (webhook_id: WebhookId, options?: Options) => Effect.Effect<WebhookDetails, RequestError>
  /**
   * Creates a webhook. Its secret is in the response. Repeated only if the first attempt was certainly not processed.
   */
  readonly create: (input: CreateWebhook, options?: Options) => Effect.Effect<SignedWebhook, RequestError>
  /** Changes a webhook. */
  readonly update: (
    webhook_id: WebhookId,
    input: UpdateWebhook,
    options?: Options
  ) => Effect.Effect<ChangedWebhook, RequestError>
  /** Removes a webhook. */
  readonly remove: (webhook_id: WebhookId, options?: Options) => Effect.Effect<RemovedWebhook, RequestError>
  /**
   * Replaces the secret of a webhook. The new one is in the response. Repeated only if the first attempt was certainly
   * not processed.
   */
  readonly rotateSecret: (webhook_id: WebhookId, options?: Options) => Effect.Effect<SignedWebhook, RequestError>
}

/**
 * The lists of the API, and the operations on one of their objects.
 *
 * Generated from the table of lists by `npm run generate`.
 *
 * @since 1.0.0
 */
import type {
  ApiKey,
  Broadcast,
  BroadcastRecipient,
  BroadcastRecipientFilter,
  Contact,
  ContactFilter,
  ContactProperty,
  ContactTopic,
  Domain,
  Email,
  EmailAttachment,
  EmailFilter,
  ReceivedEmail,
  ReceivedEmailAttachment,
  ReceivedEmailFilter,
  Segment,
  SegmentFilter,
  Suppression,
  SuppressionFilter,
  Template,
  Topic,
  Webhook
} from "./Items.ts"
import type { CallOptions, List, OptionalLimitList, UnorderedList } from "./List.ts"
import type {
  BatchEmail,
  BatchResult,
  BroadcastDetails,
  ChangedApiKey,
  ChangedBroadcast,
  ChangedContact,
  ChangedContactProperty,
  ChangedDomain,
  ChangedEmail,
  ChangedMembership,
  ChangedSegment,
  ChangedSuppression,
  ChangedSuppressions,
  ChangedTemplate,
  ChangedTopic,
  ChangedWebhook,
  ContactDetails,
  ContactRef,
  CreateApiKey,
  CreateBroadcast,
  CreateContact,
  CreateContactProperty,
  CreatedApiKey,
  CreateDomain,
  CreateSegment,
  CreateSuppression,
  CreateSuppressions,
  CreateTemplate,
  CreateTopic,
  CreateWebhook,
  DomainDetails,
  EmailDetails,
  ReceivedEmailDetails,
  RemovedApiKey,
  RemovedBroadcast,
  RemovedContact,
  RemovedContactProperty,
  RemovedDomain,
  RemovedSegment,
  RemovedSuppression,
  RemovedSuppressions,
  RemovedTemplate,
  RemovedTopic,
  RemovedWebhook,
  RemoveSuppressions,
  RescheduleEmail,
  SendBroadcast,
  SendEmail,
  SentEmail,
  SignedWebhook,
  SuppressionRef,
  TemplateDetails,
  TemplateRef,
  TopicSubscription,
  UpdateApiKey,
  UpdateBroadcast,
  UpdateContact,
  UpdateContactProperty,
  UpdateDomain,
  UpdateTemplate,
  UpdateTopic,
  UpdateWebhook,
  WebhookDetails
} from "./Objects.ts"

/**
 * Every list of the API.
 *
 * @since 1.0.0
 * @category models
 */
export interface Lists {
  /** All domains. */
  readonly domains: Domains
  /** All API keys. */
  readonly apiKeys: ApiKeys
  /** All broadcasts. */
  readonly broadcasts: Broadcasts
  /** All segments, or those of one contact. */
  readonly segments: Segments
  /** All contacts, or those of one segment. */
  readonly contacts: Contacts
  /** All received emails. */
  readonly receivedEmails: ReceivedEmails
  /** The received email attachments of one email. */
  readonly receivedEmailAttachments: ReceivedEmailAttachments
  /** All emails. */
  readonly emails: Emails
  /** All templates. */
  readonly templates: Templates
  /** All topics. */
  readonly topics: Topics
  /** The email attachments of one email. */
  readonly emailAttachments: EmailAttachments
  /** The contact topics of one contact. */
  readonly contactTopics: UnorderedList<ContactTopic, ContactFilter>
  /** All contact properties. */
  readonly contactProperties: ContactProperties
  /** The broadcast recipients of one broadcast. */
  readonly broadcastRecipients: UnorderedList<BroadcastRecipient, BroadcastRecipientFilter>
  /** All suppressions, or those of one origin. */
  readonly suppressions: Suppressions
  /** All webhooks. */
  readonly webhooks: Webhooks
}

/**
 * All domains.
 *
 * @since 1.0.0
 * @category models
 */
export interface Domains extends OptionalLimitList<Domain> {
  /** Retrieves a domain, with the DNS records that it needs. */
  readonly get: (domain_id: string, options?: CallOptions) => Promise<DomainDetails>
  /**
   * Creates a domain. Its DNS records are in the response. Repeated only if the first attempt was certainly not
   * processed.
   */
  readonly create: (input: CreateDomain, options?: CallOptions) => Promise<DomainDetails>
  /** Changes a domain. */
  readonly update: (domain_id: string, input: UpdateDomain, options?: CallOptions) => Promise<ChangedDomain>
  /** Removes a domain. */
  readonly remove: (domain_id: string, options?: CallOptions) => Promise<RemovedDomain>
  /** Begins to verify a domain: its status tells what becomes of it. */
  readonly verify: (domain_id: string, options?: CallOptions) => Promise<ChangedDomain>
}

/**
 * All API keys.
 *
 * @since 1.0.0
 * @category models
 */
export interface ApiKeys extends OptionalLimitList<ApiKey> {
  /**
   * Creates an API key. Its secret is shown only in this response. Repeated only if the first attempt was certainly not
   * processed.
   */
  readonly create: (input: CreateApiKey, options?: CallOptions) => Promise<CreatedApiKey>
  /** Renames an API key. */
  readonly update: (api_key_id: string, input: UpdateApiKey, options?: CallOptions) => Promise<ChangedApiKey>
  /** Removes an API key. It stops working at once. */
  readonly remove: (api_key_id: string, options?: CallOptions) => Promise<RemovedApiKey>
}

/**
 * All broadcasts.
 *
 * @since 1.0.0
 * @category models
 */
export interface Broadcasts extends OptionalLimitList<Broadcast> {
  /** Retrieves a broadcast, with its content. */
  readonly get: (broadcast_id: string, options?: CallOptions) => Promise<BroadcastDetails>
  /**
   * Creates a broadcast: a draft, unless `send` is true. Repeated only if the first attempt was certainly not
   * processed.
   */
  readonly create: (input: CreateBroadcast, options?: CallOptions) => Promise<ChangedBroadcast>
  /** Changes a broadcast that is a draft. */
  readonly update: (broadcast_id: string, input: UpdateBroadcast, options?: CallOptions) => Promise<ChangedBroadcast>
  /** Removes a broadcast that has not been sent. */
  readonly remove: (broadcast_id: string, options?: CallOptions) => Promise<RemovedBroadcast>
  /** Sends a broadcast to its segment, now or later. */
  readonly send: (
    broadcast_id: string,
    input?: SendBroadcast | undefined,
    options?: CallOptions
  ) => Promise<ChangedBroadcast>
  /** Stops a broadcast that is queued; one that is scheduled becomes a draft. */
  readonly cancel: (broadcast_id: string, options?: CallOptions) => Promise<ChangedBroadcast>
  /** Copies a broadcast into a new draft. Repeated only if the first attempt was certainly not processed. */
  readonly duplicate: (broadcast_id: string, options?: CallOptions) => Promise<ChangedBroadcast>
}

/**
 * All segments, or those of one contact.
 *
 * @since 1.0.0
 * @category models
 */
export interface Segments extends OptionalLimitList<Segment, ContactFilter | undefined> {
  /** Retrieves a segment. */
  readonly get: (segment_id: string, options?: CallOptions) => Promise<Segment>
  /** Creates a segment. Repeated only if the first attempt was certainly not processed. */
  readonly create: (input: CreateSegment, options?: CallOptions) => Promise<ChangedSegment>
  /** Renames a segment. */
  readonly update: (segment_id: string, input: CreateSegment, options?: CallOptions) => Promise<ChangedSegment>
  /** Removes a segment. Its contacts stay. One that does not exist is reported as deleted, too. */
  readonly remove: (segment_id: string, options?: CallOptions) => Promise<RemovedSegment>
}

/**
 * All contacts, or those of one segment.
 *
 * @since 1.0.0
 * @category models
 */
export interface Contacts extends OptionalLimitList<Contact, SegmentFilter | undefined> {
  /** Retrieves a contact, with its properties. */
  readonly get: (contact: ContactRef, options?: CallOptions) => Promise<ContactDetails>
  /** Creates a contact. If the address exists, that contact is returned, unchanged. */
  readonly create: (input: CreateContact, options?: CallOptions) => Promise<ChangedContact>
  /** Changes a contact. */
  readonly update: (contact: ContactRef, input: UpdateContact, options?: CallOptions) => Promise<ChangedContact>
  /** Removes a contact, from all segments as well. One that does not exist is reported as deleted, too. */
  readonly remove: (contact: ContactRef, options?: CallOptions) => Promise<RemovedContact>
  /** Adds a contact to a segment. */
  readonly join: (contact: ContactRef, segment_id: string, options?: CallOptions) => Promise<ChangedMembership>
  /** Removes a contact from a segment. The contact stays. */
  readonly leave: (contact: ContactRef, segment_id: string, options?: CallOptions) => Promise<ChangedMembership>
  /** Changes which topics a contact is subscribed to; topics that are not named stay as they are. */
  readonly updateTopics: (
    contact_id: ContactRef,
    input: ReadonlyArray<TopicSubscription>,
    options?: CallOptions
  ) => Promise<ChangedMembership>
}

/**
 * All received emails.
 *
 * @since 1.0.0
 * @category models
 */
export interface ReceivedEmails extends OptionalLimitList<ReceivedEmail> {
  /** Retrieves a received email, with its content. */
  readonly get: (email_id: string, options?: CallOptions) => Promise<ReceivedEmailDetails>
}

/**
 * The received email attachments of one email.
 *
 * @since 1.0.0
 * @category models
 */
export interface ReceivedEmailAttachments extends OptionalLimitList<ReceivedEmailAttachment, ReceivedEmailFilter> {
  /** Retrieves an attachment of a received email: where it can be downloaded. */
  readonly get: (email_id: string, attachment_id: string, options?: CallOptions) => Promise<ReceivedEmailAttachment>
}

/**
 * All emails.
 *
 * @since 1.0.0
 * @category models
 */
export interface Emails extends List<Email> {
  /** Sends an email, now or later. A lost response is harmless: repetitions have the same idempotency key. */
  readonly send: (input: SendEmail, options?: SendOptions) => Promise<SentEmail>
  /** Sends up to 100 emails with one request, and tells for each whether it was accepted. */
  readonly sendBatch: (
    input: ReadonlyArray<BatchEmail>,
    options?: SendBatchOptions
  ) => Promise<ReadonlyArray<BatchResult>>
  /** Retrieves an email, with its content and what became of it. */
  readonly get: (email_id: string, options?: CallOptions) => Promise<EmailDetails>
  /** Changes when a scheduled email is sent. */
  readonly reschedule: (email_id: string, input: RescheduleEmail, options?: CallOptions) => Promise<ChangedEmail>
  /** Cancels a scheduled email. */
  readonly cancel: (email_id: string, options?: CallOptions) => Promise<ChangedEmail>
}

/**
 * The options of `emails.send`.
 *
 * @since 1.0.0
 * @category models
 */
export interface SendOptions extends CallOptions {
  /** Sends with the same key and the same content are one, for 24 hours. Default: a new one for each send. */
  readonly idempotencyKey?: string | undefined
}

/**
 * The options of `emails.sendBatch`.
 *
 * @since 1.0.0
 * @category models
 */
export interface SendBatchOptions extends CallOptions {
  /** Sends with the same key and the same content are one, for 24 hours. Default: a new one for each send. */
  readonly idempotencyKey?: string | undefined
  /**
   * If the service rejects an email of the batch: send none of them (`strict`, the default), or send the others
   * (`permissive`).
   */
  readonly validation?: "strict" | "permissive" | undefined
}

/**
 * All templates.
 *
 * @since 1.0.0
 * @category models
 */
export interface Templates extends List<Template> {
  /** Retrieves a template, with its content. */
  readonly get: (template: TemplateRef, options?: CallOptions) => Promise<TemplateDetails>
  /** Creates a template, as a draft. Repeated only if the first attempt was certainly not processed. */
  readonly create: (input: CreateTemplate, options?: CallOptions) => Promise<ChangedTemplate>
  /** Changes the draft of a template; what is published stays. */
  readonly update: (template: TemplateRef, input: UpdateTemplate, options?: CallOptions) => Promise<ChangedTemplate>
  /** Removes a template. */
  readonly remove: (template: TemplateRef, options?: CallOptions) => Promise<RemovedTemplate>
  /** Publishes the draft of a template: from then on it is sent. */
  readonly publish: (template: TemplateRef, options?: CallOptions) => Promise<ChangedTemplate>
  /** Copies a template into a new draft. Repeated only if the first attempt was certainly not processed. */
  readonly duplicate: (template: TemplateRef, options?: CallOptions) => Promise<ChangedTemplate>
}

/**
 * All topics.
 *
 * @since 1.0.0
 * @category models
 */
export interface Topics extends List<Topic> {
  /** Retrieves a topic. */
  readonly get: (topic_id: string, options?: CallOptions) => Promise<Topic>
  /** Creates a topic that contacts can subscribe to. Repeated only if the first attempt was certainly not processed. */
  readonly create: (input: CreateTopic, options?: CallOptions) => Promise<ChangedTopic>
  /** Changes a topic. */
  readonly update: (topic_id: string, input: UpdateTopic, options?: CallOptions) => Promise<ChangedTopic>
  /** Removes a topic. */
  readonly remove: (topic_id: string, options?: CallOptions) => Promise<RemovedTopic>
}

/**
 * The email attachments of one email.
 *
 * @since 1.0.0
 * @category models
 */
export interface EmailAttachments extends List<EmailAttachment, EmailFilter> {
  /** Retrieves an attachment of a sent email: where it can be downloaded. */
  readonly get: (email_id: string, attachment_id: string, options?: CallOptions) => Promise<EmailAttachment>
}

/**
 * All contact properties.
 *
 * @since 1.0.0
 * @category models
 */
export interface ContactProperties extends List<ContactProperty> {
  /** Retrieves a contact property. */
  readonly get: (contact_property_id: string, options?: CallOptions) => Promise<ContactProperty>
  /** Creates a contact property. Repeated only if the first attempt was certainly not processed. */
  readonly create: (input: CreateContactProperty, options?: CallOptions) => Promise<ChangedContactProperty>
  /** Changes the fallback of a contact property. */
  readonly update: (
    contact_property_id: string,
    input: UpdateContactProperty,
    options?: CallOptions
  ) => Promise<ChangedContactProperty>
  /** Removes a contact property, from all contacts. */
  readonly remove: (contact_property_id: string, options?: CallOptions) => Promise<RemovedContactProperty>
}

/**
 * All suppressions, or those of one origin.
 *
 * @since 1.0.0
 * @category models
 */
export interface Suppressions extends List<Suppression, SuppressionFilter | undefined> {
  /** Retrieves a suppression. */
  readonly get: (suppression: SuppressionRef, options?: CallOptions) => Promise<Suppression>
  /** Suppresses an address: nothing is sent to it any more. */
  readonly create: (input: CreateSuppression, options?: CallOptions) => Promise<ChangedSuppression>
  /** Lifts a suppression. */
  readonly remove: (suppression: SuppressionRef, options?: CallOptions) => Promise<RemovedSuppression>
  /** Suppresses up to 100 addresses. */
  readonly createMany: (input: CreateSuppressions, options?: CallOptions) => Promise<ChangedSuppressions>
  /** Lifts up to 100 suppressions. */
  readonly removeMany: (input: RemoveSuppressions, options?: CallOptions) => Promise<RemovedSuppressions>
}

/**
 * All webhooks.
 *
 * @since 1.0.0
 * @category models
 */
export interface Webhooks extends List<Webhook> {
  /** Retrieves a webhook, with its secret. */
  readonly get: (webhook_id: string, options?: CallOptions) => Promise<WebhookDetails>
  /**
   * Creates a webhook. Its secret is in the response. Repeated only if the first attempt was certainly not processed.
   */
  readonly create: (input: CreateWebhook, options?: CallOptions) => Promise<SignedWebhook>
  /** Changes a webhook. */
  readonly update: (webhook_id: string, input: UpdateWebhook, options?: CallOptions) => Promise<ChangedWebhook>
  /** Removes a webhook. */
  readonly remove: (webhook_id: string, options?: CallOptions) => Promise<RemovedWebhook>
  /**
   * Replaces the secret of a webhook. The new one is in the response. Repeated only if the first attempt was certainly
   * not processed.
   */
  readonly rotateSecret: (webhook_id: string, options?: CallOptions) => Promise<SignedWebhook>
}

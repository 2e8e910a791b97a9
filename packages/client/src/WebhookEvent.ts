/**
 * The events of webhooks, as plain types.
 *
 * Generated from the table of lists by `npm run generate`.
 *
 * @since 1.0.0
 */

/**
 * The data of `email.sent`, `email.scheduled`, `email.delivered`, `email.delivery_delayed`, `email.complained`,
 * `email.opened`.
 *
 * @since 1.0.0
 * @category models
 */
export interface EmailEventData {
  readonly email_id: string
  readonly created_at?: string | null
  readonly from?: string | null
  readonly to?: ReadonlyArray<string> | null
  readonly subject?: string | null
  readonly message_id?: string | null
  readonly broadcast_id?: string | null
  readonly template_id?: string | null
  readonly tags?: {
    readonly [name: string]: string
  } | null
}

/**
 * The data of `email.bounced`.
 *
 * @since 1.0.0
 * @category models
 */
export interface BouncedEmailEventData {
  readonly email_id: string
  readonly created_at?: string | null
  readonly from?: string | null
  readonly to?: ReadonlyArray<string> | null
  readonly subject?: string | null
  readonly message_id?: string | null
  readonly broadcast_id?: string | null
  readonly template_id?: string | null
  readonly tags?: {
    readonly [name: string]: string
  } | null
  readonly bounce: {
    readonly message?: string | null
    readonly type?: "Permanent" | "Transient" | "Undetermined" | (string & {}) | null
    readonly subType?: string | null
  }
}

/**
 * The data of `email.clicked`.
 *
 * @since 1.0.0
 * @category models
 */
export interface ClickedEmailEventData {
  readonly email_id: string
  readonly created_at?: string | null
  readonly from?: string | null
  readonly to?: ReadonlyArray<string> | null
  readonly subject?: string | null
  readonly message_id?: string | null
  readonly broadcast_id?: string | null
  readonly template_id?: string | null
  readonly tags?: {
    readonly [name: string]: string
  } | null
  readonly click: {
    readonly link: string
    readonly timestamp?: string | null
    readonly ipAddress?: string | null
    readonly userAgent?: string | null
  }
}

/**
 * The data of `email.failed`.
 *
 * @since 1.0.0
 * @category models
 */
export interface FailedEmailEventData {
  readonly email_id: string
  readonly created_at?: string | null
  readonly from?: string | null
  readonly to?: ReadonlyArray<string> | null
  readonly subject?: string | null
  readonly message_id?: string | null
  readonly broadcast_id?: string | null
  readonly template_id?: string | null
  readonly tags?: {
    readonly [name: string]: string
  } | null
  readonly failed: {
    readonly reason?: string | null
  }
}

/**
 * The data of `email.suppressed`.
 *
 * @since 1.0.0
 * @category models
 */
export interface SuppressedEmailEventData {
  readonly email_id: string
  readonly created_at?: string | null
  readonly from?: string | null
  readonly to?: ReadonlyArray<string> | null
  readonly subject?: string | null
  readonly message_id?: string | null
  readonly broadcast_id?: string | null
  readonly template_id?: string | null
  readonly tags?: {
    readonly [name: string]: string
  } | null
  readonly suppressed: {
    readonly message?: string | null
    readonly type?: string | null
  }
}

/**
 * The data of `email.received`.
 *
 * @since 1.0.0
 * @category models
 */
export interface ReceivedEmailEventData {
  readonly email_id: string
  readonly created_at?: string | null
  readonly from?: string | null
  readonly to?: ReadonlyArray<string> | null
  readonly subject?: string | null
  readonly message_id?: string | null
  readonly cc?: ReadonlyArray<string> | null
  readonly bcc?: ReadonlyArray<string> | null
  readonly received_for?: ReadonlyArray<string> | null
  readonly attachments?:
    | ReadonlyArray<{
      readonly id: string
      readonly filename?: string | null
      readonly content_type?: string | null
      readonly content_disposition?: string | null
      readonly content_id?: string | null
    }>
    | null
}

/**
 * The data of `contact.created`, `contact.updated`, `contact.deleted`.
 *
 * @since 1.0.0
 * @category models
 */
export interface ContactEventData {
  readonly id: string
  readonly email?: string | null
  readonly first_name?: string | null
  readonly last_name?: string | null
  readonly unsubscribed?: boolean | null
  readonly audience_id?: string | null
  readonly segment_ids?: ReadonlyArray<string> | null
  readonly created_at?: string | null
  readonly updated_at?: string | null
}

/**
 * The data of `contact.topics.updated`.
 *
 * @since 1.0.0
 * @category models
 */
export interface ContactTopicsEventData {
  readonly email: string
  readonly topics: ReadonlyArray<{
    readonly id: string
    readonly subscription?: "opt_in" | "opt_out" | (string & {}) | null
  }>
}

/**
 * The data of `domain.created`, `domain.updated`, `domain.deleted`.
 *
 * @since 1.0.0
 * @category models
 */
export interface DomainEventData {
  readonly id: string
  readonly name?: string | null
  readonly status?: string | null
  readonly region?: string | null
  readonly created_at?: string | null
  readonly records?: ReadonlyArray<unknown> | null
}

/**
 * The data of `suppression.added`, `suppression.removed`.
 *
 * @since 1.0.0
 * @category models
 */
export interface SuppressionEventData {
  readonly id: string
  readonly email?: string | null
  readonly origin?: "bounce" | "complaint" | "manual" | (string & {}) | null
  readonly source_id?: string | null
  readonly created_at?: string | null
}

/**
 * The data of `topic.created`, `topic.updated`, `topic.deleted`.
 *
 * @since 1.0.0
 * @category models
 */
export interface TopicEventData {
  readonly id: string
  readonly name?: string | null
  readonly description?: string | null
  readonly default_subscription?: "opt_in" | "opt_out" | (string & {}) | null
  readonly visibility?: "public" | "private" | (string & {}) | null
  readonly created_at?: string | null
  readonly deleted?: boolean | null
  readonly updated_at?: string | null
}

/**
 * The event `email.sent`.
 *
 * @since 1.0.0
 * @category models
 */
export interface EmailSentEvent {
  readonly type: "email.sent"
  readonly created_at: string
  readonly data: EmailEventData
  readonly _tag: "email.sent"
}

/**
 * The event `email.scheduled`.
 *
 * @since 1.0.0
 * @category models
 */
export interface EmailScheduledEvent {
  readonly type: "email.scheduled"
  readonly created_at: string
  readonly data: EmailEventData
  readonly _tag: "email.scheduled"
}

/**
 * The event `email.delivered`.
 *
 * @since 1.0.0
 * @category models
 */
export interface EmailDeliveredEvent {
  readonly type: "email.delivered"
  readonly created_at: string
  readonly data: EmailEventData
  readonly _tag: "email.delivered"
}

/**
 * The event `email.delivery_delayed`.
 *
 * @since 1.0.0
 * @category models
 */
export interface EmailDeliveryDelayedEvent {
  readonly type: "email.delivery_delayed"
  readonly created_at: string
  readonly data: EmailEventData
  readonly _tag: "email.delivery_delayed"
}

/**
 * The event `email.complained`.
 *
 * @since 1.0.0
 * @category models
 */
export interface EmailComplainedEvent {
  readonly type: "email.complained"
  readonly created_at: string
  readonly data: EmailEventData
  readonly _tag: "email.complained"
}

/**
 * The event `email.opened`.
 *
 * @since 1.0.0
 * @category models
 */
export interface EmailOpenedEvent {
  readonly type: "email.opened"
  readonly created_at: string
  readonly data: EmailEventData
  readonly _tag: "email.opened"
}

/**
 * The event `email.bounced`.
 *
 * @since 1.0.0
 * @category models
 */
export interface EmailBouncedEvent {
  readonly type: "email.bounced"
  readonly created_at: string
  readonly data: BouncedEmailEventData
  readonly _tag: "email.bounced"
}

/**
 * The event `email.clicked`.
 *
 * @since 1.0.0
 * @category models
 */
export interface EmailClickedEvent {
  readonly type: "email.clicked"
  readonly created_at: string
  readonly data: ClickedEmailEventData
  readonly _tag: "email.clicked"
}

/**
 * The event `email.failed`.
 *
 * @since 1.0.0
 * @category models
 */
export interface EmailFailedEvent {
  readonly type: "email.failed"
  readonly created_at: string
  readonly data: FailedEmailEventData
  readonly _tag: "email.failed"
}

/**
 * The event `email.suppressed`.
 *
 * @since 1.0.0
 * @category models
 */
export interface EmailSuppressedEvent {
  readonly type: "email.suppressed"
  readonly created_at: string
  readonly data: SuppressedEmailEventData
  readonly _tag: "email.suppressed"
}

/**
 * The event `email.received`.
 *
 * @since 1.0.0
 * @category models
 */
export interface EmailReceivedEvent {
  readonly type: "email.received"
  readonly created_at: string
  readonly data: ReceivedEmailEventData
  readonly _tag: "email.received"
}

/**
 * The event `contact.created`.
 *
 * @since 1.0.0
 * @category models
 */
export interface ContactCreatedEvent {
  readonly type: "contact.created"
  readonly created_at: string
  readonly data: ContactEventData
  readonly _tag: "contact.created"
}

/**
 * The event `contact.updated`.
 *
 * @since 1.0.0
 * @category models
 */
export interface ContactUpdatedEvent {
  readonly type: "contact.updated"
  readonly created_at: string
  readonly data: ContactEventData
  readonly _tag: "contact.updated"
}

/**
 * The event `contact.deleted`.
 *
 * @since 1.0.0
 * @category models
 */
export interface ContactDeletedEvent {
  readonly type: "contact.deleted"
  readonly created_at: string
  readonly data: ContactEventData
  readonly _tag: "contact.deleted"
}

/**
 * The event `contact.topics.updated`.
 *
 * @since 1.0.0
 * @category models
 */
export interface ContactTopicsUpdatedEvent {
  readonly type: "contact.topics.updated"
  readonly created_at: string
  readonly data: ContactTopicsEventData
  readonly _tag: "contact.topics.updated"
}

/**
 * The event `domain.created`.
 *
 * @since 1.0.0
 * @category models
 */
export interface DomainCreatedEvent {
  readonly type: "domain.created"
  readonly created_at: string
  readonly data: DomainEventData
  readonly _tag: "domain.created"
}

/**
 * The event `domain.updated`.
 *
 * @since 1.0.0
 * @category models
 */
export interface DomainUpdatedEvent {
  readonly type: "domain.updated"
  readonly created_at: string
  readonly data: DomainEventData
  readonly _tag: "domain.updated"
}

/**
 * The event `domain.deleted`.
 *
 * @since 1.0.0
 * @category models
 */
export interface DomainDeletedEvent {
  readonly type: "domain.deleted"
  readonly created_at: string
  readonly data: DomainEventData
  readonly _tag: "domain.deleted"
}

/**
 * The event `suppression.added`.
 *
 * @since 1.0.0
 * @category models
 */
export interface SuppressionAddedEvent {
  readonly type: "suppression.added"
  readonly created_at: string
  readonly data: SuppressionEventData
  readonly _tag: "suppression.added"
}

/**
 * The event `suppression.removed`.
 *
 * @since 1.0.0
 * @category models
 */
export interface SuppressionRemovedEvent {
  readonly type: "suppression.removed"
  readonly created_at: string
  readonly data: SuppressionEventData
  readonly _tag: "suppression.removed"
}

/**
 * The event `topic.created`.
 *
 * @since 1.0.0
 * @category models
 */
export interface TopicCreatedEvent {
  readonly type: "topic.created"
  readonly created_at: string
  readonly data: TopicEventData
  readonly _tag: "topic.created"
}

/**
 * The event `topic.updated`.
 *
 * @since 1.0.0
 * @category models
 */
export interface TopicUpdatedEvent {
  readonly type: "topic.updated"
  readonly created_at: string
  readonly data: TopicEventData
  readonly _tag: "topic.updated"
}

/**
 * The event `topic.deleted`.
 *
 * @since 1.0.0
 * @category models
 */
export interface TopicDeletedEvent {
  readonly type: "topic.deleted"
  readonly created_at: string
  readonly data: TopicEventData
  readonly _tag: "topic.deleted"
}

/**
 * An event whose type is not known here, or whose data are not what its type promises: everything is as it was sent.
 *
 * @since 1.0.0
 * @category models
 */
export interface OtherEvent {
  readonly type: string
  readonly created_at?: unknown
  readonly data?: unknown
  readonly _tag: "Other"
}

/**
 * An event, as a webhook sends it. The `_tag` of an event of a known type is that type, and `Other` for all others.
 *
 * @since 1.0.0
 * @category models
 */
export type WebhookEvent =
  | EmailSentEvent
  | EmailScheduledEvent
  | EmailDeliveredEvent
  | EmailDeliveryDelayedEvent
  | EmailComplainedEvent
  | EmailOpenedEvent
  | EmailBouncedEvent
  | EmailClickedEvent
  | EmailFailedEvent
  | EmailSuppressedEvent
  | EmailReceivedEvent
  | ContactCreatedEvent
  | ContactUpdatedEvent
  | ContactDeletedEvent
  | ContactTopicsUpdatedEvent
  | DomainCreatedEvent
  | DomainUpdatedEvent
  | DomainDeletedEvent
  | SuppressionAddedEvent
  | SuppressionRemovedEvent
  | TopicCreatedEvent
  | TopicUpdatedEvent
  | TopicDeletedEvent
  | OtherEvent

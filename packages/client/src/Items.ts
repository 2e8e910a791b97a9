/**
 * The items of the lists, as plain types.
 *
 * Generated from the table of lists by `npm run generate`.
 *
 * @since 1.0.0
 */

/**
 * An item of `domains`.
 *
 * @since 1.0.0
 * @category models
 */
export interface Domain {
  readonly id: string
  readonly name?: string | null
  readonly status?: "not_started" | "pending" | "verified" | "failed" | "temporary_failure" | (string & {}) | null
  readonly created_at?: string | null
  readonly region?: string | null
  readonly open_tracking?: boolean | null
  readonly click_tracking?: boolean | null
  readonly tracking_subdomain?: string | null
  readonly capabilities?: {
    readonly sending?: "enabled" | "disabled" | (string & {}) | null
    readonly receiving?: "enabled" | "disabled" | (string & {}) | null
  } | null
}

/**
 * An item of `apiKeys`.
 *
 * @since 1.0.0
 * @category models
 */
export interface ApiKey {
  readonly id: string
  readonly name: string
  readonly created_at: string
  readonly last_used_at: string | null
}

/**
 * An item of `broadcasts`.
 *
 * @since 1.0.0
 * @category models
 */
export interface Broadcast {
  readonly id: string
  readonly name?: string | null
  readonly audience_id?: string | null
  readonly segment_id?: string | null
  readonly status?: "draft" | "scheduled" | "queued" | "sent" | "canceled" | (string & {}) | null
  readonly created_at?: string | null
  readonly scheduled_at?: string | null
  readonly sent_at?: string | null
}

/**
 * An item of `segments`.
 *
 * @since 1.0.0
 * @category models
 */
export interface Segment {
  readonly id: string
  readonly name?: string | null
  readonly created_at?: string | null
}

/**
 * An item of `contacts`.
 *
 * @since 1.0.0
 * @category models
 */
export interface Contact {
  readonly id: string
  readonly email: string
  readonly first_name: string | null
  readonly last_name: string | null
  readonly created_at: string
  readonly unsubscribed: boolean
}

/**
 * An item of `receivedEmails`.
 *
 * @since 1.0.0
 * @category models
 */
export interface ReceivedEmail {
  readonly id: string
  readonly to?: ReadonlyArray<string> | null
  readonly from?: string | null
  readonly created_at?: string | null
  readonly subject?: string | null
  readonly bcc?: ReadonlyArray<string> | null
  readonly cc?: ReadonlyArray<string> | null
  readonly reply_to?: ReadonlyArray<string> | null
  readonly message_id?: string | null
  readonly received_for?: ReadonlyArray<string> | null
  readonly attachments?:
    | ReadonlyArray<{
      readonly id: string
      readonly filename?: string | null
      readonly content_type?: string | null
      readonly content_id?: string | null
      readonly content_disposition?: string | null
      readonly size?: number | null
    }>
    | null
}

/**
 * An item of `receivedEmailAttachments`.
 *
 * @since 1.0.0
 * @category models
 */
export interface ReceivedEmailAttachment {
  readonly id: string
  readonly filename?: string | null
  readonly size?: number | null
  readonly content_type?: string | null
  readonly content_disposition?: string | null
  readonly content_id?: string | null
  readonly download_url?: string | null
  readonly expires_at?: string | null
}

/**
 * An item of `emails`.
 *
 * @since 1.0.0
 * @category models
 */
export interface Email {
  readonly id: string
  readonly message_id?: string | null
  readonly to?: ReadonlyArray<string> | null
  readonly from?: string | null
  readonly created_at?: string | null
  readonly subject?: string | null
  readonly bcc?: ReadonlyArray<string> | null
  readonly cc?: ReadonlyArray<string> | null
  readonly reply_to?: ReadonlyArray<string> | null
  readonly last_event?:
    | "bounced"
    | "canceled"
    | "clicked"
    | "complained"
    | "delivered"
    | "delivery_delayed"
    | "failed"
    | "opened"
    | "queued"
    | "scheduled"
    | "sent"
    | "suppressed"
    | (string & {})
    | null
  readonly scheduled_at?: string | null
  readonly topic_id?: string | null
}

/**
 * An item of `templates`.
 *
 * @since 1.0.0
 * @category models
 */
export interface Template {
  readonly id: string
  readonly name?: string | null
  readonly status?: "draft" | "published" | (string & {}) | null
  readonly published_at?: string | null
  readonly created_at?: string | null
  readonly updated_at?: string | null
  readonly alias?: string | null
}

/**
 * An item of `topics`.
 *
 * @since 1.0.0
 * @category models
 */
export interface Topic {
  readonly id: string
  readonly name?: string | null
  readonly description?: string | null
  readonly default_subscription?: "opt_in" | "opt_out" | (string & {}) | null
  readonly visibility?: "public" | "private" | (string & {}) | null
  readonly created_at?: string | null
}

/**
 * An item of `emailAttachments`.
 *
 * @since 1.0.0
 * @category models
 */
export interface EmailAttachment {
  readonly id: string
  readonly filename?: string | null
  readonly size?: number | null
  readonly content_type?: string | null
  readonly content_disposition?: string | null
  readonly content_id?: string | null
  readonly download_url?: string | null
  readonly expires_at?: string | null
}

/**
 * An item of `contactTopics`.
 *
 * @since 1.0.0
 * @category models
 */
export interface ContactTopic {
  readonly id: string
  readonly name?: string | null
  readonly description?: string | null
  readonly subscription?: "opt_in" | "opt_out" | (string & {}) | null
}

/**
 * An item of `contactProperties`.
 *
 * @since 1.0.0
 * @category models
 */
export interface ContactProperty {
  readonly id: string
  readonly key?: string | null
  readonly type?: "string" | "number" | (string & {}) | null
  readonly fallback_value?: string | number | null
  readonly created_at?: string | null
}

/**
 * An item of `broadcastRecipients`.
 *
 * @since 1.0.0
 * @category models
 */
export interface BroadcastRecipient {
  readonly id: string
  readonly contact_id?: string | null
  readonly email?: string | null
  readonly count?: number | null
  readonly bounce_type?: "permanent" | "transient" | "undetermined" | (string & {}) | null
  readonly clicked_links?:
    | ReadonlyArray<{
      readonly url: string
      readonly clicks?: number | null
    }>
    | null
}

/**
 * An item of `suppressions`.
 *
 * @since 1.0.0
 * @category models
 */
export interface Suppression {
  readonly id: string
  readonly email?: string | null
  readonly origin?: "bounce" | "complaint" | "manual" | (string & {}) | null
  readonly source_id?: string | null
  readonly created_at?: string | null
}

/**
 * An item of `webhooks`.
 *
 * @since 1.0.0
 * @category models
 */
export interface Webhook {
  readonly id: string
  readonly endpoint?: string | null
  readonly status?: "enabled" | "disabled" | (string & {}) | null
  readonly events?:
    | ReadonlyArray<
      | "email.sent"
      | "email.scheduled"
      | "email.delivered"
      | "email.delivery_delayed"
      | "email.complained"
      | "email.bounced"
      | "email.opened"
      | "email.clicked"
      | "email.received"
      | "email.failed"
      | "email.suppressed"
      | "contact.created"
      | "contact.updated"
      | "contact.deleted"
      | "contact.topics.updated"
      | "domain.created"
      | "domain.updated"
      | "domain.deleted"
      | "suppression.added"
      | "suppression.removed"
      | "topic.created"
      | "topic.updated"
      | "topic.deleted"
      | (string & {})
    >
    | null
  readonly created_at?: string | null
}

/**
 * Selects the items of one contact.
 *
 * @since 1.0.0
 * @category filters
 */
export interface ContactFilter {
  readonly contact_id: string | { readonly email: string }
}

/**
 * Selects the items of one segment.
 *
 * @since 1.0.0
 * @category filters
 */
export interface SegmentFilter {
  readonly segment_id: string
}

/**
 * Selects the items of one email.
 *
 * @since 1.0.0
 * @category filters
 */
export interface ReceivedEmailFilter {
  readonly email_id: string
}

/**
 * Selects the items of one email.
 *
 * @since 1.0.0
 * @category filters
 */
export interface EmailFilter {
  readonly email_id: string
}

/**
 * Selects the items of one broadcast.
 *
 * @since 1.0.0
 * @category filters
 */
export interface BroadcastRecipientFilter {
  readonly broadcast_id: string
  readonly type: "sent" | "delivered" | "opened" | "clicked" | "bounced" | "complained" | "unsubscribed" | "suppressed"
  readonly email?: string | undefined
  readonly bounce_type?: string | undefined
}

/**
 * Selects the items of one origin.
 *
 * @since 1.0.0
 * @category filters
 */
export interface SuppressionFilter {
  readonly origin: "bounce" | "complaint" | "manual" | (string & {})
}

/**
 * What operations take and return, as plain types.
 *
 * Generated from the table of lists by `npm run generate`.
 *
 * @since 1.0.0
 */
import type { Broadcast, Contact, Domain, Email, ReceivedEmail, Template, Webhook } from "./Items.ts"
import type { Secret } from "./Secret.ts"

/**
 * A part of `DomainDetails`.
 *
 * @since 1.0.0
 * @category models
 */
export interface DomainRecord {
  readonly record?: string | null
  readonly name?: string | null
  readonly type?: string | null
  readonly value?: string | null
  readonly ttl?: string | number | null
  readonly status?: "not_started" | "pending" | "verified" | "failed" | "temporary_failure" | (string & {}) | null
  readonly priority?: number | string | null
}

/**
 * The result of `domains.get` and `domains.create`.
 *
 * @since 1.0.0
 * @category models
 */
export interface DomainDetails extends Domain {
  readonly records?: ReadonlyArray<DomainRecord> | null
}

/**
 * The input of `domains.create`.
 *
 * @since 1.0.0
 * @category models
 */
export interface CreateDomain {
  readonly name: string
  readonly region?: "us-east-1" | "eu-west-1" | "sa-east-1" | "ap-northeast-1" | undefined
  readonly custom_return_path?: string | undefined
  readonly open_tracking?: boolean | undefined
  readonly click_tracking?: boolean | undefined
  readonly tracking_subdomain?: string | undefined
  readonly tls?: "opportunistic" | "enforced" | undefined
  readonly capabilities?: {
    readonly sending?: "enabled" | "disabled" | undefined
    readonly receiving?: "enabled" | "disabled" | undefined
  } | undefined
}

/**
 * The input of `domains.update`.
 *
 * @since 1.0.0
 * @category models
 */
export interface UpdateDomain {
  readonly open_tracking?: boolean | undefined
  readonly click_tracking?: boolean | undefined
  readonly tracking_subdomain?: string | undefined
  readonly tls?: "opportunistic" | "enforced" | undefined
  readonly capabilities?: {
    readonly sending?: "enabled" | "disabled" | undefined
    readonly receiving?: "enabled" | "disabled" | undefined
  } | undefined
}

/**
 * The result of `domains.update` and `domains.verify`.
 *
 * @since 1.0.0
 * @category models
 */
export interface ChangedDomain {
  readonly object?: "domain" | (string & {}) | null
  readonly id: string
}

/**
 * The result of `domains.remove`.
 *
 * @since 1.0.0
 * @category models
 */
export interface RemovedDomain {
  readonly object?: "domain" | (string & {}) | null
  readonly id: string
  readonly deleted: boolean
}

/**
 * The input of `apiKeys.create`.
 *
 * @since 1.0.0
 * @category models
 */
export interface CreateApiKey {
  readonly name: string
  readonly permission?: "full_access" | "sending_access" | undefined
  readonly domain_id?: string | undefined
}

/**
 * The result of `apiKeys.create`.
 *
 * @since 1.0.0
 * @category models
 */
export interface CreatedApiKey {
  readonly id: string
  readonly token: Secret
}

/**
 * The input of `apiKeys.update`.
 *
 * @since 1.0.0
 * @category models
 */
export interface UpdateApiKey {
  readonly name: string
}

/**
 * The result of `apiKeys.update`.
 *
 * @since 1.0.0
 * @category models
 */
export interface ChangedApiKey {
  readonly object?: "api_key" | (string & {}) | null
  readonly id: string
}

/**
 * The result of `apiKeys.remove`.
 *
 * @since 1.0.0
 * @category models
 */
export interface RemovedApiKey {
  readonly object?: "api_key" | (string & {}) | null
  readonly id: string
  readonly deleted: boolean
}

/**
 * The result of `broadcasts.get`.
 *
 * @since 1.0.0
 * @category models
 */
export interface BroadcastDetails extends Broadcast {
  readonly from?: string | null
  readonly subject?: string | null
  readonly html?: string | null
  readonly text?: string | null
  readonly reply_to?: string | ReadonlyArray<string> | null
  readonly preview_text?: string | null
  readonly topic_id?: string | null
}

/**
 * The input of `broadcasts.create`.
 *
 * @since 1.0.0
 * @category models
 */
export interface CreateBroadcast {
  readonly segment_id: string
  readonly from: string
  readonly subject: string
  readonly html?: string | undefined
  readonly text?: string | undefined
  readonly name?: string | undefined
  readonly reply_to?: string | ReadonlyArray<string> | undefined
  readonly preview_text?: string | undefined
  readonly topic_id?: string | null | undefined
  readonly send?: boolean | undefined
  readonly scheduled_at?: string | undefined
}

/**
 * The result of `broadcasts.create`, `broadcasts.update`, `broadcasts.send`, `broadcasts.cancel` and
 * `broadcasts.duplicate`.
 *
 * @since 1.0.0
 * @category models
 */
export interface ChangedBroadcast {
  readonly object?: "broadcast" | (string & {}) | null
  readonly id: string
}

/**
 * The input of `broadcasts.update`.
 *
 * @since 1.0.0
 * @category models
 */
export interface UpdateBroadcast {
  readonly segment_id?: string | undefined
  readonly from?: string | undefined
  readonly subject?: string | undefined
  readonly html?: string | undefined
  readonly text?: string | undefined
  readonly name?: string | undefined
  readonly reply_to?: string | ReadonlyArray<string> | undefined
  readonly preview_text?: string | undefined
  readonly topic_id?: string | null | undefined
}

/**
 * The result of `broadcasts.remove`.
 *
 * @since 1.0.0
 * @category models
 */
export interface RemovedBroadcast {
  readonly object?: "broadcast" | (string & {}) | null
  readonly id: string
  readonly deleted: boolean
}

/**
 * The input of `broadcasts.send`.
 *
 * @since 1.0.0
 * @category models
 */
export interface SendBroadcast {
  readonly scheduled_at?: string | undefined
}

/**
 * The input of `segments.create` and `segments.update`.
 *
 * @since 1.0.0
 * @category models
 */
export interface CreateSegment {
  readonly name: string
}

/**
 * The result of `segments.create` and `segments.update`.
 *
 * @since 1.0.0
 * @category models
 */
export interface ChangedSegment {
  readonly object?: "segment" | (string & {}) | null
  readonly id: string
  readonly name?: string | null
}

/**
 * The result of `segments.remove`.
 *
 * @since 1.0.0
 * @category models
 */
export interface RemovedSegment {
  readonly object?: "segment" | (string & {}) | null
  readonly id: string
  readonly deleted: boolean
}

/**
 * The id of a contact, or `{ email }`.
 *
 * @since 1.0.0
 * @category models
 */
export type ContactRef = string | {
  readonly email: string
}

/**
 * The result of `contacts.get`.
 *
 * @since 1.0.0
 * @category models
 */
export interface ContactDetails extends Contact {
  readonly properties?: {
    readonly [name: string]: unknown
  } | null
}

/**
 * A part of `CreateContact` and `UpdateTopics`.
 *
 * @since 1.0.0
 * @category models
 */
export interface TopicSubscription {
  readonly id: string
  readonly subscription: "opt_in" | "opt_out"
}

/**
 * The input of `contacts.create`.
 *
 * @since 1.0.0
 * @category models
 */
export interface CreateContact {
  readonly email: string
  readonly first_name?: string | null | undefined
  readonly last_name?: string | null | undefined
  readonly unsubscribed?: boolean | undefined
  readonly properties?: {
    readonly [name: string]: string | number | boolean | null | undefined
  } | undefined
  readonly segments?:
    | ReadonlyArray<{
      readonly id: string
    }>
    | undefined
  readonly topics?: ReadonlyArray<TopicSubscription> | undefined
}

/**
 * The result of `contacts.create` and `contacts.update`.
 *
 * @since 1.0.0
 * @category models
 */
export interface ChangedContact {
  readonly object?: "contact" | (string & {}) | null
  readonly id: string
}

/**
 * The input of `contacts.update`.
 *
 * @since 1.0.0
 * @category models
 */
export interface UpdateContact {
  readonly first_name?: string | null | undefined
  readonly last_name?: string | null | undefined
  readonly unsubscribed?: boolean | undefined
  readonly properties?: {
    readonly [name: string]: string | number | boolean | null | undefined
  } | undefined
}

/**
 * The result of `contacts.remove`.
 *
 * @since 1.0.0
 * @category models
 */
export interface RemovedContact {
  readonly object?: "contact" | (string & {}) | null
  readonly contact: string
  readonly deleted: boolean
}

/**
 * The result of `contacts.join`, `contacts.leave` and `contacts.updateTopics`.
 *
 * @since 1.0.0
 * @category models
 */
export interface ChangedMembership {
  readonly id?: string | null
  readonly contact_id?: string | null
  readonly segment_id?: string | null
  readonly deleted?: boolean | null
}

/**
 * The result of `receivedEmails.get`.
 *
 * @since 1.0.0
 * @category models
 */
export interface ReceivedEmailDetails extends ReceivedEmail {
  readonly html?: string | null
  readonly text?: string | null
  readonly headers?: {
    readonly [name: string]: unknown
  } | null
  readonly raw?: {
    readonly download_url: string
    readonly expires_at?: string | null
  } | null
}

/**
 * The result of `emails.get`.
 *
 * @since 1.0.0
 * @category models
 */
export interface EmailDetails extends Email {
  readonly html?: string | null
  readonly text?: string | null
  readonly tags?:
    | ReadonlyArray<{
      readonly name: string
      readonly value: string
    }>
    | null
}

/**
 * The input of `emails.reschedule`.
 *
 * @since 1.0.0
 * @category models
 */
export interface RescheduleEmail {
  readonly scheduled_at: string
}

/**
 * The result of `emails.reschedule` and `emails.cancel`.
 *
 * @since 1.0.0
 * @category models
 */
export interface ChangedEmail {
  readonly object?: "email" | (string & {}) | null
  readonly id: string
}

/**
 * The id of a template, or `{ alias }`.
 *
 * @since 1.0.0
 * @category models
 */
export type TemplateRef = string | {
  readonly alias: string
}

/**
 * The result of `templates.get`.
 *
 * @since 1.0.0
 * @category models
 */
export interface TemplateDetails extends Template {
  readonly subject?: string | null
  readonly html?: string | null
  readonly text?: string | null
  readonly from?: string | null
  readonly reply_to?: string | ReadonlyArray<string> | null
  readonly variables?:
    | ReadonlyArray<{
      readonly key: string
      readonly type?: "string" | "number" | (string & {}) | null
      readonly fallback_value?: unknown | null
      readonly created_at?: string | null
      readonly updated_at?: string | null
    }>
    | null
  readonly has_unpublished_versions?: boolean | null
  readonly current_version_id?: string | null
}

/**
 * A part of `CreateTemplate` and `UpdateTemplate`.
 *
 * @since 1.0.0
 * @category models
 */
export interface TemplateVariable {
  readonly key: string
  readonly type: "string" | "number" | (string & {})
  readonly fallback_value?: string | number | boolean | null | undefined
}

/**
 * The input of `templates.create`.
 *
 * @since 1.0.0
 * @category models
 */
export interface CreateTemplate {
  readonly name: string
  readonly html: string
  readonly text?: string | undefined
  readonly alias?: string | undefined
  readonly from?: string | undefined
  readonly subject?: string | undefined
  readonly reply_to?: string | ReadonlyArray<string> | undefined
  readonly variables?: ReadonlyArray<TemplateVariable> | undefined
}

/**
 * The result of `templates.create`, `templates.update`, `templates.publish` and `templates.duplicate`.
 *
 * @since 1.0.0
 * @category models
 */
export interface ChangedTemplate {
  readonly object?: "template" | (string & {}) | null
  readonly id: string
}

/**
 * The input of `templates.update`.
 *
 * @since 1.0.0
 * @category models
 */
export interface UpdateTemplate {
  readonly name?: string | undefined
  readonly html?: string | undefined
  readonly text?: string | null | undefined
  readonly alias?: string | null | undefined
  readonly from?: string | null | undefined
  readonly subject?: string | null | undefined
  readonly reply_to?: string | ReadonlyArray<string> | null | undefined
  readonly variables?: ReadonlyArray<TemplateVariable> | undefined
}

/**
 * The result of `templates.remove`.
 *
 * @since 1.0.0
 * @category models
 */
export interface RemovedTemplate {
  readonly object?: "template" | (string & {}) | null
  readonly id: string
  readonly deleted: boolean
}

/**
 * The input of `topics.create`.
 *
 * @since 1.0.0
 * @category models
 */
export interface CreateTopic {
  readonly name: string
  readonly description?: string | undefined
  readonly default_subscription?: "opt_in" | "opt_out" | undefined
  readonly visibility?: "public" | "private" | undefined
}

/**
 * The result of `topics.create` and `topics.update`.
 *
 * @since 1.0.0
 * @category models
 */
export interface ChangedTopic {
  readonly object?: "topic" | (string & {}) | null
  readonly id: string
}

/**
 * The input of `topics.update`.
 *
 * @since 1.0.0
 * @category models
 */
export interface UpdateTopic {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly visibility?: "public" | "private" | undefined
}

/**
 * The result of `topics.remove`.
 *
 * @since 1.0.0
 * @category models
 */
export interface RemovedTopic {
  readonly object?: "topic" | (string & {}) | null
  readonly id: string
  readonly deleted: boolean
}

/**
 * The input of `contactProperties.create`.
 *
 * @since 1.0.0
 * @category models
 */
export interface CreateContactProperty {
  readonly key: string
  readonly type: "string" | "number"
  readonly fallback_value?: string | number | null | undefined
}

/**
 * The result of `contactProperties.create` and `contactProperties.update`.
 *
 * @since 1.0.0
 * @category models
 */
export interface ChangedContactProperty {
  readonly object?: "contact_property" | (string & {}) | null
  readonly id: string
}

/**
 * The input of `contactProperties.update`.
 *
 * @since 1.0.0
 * @category models
 */
export interface UpdateContactProperty {
  readonly fallback_value?: string | number | null | undefined
}

/**
 * The result of `contactProperties.remove`.
 *
 * @since 1.0.0
 * @category models
 */
export interface RemovedContactProperty {
  readonly object?: "contact_property" | (string & {}) | null
  readonly id: string
  readonly deleted: boolean
}

/**
 * The id of a suppression, or `{ email }`.
 *
 * @since 1.0.0
 * @category models
 */
export type SuppressionRef = string | {
  readonly email: string
}

/**
 * The input of `suppressions.create`.
 *
 * @since 1.0.0
 * @category models
 */
export interface CreateSuppression {
  readonly email: string
}

/**
 * The result of `suppressions.create`.
 *
 * @since 1.0.0
 * @category models
 */
export interface ChangedSuppression {
  readonly object?: "suppression" | (string & {}) | null
  readonly id: string
}

/**
 * The result of `suppressions.remove`.
 *
 * @since 1.0.0
 * @category models
 */
export interface RemovedSuppression {
  readonly object?: "suppression" | (string & {}) | null
  readonly id: string
  readonly deleted: boolean
}

/**
 * The input of `suppressions.createMany`.
 *
 * @since 1.0.0
 * @category models
 */
export interface CreateSuppressions {
  readonly emails: ReadonlyArray<string>
}

/**
 * The result of `suppressions.createMany`.
 *
 * @since 1.0.0
 * @category models
 */
export interface ChangedSuppressions {
  readonly data: ReadonlyArray<{
    readonly object?: "suppression" | (string & {}) | null
    readonly id?: string | null
    readonly email?: string | null
  }>
}

/**
 * The input of `suppressions.removeMany`.
 *
 * @since 1.0.0
 * @category models
 */
export type RemoveSuppressions = {
  readonly emails: ReadonlyArray<string>
} | {
  readonly ids: ReadonlyArray<string>
}

/**
 * The result of `suppressions.removeMany`.
 *
 * @since 1.0.0
 * @category models
 */
export interface RemovedSuppressions {
  readonly data: ReadonlyArray<RemovedSuppression>
}

/**
 * The result of `webhooks.get`.
 *
 * @since 1.0.0
 * @category models
 */
export interface WebhookDetails extends Webhook {
  readonly signing_secret?: Secret | null
}

/**
 * The input of `webhooks.create`.
 *
 * @since 1.0.0
 * @category models
 */
export interface CreateWebhook {
  readonly endpoint: string
  readonly events: ReadonlyArray<
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
}

/**
 * The result of `webhooks.create` and `webhooks.rotateSecret`.
 *
 * @since 1.0.0
 * @category models
 */
export interface SignedWebhook {
  readonly object?: "webhook" | (string & {}) | null
  readonly id: string
  readonly signing_secret: Secret
}

/**
 * The input of `webhooks.update`.
 *
 * @since 1.0.0
 * @category models
 */
export interface UpdateWebhook {
  readonly endpoint?: string | undefined
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
    | undefined
  readonly status?: "enabled" | "disabled" | undefined
}

/**
 * The result of `webhooks.update`.
 *
 * @since 1.0.0
 * @category models
 */
export interface ChangedWebhook {
  readonly object?: "webhook" | (string & {}) | null
  readonly id: string
}

/**
 * The result of `webhooks.remove`.
 *
 * @since 1.0.0
 * @category models
 */
export interface RemovedWebhook {
  readonly object?: "webhook" | (string & {}) | null
  readonly id: string
  readonly deleted: boolean
}

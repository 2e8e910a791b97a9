/**
 * What operations take and return, as plain types.
 *
 * Generated from the table of lists by `npm run generate`.
 *
 * @since 1.0.0
 */
import type { Broadcast, Contact, Domain, Email, ReceivedEmail, Template, Webhook } from "./Items.ts"
import type { ValidationError } from "./MailstreamError.ts"
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
  /** The domain to send from, such as `example.com`. */
  readonly name: string
  /** The region from which its emails are sent. */
  readonly region?: "us-east-1" | "eu-west-1" | "sa-east-1" | "ap-northeast-1" | undefined
  /** The subdomain that bounces return to. */
  readonly custom_return_path?: string | undefined
  /** Whether to record when emails are opened. */
  readonly open_tracking?: boolean | undefined
  /** Whether to record when links are clicked. */
  readonly click_tracking?: boolean | undefined
  /** The subdomain of links that are tracked. */
  readonly tracking_subdomain?: string | undefined
  /** Whether emails are only delivered over TLS, or also without it where a server lacks it. */
  readonly tls?: "opportunistic" | "enforced" | undefined
  /** What the domain can be used for, such as `{"sending":"enabled","receiving":"disabled"}`. */
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
  /** Whether to record when emails are opened. */
  readonly open_tracking?: boolean | undefined
  /** Whether to record when links are clicked. */
  readonly click_tracking?: boolean | undefined
  /** The subdomain of links that are tracked. */
  readonly tracking_subdomain?: string | undefined
  /** Whether emails are only delivered over TLS, or also without it where a server lacks it. */
  readonly tls?: "opportunistic" | "enforced" | undefined
  /** What the domain can be used for, such as `{"sending":"enabled","receiving":"disabled"}`. */
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
  /** A name that tells what the key is for. */
  readonly name: string
  /** What the key may do: everything, or only send emails. */
  readonly permission?: "full_access" | "sending_access" | undefined
  /** The id of the only domain that the key may send from. */
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
  /** A name that tells what the key is for. */
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
  /** The id of the segment whose contacts receive it. */
  readonly segment_id: string
  /** The sender: an address, or a name with one, such as `News <news@example.com>`. */
  readonly from: string
  /** The subject line of the email. */
  readonly subject: string
  /** The content as HTML. It needs HTML, plain text, or both. */
  readonly html?: string | undefined
  /** The content as plain text. It needs HTML, plain text, or both. */
  readonly text?: string | undefined
  /** A name for the broadcast that recipients do not see. */
  readonly name?: string | undefined
  /** The addresses that replies go to. */
  readonly reply_to?: string | ReadonlyArray<string> | undefined
  /** The text that inboxes show after the subject. */
  readonly preview_text?: string | undefined
  /** The id of the topic that it is about: who has opted out of it receives nothing. */
  readonly topic_id?: string | null | undefined
  /** Whether to send it instead of keeping it as a draft: at once, or at `scheduled_at`. */
  readonly send?: boolean | undefined
  /** When to send it: an ISO 8601 time, or words such as "in 1 hour". Default: at once. */
  readonly scheduled_at?: string | Date | undefined
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
  /** The id of the segment whose contacts receive it. */
  readonly segment_id?: string | undefined
  /** The sender: an address, or a name with one, such as `News <news@example.com>`. */
  readonly from?: string | undefined
  /** The subject line of the email. */
  readonly subject?: string | undefined
  /** The content as HTML. It needs HTML, plain text, or both. */
  readonly html?: string | undefined
  /** The content as plain text. It needs HTML, plain text, or both. */
  readonly text?: string | undefined
  /** A name for the broadcast that recipients do not see. */
  readonly name?: string | undefined
  /** The addresses that replies go to. */
  readonly reply_to?: string | ReadonlyArray<string> | undefined
  /** The text that inboxes show after the subject. */
  readonly preview_text?: string | undefined
  /** The id of the topic that it is about: who has opted out of it receives nothing. */
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
  /** When to send it: an ISO 8601 time, or words such as "in 1 hour". Default: at once. */
  readonly scheduled_at?: string | Date | undefined
}

/**
 * The input of `segments.create` and `segments.update`.
 *
 * @since 1.0.0
 * @category models
 */
export interface CreateSegment {
  /** The name of the segment, for people. */
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
  /** The id of a topic to opt in to or out of. */
  readonly id: string
  /** Whether the contact receives what is sent on the topic. */
  readonly subscription: "opt_in" | "opt_out"
}

/**
 * The input of `contacts.create`.
 *
 * @since 1.0.0
 * @category models
 */
export interface CreateContact {
  /**
   * The address of the contact. If a contact has it already, that one is returned as it is, and none of the other
   * fields is applied: the response does not tell. To change a contact, use `update`.
   */
  readonly email: string
  /** The first name of the contact. */
  readonly first_name?: string | null | undefined
  /** The last name of the contact. */
  readonly last_name?: string | null | undefined
  /** Whether the contact is unsubscribed, and receives no broadcasts. */
  readonly unsubscribed?: boolean | undefined
  /** Values of contact properties by their keys; null removes one. */
  readonly properties?: {
    readonly [name: string]: string | number | boolean | null | undefined
  } | undefined
  /** The ids of the segments that the contact is added to. */
  readonly segments?:
    | ReadonlyArray<{
      readonly id: string
    }>
    | undefined
  /** Topics that the contact opts in to or out of, such as `{"id":"…","subscription":"opt_in"}`. */
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
  /** The first name of the contact. */
  readonly first_name?: string | null | undefined
  /** The last name of the contact. */
  readonly last_name?: string | null | undefined
  /** Whether the contact is unsubscribed, and receives no broadcasts. */
  readonly unsubscribed?: boolean | undefined
  /** Values of contact properties by their keys; null removes one. */
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
 * A part of `SendEmail` and `BatchEmail`.
 *
 * @since 1.0.0
 * @category models
 */
export interface SendTemplate {
  readonly id: string
  readonly variables?: {
    readonly [name: string]: string | number | boolean | null | undefined
  } | undefined
}

/**
 * A part of `SendEmail` and `BatchEmail`.
 *
 * @since 1.0.0
 * @category models
 */
export interface Tag {
  readonly name: string
  readonly value: string
}

/**
 * A part of `SendEmail`.
 *
 * @since 1.0.0
 * @category models
 */
export interface Attachment {
  readonly content?: string | undefined
  readonly path?: string | undefined
  readonly filename?: string | undefined
  readonly content_type?: string | undefined
  readonly content_id?: string | undefined
}

/**
 * The input of `emails.send`.
 *
 * @since 1.0.0
 * @category models
 */
export interface SendEmail {
  /** The recipients: an address, or up to 50 of them. */
  readonly to: string | ReadonlyArray<string>
  /** The sender, such as `Ada <ada@example.com>`. A template may have one. */
  readonly from?: string | undefined
  /** The subject of the email. A template may have one. */
  readonly subject?: string | undefined
  /** The content of the email as HTML. */
  readonly html?: string | undefined
  /** The content as plain text. Without it, one is made from `html`. */
  readonly text?: string | undefined
  /** A published template instead of `html` and `text`, such as `{"id":"welcome","variables":{"name":"Ada"}}`. */
  readonly template?: SendTemplate | undefined
  /** The addresses that get a copy. */
  readonly cc?: string | ReadonlyArray<string> | undefined
  /** The addresses that get a copy which nobody else sees. */
  readonly bcc?: string | ReadonlyArray<string> | undefined
  /** The addresses that replies go to. */
  readonly reply_to?: string | ReadonlyArray<string> | undefined
  /** Further headers of the email, by their names. */
  readonly headers?: {
    readonly [name: string]: string | undefined
  } | undefined
  /** Names and values to tell emails apart by, such as `{"name":"campaign","value":"spring"}`. */
  readonly tags?: ReadonlyArray<Tag> | undefined
  /** The topic of the email: contacts who opted out of it do not get it. */
  readonly topic_id?: string | undefined
  /** When to send it: an ISO 8601 time, or words such as "in 1 hour"; at most 30 days ahead. */
  readonly scheduled_at?: string | Date | undefined
  /** Files, each as `content` in base64 or as the `path` of a URL; at most 40 MB. */
  readonly attachments?: ReadonlyArray<Attachment> | undefined
}

/**
 * The result of `emails.send`.
 *
 * @since 1.0.0
 * @category models
 */
export interface SentEmail {
  readonly id: string
}

/**
 * A part of `SendBatch`.
 *
 * @since 1.0.0
 * @category models
 */
export interface BatchEmail {
  /** The recipients: an address, or up to 50 of them. */
  readonly to: string | ReadonlyArray<string>
  /** The sender, such as `Ada <ada@example.com>`. A template may have one. */
  readonly from?: string | undefined
  /** The subject of the email. A template may have one. */
  readonly subject?: string | undefined
  /** The content of the email as HTML. */
  readonly html?: string | undefined
  /** The content as plain text. Without it, one is made from `html`. */
  readonly text?: string | undefined
  /** A published template instead of `html` and `text`, such as `{"id":"welcome","variables":{"name":"Ada"}}`. */
  readonly template?: SendTemplate | undefined
  /** The addresses that get a copy. */
  readonly cc?: string | ReadonlyArray<string> | undefined
  /** The addresses that get a copy which nobody else sees. */
  readonly bcc?: string | ReadonlyArray<string> | undefined
  /** The addresses that replies go to. */
  readonly reply_to?: string | ReadonlyArray<string> | undefined
  /** Further headers of the email, by their names. */
  readonly headers?: {
    readonly [name: string]: string | undefined
  } | undefined
  /** Names and values to tell emails apart by, such as `{"name":"campaign","value":"spring"}`. */
  readonly tags?: ReadonlyArray<Tag> | undefined
  /** The topic of the email: contacts who opted out of it do not get it. */
  readonly topic_id?: string | undefined
  /** When to send it: an ISO 8601 time, or words such as "in 1 hour"; at most 30 days ahead. */
  readonly scheduled_at?: string | Date | undefined
  /** Files, each as `content` in base64 or as the `path` of a URL; at most 40 MB. */
  readonly attachments?: undefined
}

/**
 * A part of `SentBatch`.
 *
 * @since 1.0.0
 * @category models
 */
export type BatchResult = {
  readonly _tag: "Accepted"
  readonly id: string
} | {
  readonly _tag: "Rejected"
  readonly error: ValidationError
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
  /** When to send it: an ISO 8601 time, or words such as "in 1 hour"; at most 30 days ahead. */
  readonly scheduled_at: string | Date
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
  /** The name of the template, for people. */
  readonly name: string
  /** The content as HTML. */
  readonly html: string
  /** The content as plain text. */
  readonly text?: string | undefined
  /** Another name of the template, usable instead of its id, such as `welcome`. */
  readonly alias?: string | undefined
  /** The sender, unless an email has its own: an address, or a name with one. */
  readonly from?: string | undefined
  /** The subject line, unless an email has its own. */
  readonly subject?: string | undefined
  /** The addresses that replies go to, unless an email has its own. */
  readonly reply_to?: string | ReadonlyArray<string> | undefined
  /** The variables in the content, at most 50, such as `{"key":"NAME","type":"string"}`. */
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
  /** The name of the template, for people. */
  readonly name?: string | undefined
  /** The content as HTML. */
  readonly html?: string | undefined
  /** The content as plain text. */
  readonly text?: string | null | undefined
  /** Another name of the template, usable instead of its id, such as `welcome`. */
  readonly alias?: string | null | undefined
  /** The sender, unless an email has its own: an address, or a name with one. */
  readonly from?: string | null | undefined
  /** The subject line, unless an email has its own. */
  readonly subject?: string | null | undefined
  /** The addresses that replies go to, unless an email has its own. */
  readonly reply_to?: string | ReadonlyArray<string> | null | undefined
  /** The variables in the content, at most 50, such as `{"key":"NAME","type":"string"}`. */
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
  /** The name of the topic, which contacts see. */
  readonly name: string
  /** What contacts are told about the topic. */
  readonly description?: string | undefined
  /** Whether contacts who have not chosen receive it. It cannot be changed later. */
  readonly default_subscription?: "opt_in" | "opt_out" | undefined
  /** Whether the topic is shown to contacts. */
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
  /** The name of the topic, which contacts see. */
  readonly name?: string | undefined
  /** What contacts are told about the topic. */
  readonly description?: string | undefined
  /** Whether the topic is shown to contacts. */
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
  /** The name under which contacts have it: letters, digits and underscores, at most 50. */
  readonly key: string
  /** What its values are: texts or numbers. It cannot be changed later. */
  readonly type: "string" | "number"
  /** The value for contacts that have none: a text or a number, as its type is. */
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
  /** The value for contacts that have none: a text or a number, as its type is. */
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
  /** The address that nothing is sent to any more. */
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
  /** The addresses of the suppressions: 1 to 100. */
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
  /** The URL that events are sent to. */
  readonly endpoint: string
  /** The types of the events to send, at least one. */
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
  /** The URL that events are sent to. */
  readonly endpoint?: string | undefined
  /** The types of the events to send, at least one. */
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
  /** Whether events are sent to the endpoint. */
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

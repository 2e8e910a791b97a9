/**
 * One service for each list, with its layers: `domains.list({ limit: 10 })`, with `domains` from `yield* Domains`.
 *
 * Generated from the table of lists by `npm run generate`.
 *
 * @since 1.0.0
 */
import * as ApiKeyOperations from "../core/ApiKeyOperations.ts"
import * as BroadcastOperations from "../core/BroadcastOperations.ts"
import * as ContactOperations from "../core/ContactOperations.ts"
import * as ContactPropertyOperations from "../core/ContactPropertyOperations.ts"
import * as DomainOperations from "../core/DomainOperations.ts"
import * as EmailAttachmentOperations from "../core/EmailAttachmentOperations.ts"
import * as EmailOperations from "../core/EmailOperations.ts"
import * as ReceivedEmailAttachmentOperations from "../core/ReceivedEmailAttachmentOperations.ts"
import * as ReceivedEmailOperations from "../core/ReceivedEmailOperations.ts"
import * as Resource from "../core/Resource.ts"
import * as SegmentOperations from "../core/SegmentOperations.ts"
import * as SuppressionOperations from "../core/SuppressionOperations.ts"
import * as TemplateOperations from "../core/TemplateOperations.ts"
import * as TopicOperations from "../core/TopicOperations.ts"
import * as WebhookOperations from "../core/WebhookOperations.ts"
import type * as Methods from "./Methods.ts"
import * as Service from "./Service.ts"

/**
 * All domains.
 *
 * @since 1.0.0
 * @category services
 */
export class Domains extends /* #__PURE__ */ Service.make<Domains, Methods.Domains>()(
  "Domains",
  Resource.domains,
  DomainOperations.operations
) {}

/**
 * All API keys.
 *
 * @since 1.0.0
 * @category services
 */
export class ApiKeys extends /* #__PURE__ */ Service.make<ApiKeys, Methods.ApiKeys>()(
  "ApiKeys",
  Resource.apiKeys,
  ApiKeyOperations.operations
) {}

/**
 * All broadcasts.
 *
 * @since 1.0.0
 * @category services
 */
export class Broadcasts extends /* #__PURE__ */ Service.make<Broadcasts, Methods.Broadcasts>()(
  "Broadcasts",
  Resource.broadcasts,
  BroadcastOperations.operations
) {}

/**
 * All segments, or those of one contact.
 *
 * @since 1.0.0
 * @category services
 * @example
 * ```ts
 * import { ContactId } from "@mailstream/effect4"
 * import { Segments } from "@mailstream/effect4"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function*() {
 *   const segments = yield* Segments
 *   return yield* segments.list({ limit: 10, filter: { contact_id: ContactId.make("…") } })
 * })
 * ```
 */
export class Segments extends /* #__PURE__ */ Service.make<Segments, Methods.Segments>()(
  "Segments",
  Resource.segments,
  SegmentOperations.operations
) {}

/**
 * All contacts, or those of one segment.
 *
 * @since 1.0.0
 * @category services
 * @example
 * ```ts
 * import { SegmentId } from "@mailstream/effect4"
 * import { Contacts } from "@mailstream/effect4"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function*() {
 *   const contacts = yield* Contacts
 *   return yield* contacts.list({ limit: 10, filter: { segment_id: SegmentId.make("…") } })
 * })
 * ```
 */
export class Contacts extends /* #__PURE__ */ Service.make<Contacts, Methods.Contacts>()(
  "Contacts",
  Resource.contacts,
  ContactOperations.operations
) {}

/**
 * All received emails.
 *
 * @since 1.0.0
 * @category services
 */
export class ReceivedEmails extends /* #__PURE__ */ Service.make<ReceivedEmails, Methods.ReceivedEmails>()(
  "ReceivedEmails",
  Resource.receivedEmails,
  ReceivedEmailOperations.operations
) {}

/**
 * The received email attachments of one email.
 *
 * @since 1.0.0
 * @category services
 * @example
 * ```ts
 * import { ReceivedEmailId } from "@mailstream/effect4"
 * import { ReceivedEmailAttachments } from "@mailstream/effect4"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function*() {
 *   const receivedEmailAttachments = yield* ReceivedEmailAttachments
 *   return yield* receivedEmailAttachments.list({ limit: 10, filter: { email_id: ReceivedEmailId.make("…") } })
 * })
 * ```
 */
export class ReceivedEmailAttachments
  extends /* #__PURE__ */ Service.make<ReceivedEmailAttachments, Methods.ReceivedEmailAttachments>()(
    "ReceivedEmailAttachments",
    Resource.receivedEmailAttachments,
    ReceivedEmailAttachmentOperations.operations
  )
{}

/**
 * All emails.
 *
 * @since 1.0.0
 * @category services
 */
export class Emails
  extends /* #__PURE__ */ Service.make<Emails, Methods.Emails>()("Emails", Resource.emails, EmailOperations.operations)
{}

/**
 * All templates.
 *
 * @since 1.0.0
 * @category services
 */
export class Templates extends /* #__PURE__ */ Service.make<Templates, Methods.Templates>()(
  "Templates",
  Resource.templates,
  TemplateOperations.operations
) {}

/**
 * All topics.
 *
 * @since 1.0.0
 * @category services
 */
export class Topics
  extends /* #__PURE__ */ Service.make<Topics, Methods.Topics>()("Topics", Resource.topics, TopicOperations.operations)
{}

/**
 * The email attachments of one email.
 *
 * @since 1.0.0
 * @category services
 * @example
 * ```ts
 * import { EmailId } from "@mailstream/effect4"
 * import { EmailAttachments } from "@mailstream/effect4"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function*() {
 *   const emailAttachments = yield* EmailAttachments
 *   return yield* emailAttachments.list({ limit: 10, filter: { email_id: EmailId.make("…") } })
 * })
 * ```
 */
export class EmailAttachments extends /* #__PURE__ */ Service.make<EmailAttachments, Methods.EmailAttachments>()(
  "EmailAttachments",
  Resource.emailAttachments,
  EmailAttachmentOperations.operations
) {}

/**
 * The contact topics of one contact.
 *
 * @since 1.0.0
 * @category services
 * @example
 * ```ts
 * import { ContactId } from "@mailstream/effect4"
 * import { ContactTopics } from "@mailstream/effect4"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function*() {
 *   const contactTopics = yield* ContactTopics
 *   return yield* contactTopics.list({ limit: 10, filter: { contact_id: ContactId.make("…") } })
 * })
 * ```
 */
export class ContactTopics
  extends /* #__PURE__ */ Service.make<ContactTopics>()("ContactTopics", Resource.contactTopics, {})
{}

/**
 * All contact properties.
 *
 * @since 1.0.0
 * @category services
 */
export class ContactProperties extends /* #__PURE__ */ Service.make<ContactProperties, Methods.ContactProperties>()(
  "ContactProperties",
  Resource.contactProperties,
  ContactPropertyOperations.operations
) {}

/**
 * The broadcast recipients of one broadcast.
 *
 * @since 1.0.0
 * @category services
 * @example
 * ```ts
 * import { BroadcastId } from "@mailstream/effect4"
 * import { BroadcastRecipients } from "@mailstream/effect4"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function*() {
 *   const broadcastRecipients = yield* BroadcastRecipients
 *   return yield* broadcastRecipients.list({ limit: 10, filter: { broadcast_id: BroadcastId.make("…"), type: "sent" } })
 * })
 * ```
 */
export class BroadcastRecipients
  extends /* #__PURE__ */ Service.make<BroadcastRecipients>()("BroadcastRecipients", Resource.broadcastRecipients, {})
{}

/**
 * All suppressions, or those of one origin.
 *
 * @since 1.0.0
 * @category services
 * @example
 * ```ts
 * import { Suppressions } from "@mailstream/effect4"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function*() {
 *   const suppressions = yield* Suppressions
 *   return yield* suppressions.list({ limit: 10, filter: { origin: "bounce" } })
 * })
 * ```
 */
export class Suppressions extends /* #__PURE__ */ Service.make<Suppressions, Methods.Suppressions>()(
  "Suppressions",
  Resource.suppressions,
  SuppressionOperations.operations
) {}

/**
 * All webhooks.
 *
 * @since 1.0.0
 * @category services
 */
export class Webhooks extends /* #__PURE__ */ Service.make<Webhooks, Methods.Webhooks>()(
  "Webhooks",
  Resource.webhooks,
  WebhookOperations.operations
) {}

/**
 * One service for each list, with its layers: `domains.list({ limit: 10 })`, with `domains` from `yield* Domains`.
 *
 * Generated from the table of lists by `npm run generate`.
 *
 * @since 1.0.0
 */
import * as ApiKeyOperations from "@mailstream/core/ApiKeyOperations"
import * as BroadcastOperations from "@mailstream/core/BroadcastOperations"
import * as ContactOperations from "@mailstream/core/ContactOperations"
import * as DomainOperations from "@mailstream/core/DomainOperations"
import * as EmailOperations from "@mailstream/core/EmailOperations"
import * as ReceivedEmailAttachmentOperations from "@mailstream/core/ReceivedEmailAttachmentOperations"
import * as ReceivedEmailOperations from "@mailstream/core/ReceivedEmailOperations"
import * as Resource from "@mailstream/core/Resource"
import * as SegmentOperations from "@mailstream/core/SegmentOperations"
import * as TemplateOperations from "@mailstream/core/TemplateOperations"
import * as TopicOperations from "@mailstream/core/TopicOperations"
import * as Service from "./Service.ts"

/**
 * All domains.
 *
 * @since 1.0.0
 * @category services
 */
export class Domains
  extends /* #__PURE__ */ Service.make<Domains>()("Domains", Resource.domains, DomainOperations.operations)
{}

/**
 * All API keys.
 *
 * @since 1.0.0
 * @category services
 */
export class ApiKeys
  extends /* #__PURE__ */ Service.make<ApiKeys>()("ApiKeys", Resource.apiKeys, ApiKeyOperations.operations)
{}

/**
 * All broadcasts.
 *
 * @since 1.0.0
 * @category services
 */
export class Broadcasts
  extends /* #__PURE__ */ Service.make<Broadcasts>()("Broadcasts", Resource.broadcasts, BroadcastOperations.operations)
{}

/**
 * All segments.
 *
 * @since 1.0.0
 * @category services
 */
export class Segments
  extends /* #__PURE__ */ Service.make<Segments>()("Segments", Resource.segments, SegmentOperations.operations)
{}

/**
 * All contacts, or those of one segment.
 *
 * @since 1.0.0
 * @category services
 * @example
 * ```ts
 * import { SegmentId } from "@mailstream/core"
 * import { Contacts } from "@mailstream/http"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function*() {
 *   const contacts = yield* Contacts
 *   return yield* contacts.list({ limit: 10, filter: { segment_id: SegmentId.make("…") } })
 * })
 * ```
 */
export class Contacts
  extends /* #__PURE__ */ Service.make<Contacts>()("Contacts", Resource.contacts, ContactOperations.operations)
{}

/**
 * All received emails.
 *
 * @since 1.0.0
 * @category services
 */
export class ReceivedEmails extends /* #__PURE__ */ Service.make<ReceivedEmails>()(
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
 * import { ReceivedEmailId } from "@mailstream/core"
 * import { ReceivedEmailAttachments } from "@mailstream/http"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function*() {
 *   const receivedEmailAttachments = yield* ReceivedEmailAttachments
 *   return yield* receivedEmailAttachments.list({ limit: 10, filter: { email_id: ReceivedEmailId.make("…") } })
 * })
 * ```
 */
export class ReceivedEmailAttachments extends /* #__PURE__ */ Service.make<ReceivedEmailAttachments>()(
  "ReceivedEmailAttachments",
  Resource.receivedEmailAttachments,
  ReceivedEmailAttachmentOperations.operations
) {}

/**
 * All emails.
 *
 * @since 1.0.0
 * @category services
 */
export class Emails
  extends /* #__PURE__ */ Service.make<Emails>()("Emails", Resource.emails, EmailOperations.operations)
{}

/**
 * All templates.
 *
 * @since 1.0.0
 * @category services
 */
export class Templates
  extends /* #__PURE__ */ Service.make<Templates>()("Templates", Resource.templates, TemplateOperations.operations)
{}

/**
 * All topics.
 *
 * @since 1.0.0
 * @category services
 */
export class Topics
  extends /* #__PURE__ */ Service.make<Topics>()("Topics", Resource.topics, TopicOperations.operations)
{}

/**
 * One service for each list, with its layers: `domains.list({ limit: 10 })`, with `domains` from `yield* Domains`.
 *
 * Generated from the table of lists by `npm run generate`.
 *
 * @since 1.0.0
 */
import * as Resource from "@mailstream/core/Resource"
import * as ListService from "./ListService.ts"

/**
 * All domains.
 *
 * @since 1.0.0
 * @category services
 */
export class Domains extends /* #__PURE__ */ ListService.Service<Domains>()("Domains", Resource.domains) {}

/**
 * All API keys.
 *
 * @since 1.0.0
 * @category services
 */
export class ApiKeys extends /* #__PURE__ */ ListService.Service<ApiKeys>()("ApiKeys", Resource.apiKeys) {}

/**
 * All broadcasts.
 *
 * @since 1.0.0
 * @category services
 */
export class Broadcasts extends /* #__PURE__ */ ListService.Service<Broadcasts>()("Broadcasts", Resource.broadcasts) {}

/**
 * All segments.
 *
 * @since 1.0.0
 * @category services
 */
export class Segments extends /* #__PURE__ */ ListService.Service<Segments>()("Segments", Resource.segments) {}

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
export class Contacts extends /* #__PURE__ */ ListService.Service<Contacts>()("Contacts", Resource.contacts) {}

/**
 * All received emails.
 *
 * @since 1.0.0
 * @category services
 */
export class ReceivedEmails
  extends /* #__PURE__ */ ListService.Service<ReceivedEmails>()("ReceivedEmails", Resource.receivedEmails)
{}

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
export class ReceivedEmailAttachments extends /* #__PURE__ */ ListService.Service<ReceivedEmailAttachments>()(
  "ReceivedEmailAttachments",
  Resource.receivedEmailAttachments
) {}

/**
 * All emails.
 *
 * @since 1.0.0
 * @category services
 */
export class Emails extends /* #__PURE__ */ ListService.Service<Emails>()("Emails", Resource.emails) {}

/**
 * All templates.
 *
 * @since 1.0.0
 * @category services
 */
export class Templates extends /* #__PURE__ */ ListService.Service<Templates>()("Templates", Resource.templates) {}

export { Topics } from "./Topics.ts"

/**
 * One service for each list, with its layers.
 *
 * Generated from the table of lists by `npm run generate`.
 *
 * @since 0.1.0
 */
import * as Resource from "@mailstream/core/Resource"
import * as ListService from "./ListService.ts"

/**
 * All domains.
 *
 * @since 0.1.0
 * @category services
 */
export class Domains extends /* #__PURE__ */ ListService.Service<Domains>()("Domains", Resource.domains) {}

/**
 * All API keys.
 *
 * @since 0.1.0
 * @category services
 */
export class ApiKeys extends /* #__PURE__ */ ListService.Service<ApiKeys>()("ApiKeys", Resource.apiKeys) {}

/**
 * All broadcasts.
 *
 * @since 0.1.0
 * @category services
 */
export class Broadcasts extends /* #__PURE__ */ ListService.Service<Broadcasts>()("Broadcasts", Resource.broadcasts) {}

/**
 * All segments.
 *
 * @since 0.1.0
 * @category services
 */
export class Segments extends /* #__PURE__ */ ListService.Service<Segments>()("Segments", Resource.segments) {}

/**
 * All contacts, or those of one segment.
 *
 * @since 0.1.0
 * @category services
 */
export class Contacts extends /* #__PURE__ */ ListService.Service<Contacts>()("Contacts", Resource.contacts) {}

/**
 * All received emails.
 *
 * @since 0.1.0
 * @category services
 */
export class ReceivedEmails
  extends /* #__PURE__ */ ListService.Service<ReceivedEmails>()("ReceivedEmails", Resource.receivedEmails)
{}

/**
 * The received email attachments of one email.
 *
 * @since 0.1.0
 * @category services
 */
export class ReceivedEmailAttachments extends /* #__PURE__ */ ListService.Service<ReceivedEmailAttachments>()(
  "ReceivedEmailAttachments",
  Resource.receivedEmailAttachments
) {}

/**
 * All emails.
 *
 * @since 0.1.0
 * @category services
 */
export class Emails extends /* #__PURE__ */ ListService.Service<Emails>()("Emails", Resource.emails) {}

/**
 * All templates.
 *
 * @since 0.1.0
 * @category services
 */
export class Templates extends /* #__PURE__ */ ListService.Service<Templates>()("Templates", Resource.templates) {}

export { Topics } from "./Topics.ts"

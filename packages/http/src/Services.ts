/**
 * One service for each list, with its layers.
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
 * @example
 * ```ts
 * import { Domains } from "@mailstream/http"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function*() {
 *   const domains = yield* Domains
 *   return yield* domains.list({ limit: 10 })
 * })
 * ```
 */
export class Domains extends /* #__PURE__ */ ListService.Service<Domains>()("Domains", Resource.domains) {}

/**
 * All API keys.
 *
 * @since 1.0.0
 * @category services
 * @example
 * ```ts
 * import { ApiKeys } from "@mailstream/http"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function*() {
 *   const apiKeys = yield* ApiKeys
 *   return yield* apiKeys.list({ limit: 10 })
 * })
 * ```
 */
export class ApiKeys extends /* #__PURE__ */ ListService.Service<ApiKeys>()("ApiKeys", Resource.apiKeys) {}

/**
 * All broadcasts.
 *
 * @since 1.0.0
 * @category services
 * @example
 * ```ts
 * import { Broadcasts } from "@mailstream/http"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function*() {
 *   const broadcasts = yield* Broadcasts
 *   return yield* broadcasts.list({ limit: 10 })
 * })
 * ```
 */
export class Broadcasts extends /* #__PURE__ */ ListService.Service<Broadcasts>()("Broadcasts", Resource.broadcasts) {}

/**
 * All segments.
 *
 * @since 1.0.0
 * @category services
 * @example
 * ```ts
 * import { Segments } from "@mailstream/http"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function*() {
 *   const segments = yield* Segments
 *   return yield* segments.list({ limit: 10 })
 * })
 * ```
 */
export class Segments extends /* #__PURE__ */ ListService.Service<Segments>()("Segments", Resource.segments) {}

/**
 * All contacts, or those of one segment.
 *
 * @since 1.0.0
 * @category services
 * @example
 * ```ts
 * import { Contacts } from "@mailstream/http"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function*() {
 *   const contacts = yield* Contacts
 *   return yield* contacts.list({ limit: 10 })
 * })
 * ```
 */
export class Contacts extends /* #__PURE__ */ ListService.Service<Contacts>()("Contacts", Resource.contacts) {}

/**
 * All received emails.
 *
 * @since 1.0.0
 * @category services
 * @example
 * ```ts
 * import { ReceivedEmails } from "@mailstream/http"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function*() {
 *   const receivedEmails = yield* ReceivedEmails
 *   return yield* receivedEmails.list({ limit: 10 })
 * })
 * ```
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
 * @example
 * ```ts
 * import { Emails } from "@mailstream/http"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function*() {
 *   const emails = yield* Emails
 *   return yield* emails.list({ limit: 10 })
 * })
 * ```
 */
export class Emails extends /* #__PURE__ */ ListService.Service<Emails>()("Emails", Resource.emails) {}

/**
 * All templates.
 *
 * @since 1.0.0
 * @category services
 * @example
 * ```ts
 * import { Templates } from "@mailstream/http"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function*() {
 *   const templates = yield* Templates
 *   return yield* templates.list({ limit: 10 })
 * })
 * ```
 */
export class Templates extends /* #__PURE__ */ ListService.Service<Templates>()("Templates", Resource.templates) {}

export { Topics } from "./Topics.ts"

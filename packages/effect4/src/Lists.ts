/**
 * The lists of the API: for each a service, and the functions that use it.
 *
 * Generated from the table of lists by `npm run generate`.
 *
 * @since 1.0.0
 */
import type {
  ApiKey,
  Broadcast,
  Contact,
  Domain,
  Email,
  EmailFilter,
  ReceivedEmail,
  ReceivedEmailAttachment,
  Segment,
  SegmentFilter,
  Template
} from "@mailstream/client"
import * as Context from "effect/Context"
import * as Lists from "./internal/list.ts"
import type { List, OptionalLimitList } from "./List.ts"

export type {
  ApiKey,
  Broadcast,
  Contact,
  Domain,
  Email,
  EmailFilter,
  ReceivedEmail,
  ReceivedEmailAttachment,
  Segment,
  SegmentFilter,
  Template,
  Topic
} from "@mailstream/client"
export * from "./Topics.ts"

/**
 * All domains.
 *
 * @since 1.0.0
 * @category services
 * @example
 * ```ts
 * import { Domains } from "@mailstream/effect4"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function*() {
 *   const domains = yield* Domains
 *   return yield* domains.list()
 * })
 * ```
 */
export class Domains extends Context.Service<
  Domains,
  OptionalLimitList<Domain, undefined>
>()("@mailstream/effect4/Domains") {}

/**
 * All domains.
 *
 * @since 1.0.0
 * @category lists
 * @example
 * ```ts
 * import { domains } from "@mailstream/effect4"
 * import { Effect, Stream } from "effect"
 *
 * const program = domains.items().pipe(
 *   Stream.take(500),
 *   Stream.runForEach((item) => Effect.log(item.id))
 * )
 * ```
 */
export const domains: OptionalLimitList<
  Domain,
  undefined,
  Domains
> = /* #__PURE__ */ Lists.usingOptionalLimit(Domains)

/**
 * All API keys.
 *
 * @since 1.0.0
 * @category services
 * @example
 * ```ts
 * import { ApiKeys } from "@mailstream/effect4"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function*() {
 *   const apiKeys = yield* ApiKeys
 *   return yield* apiKeys.list()
 * })
 * ```
 */
export class ApiKeys extends Context.Service<
  ApiKeys,
  OptionalLimitList<ApiKey, undefined>
>()("@mailstream/effect4/ApiKeys") {}

/**
 * All API keys.
 *
 * @since 1.0.0
 * @category lists
 * @example
 * ```ts
 * import { apiKeys } from "@mailstream/effect4"
 * import { Effect, Stream } from "effect"
 *
 * const program = apiKeys.items().pipe(
 *   Stream.take(500),
 *   Stream.runForEach((item) => Effect.log(item.id))
 * )
 * ```
 */
export const apiKeys: OptionalLimitList<
  ApiKey,
  undefined,
  ApiKeys
> = /* #__PURE__ */ Lists.usingOptionalLimit(ApiKeys)

/**
 * All broadcasts.
 *
 * @since 1.0.0
 * @category services
 * @example
 * ```ts
 * import { Broadcasts } from "@mailstream/effect4"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function*() {
 *   const broadcasts = yield* Broadcasts
 *   return yield* broadcasts.list()
 * })
 * ```
 */
export class Broadcasts extends Context.Service<
  Broadcasts,
  OptionalLimitList<Broadcast, undefined>
>()("@mailstream/effect4/Broadcasts") {}

/**
 * All broadcasts.
 *
 * @since 1.0.0
 * @category lists
 * @example
 * ```ts
 * import { broadcasts } from "@mailstream/effect4"
 * import { Effect, Stream } from "effect"
 *
 * const program = broadcasts.items().pipe(
 *   Stream.take(500),
 *   Stream.runForEach((item) => Effect.log(item.id))
 * )
 * ```
 */
export const broadcasts: OptionalLimitList<
  Broadcast,
  undefined,
  Broadcasts
> = /* #__PURE__ */ Lists.usingOptionalLimit(Broadcasts)

/**
 * All segments.
 *
 * @since 1.0.0
 * @category services
 * @example
 * ```ts
 * import { Segments } from "@mailstream/effect4"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function*() {
 *   const segments = yield* Segments
 *   return yield* segments.list()
 * })
 * ```
 */
export class Segments extends Context.Service<
  Segments,
  OptionalLimitList<Segment, undefined>
>()("@mailstream/effect4/Segments") {}

/**
 * All segments.
 *
 * @since 1.0.0
 * @category lists
 * @example
 * ```ts
 * import { segments } from "@mailstream/effect4"
 * import { Effect, Stream } from "effect"
 *
 * const program = segments.items().pipe(
 *   Stream.take(500),
 *   Stream.runForEach((item) => Effect.log(item.id))
 * )
 * ```
 */
export const segments: OptionalLimitList<
  Segment,
  undefined,
  Segments
> = /* #__PURE__ */ Lists.usingOptionalLimit(Segments)

/**
 * All contacts, or those of one segment.
 *
 * @since 1.0.0
 * @category services
 * @example
 * ```ts
 * import { Contacts } from "@mailstream/effect4"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function*() {
 *   const contacts = yield* Contacts
 *   return yield* contacts.list()
 * })
 * ```
 */
export class Contacts extends Context.Service<
  Contacts,
  OptionalLimitList<Contact, SegmentFilter | undefined>
>()("@mailstream/effect4/Contacts") {}

/**
 * All contacts, or those of one segment.
 *
 * @since 1.0.0
 * @category lists
 * @example
 * ```ts
 * import { contacts } from "@mailstream/effect4"
 * import { Effect, Stream } from "effect"
 *
 * const program = contacts.items().pipe(
 *   Stream.take(500),
 *   Stream.runForEach((item) => Effect.log(item.id))
 * )
 * ```
 */
export const contacts: OptionalLimitList<
  Contact,
  SegmentFilter | undefined,
  Contacts
> = /* #__PURE__ */ Lists.usingOptionalLimit(Contacts)

/**
 * All received emails.
 *
 * @since 1.0.0
 * @category services
 * @example
 * ```ts
 * import { ReceivedEmails } from "@mailstream/effect4"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function*() {
 *   const receivedEmails = yield* ReceivedEmails
 *   return yield* receivedEmails.list()
 * })
 * ```
 */
export class ReceivedEmails extends Context.Service<
  ReceivedEmails,
  OptionalLimitList<ReceivedEmail, undefined>
>()("@mailstream/effect4/ReceivedEmails") {}

/**
 * All received emails.
 *
 * @since 1.0.0
 * @category lists
 * @example
 * ```ts
 * import { receivedEmails } from "@mailstream/effect4"
 * import { Effect, Stream } from "effect"
 *
 * const program = receivedEmails.items().pipe(
 *   Stream.take(500),
 *   Stream.runForEach((item) => Effect.log(item.id))
 * )
 * ```
 */
export const receivedEmails: OptionalLimitList<
  ReceivedEmail,
  undefined,
  ReceivedEmails
> = /* #__PURE__ */ Lists.usingOptionalLimit(ReceivedEmails)

/**
 * The received email attachments of one email.
 *
 * @since 1.0.0
 * @category services
 * @example
 * ```ts
 * import { ReceivedEmailAttachments } from "@mailstream/effect4"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function*() {
 *   const receivedEmailAttachments = yield* ReceivedEmailAttachments
 *   return yield* receivedEmailAttachments.list({ filter: { email_id: "…" } })
 * })
 * ```
 */
export class ReceivedEmailAttachments extends Context.Service<
  ReceivedEmailAttachments,
  OptionalLimitList<ReceivedEmailAttachment, EmailFilter>
>()("@mailstream/effect4/ReceivedEmailAttachments") {}

/**
 * The received email attachments of one email.
 *
 * @since 1.0.0
 * @category lists
 * @example
 * ```ts
 * import { receivedEmailAttachments } from "@mailstream/effect4"
 * import { Effect, Stream } from "effect"
 *
 * const program = receivedEmailAttachments.items({ filter: { email_id: "…" } }).pipe(
 *   Stream.take(500),
 *   Stream.runForEach((item) => Effect.log(item.id))
 * )
 * ```
 */
export const receivedEmailAttachments: OptionalLimitList<
  ReceivedEmailAttachment,
  EmailFilter,
  ReceivedEmailAttachments
> = /* #__PURE__ */ Lists.usingOptionalLimit(ReceivedEmailAttachments)

/**
 * All emails.
 *
 * @since 1.0.0
 * @category services
 * @example
 * ```ts
 * import { Emails } from "@mailstream/effect4"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function*() {
 *   const emails = yield* Emails
 *   return yield* emails.list()
 * })
 * ```
 */
export class Emails extends Context.Service<
  Emails,
  List<Email, undefined>
>()("@mailstream/effect4/Emails") {}

/**
 * All emails.
 *
 * @since 1.0.0
 * @category lists
 * @example
 * ```ts
 * import { emails } from "@mailstream/effect4"
 * import { Effect, Stream } from "effect"
 *
 * const program = emails.items().pipe(
 *   Stream.take(500),
 *   Stream.runForEach((item) => Effect.log(item.id))
 * )
 * ```
 */
export const emails: List<
  Email,
  undefined,
  Emails
> = /* #__PURE__ */ Lists.using(Emails)

/**
 * All templates.
 *
 * @since 1.0.0
 * @category services
 * @example
 * ```ts
 * import { Templates } from "@mailstream/effect4"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function*() {
 *   const templates = yield* Templates
 *   return yield* templates.list()
 * })
 * ```
 */
export class Templates extends Context.Service<
  Templates,
  List<Template, undefined>
>()("@mailstream/effect4/Templates") {}

/**
 * All templates.
 *
 * @since 1.0.0
 * @category lists
 * @example
 * ```ts
 * import { templates } from "@mailstream/effect4"
 * import { Effect, Stream } from "effect"
 *
 * const program = templates.items().pipe(
 *   Stream.take(500),
 *   Stream.runForEach((item) => Effect.log(item.id))
 * )
 * ```
 */
export const templates: List<
  Template,
  undefined,
  Templates
> = /* #__PURE__ */ Lists.using(Templates)

/**
 * The lists of the API: for each a service, and the functions that use it.
 *
 * Generated from the table of lists by `npm run generate`.
 *
 * @since 1.0.0
 * @example
 * ```ts
 * import { Domains, domains } from "@mailstream/effect4"
 * import { Effect, Stream } from "effect"
 *
 * const functions = domains.items().pipe(
 *   Stream.take(500),
 *   Stream.runForEach((item) => Effect.log(item.id))
 * )
 *
 * const service = Effect.gen(function*() {
 *   const domains = yield* Domains
 *   return yield* domains.list()
 * })
 * ```
 */
import type * as Client from "@mailstream/client"
import * as Context from "effect/Context"
import * as Lists from "./internal/list.ts"
import type { List, OptionalLimitList, UnorderedList, Using } from "./List.ts"

export type {
  ApiKey,
  Broadcast,
  BroadcastRecipient,
  BroadcastRecipientFilter,
  Contact,
  ContactFilter,
  ContactProperty,
  ContactTopic,
  Domain,
  Email,
  EmailAttachment,
  EmailFilter,
  ReceivedEmail,
  ReceivedEmailAttachment,
  ReceivedEmailFilter,
  Segment,
  SegmentFilter,
  Suppression,
  SuppressionFilter,
  Template,
  Topic,
  Webhook
} from "@mailstream/client"
export * from "./Topics.ts"

/**
 * All domains.
 *
 * @since 1.0.0
 * @category services
 */
export class Domains extends Context.Service<
  Domains,
  OptionalLimitList<Client.Domain>
>()("@mailstream/effect4/Domains") {}

/**
 * All domains.
 *
 * @since 1.0.0
 * @category lists
 */
export const domains: Using<typeof Domains> = /* #__PURE__ */ Lists.usingWhole(Domains)

/**
 * All API keys.
 *
 * @since 1.0.0
 * @category services
 */
export class ApiKeys extends Context.Service<
  ApiKeys,
  OptionalLimitList<Client.ApiKey>
>()("@mailstream/effect4/ApiKeys") {}

/**
 * All API keys.
 *
 * @since 1.0.0
 * @category lists
 */
export const apiKeys: Using<typeof ApiKeys> = /* #__PURE__ */ Lists.usingWhole(ApiKeys)

/**
 * All broadcasts.
 *
 * @since 1.0.0
 * @category services
 */
export class Broadcasts extends Context.Service<
  Broadcasts,
  OptionalLimitList<Client.Broadcast>
>()("@mailstream/effect4/Broadcasts") {}

/**
 * All broadcasts.
 *
 * @since 1.0.0
 * @category lists
 */
export const broadcasts: Using<typeof Broadcasts> = /* #__PURE__ */ Lists.usingWhole(Broadcasts)

/**
 * All segments, or those of one contact.
 *
 * @since 1.0.0
 * @category services
 */
export class Segments extends Context.Service<
  Segments,
  OptionalLimitList<Client.Segment, Client.ContactFilter | undefined>
>()("@mailstream/effect4/Segments") {}

/**
 * All segments, or those of one contact.
 *
 * @since 1.0.0
 * @category lists
 * @example
 * ```ts
 * import { segments } from "@mailstream/effect4"
 * import { Effect, Stream } from "effect"
 *
 * const program = segments.items({ filter: { contact_id: "…" } }).pipe(
 *   Stream.take(500),
 *   Stream.runForEach((item) => Effect.log(item.id))
 * )
 * ```
 */
export const segments: Using<typeof Segments> = /* #__PURE__ */ Lists.usingWhole(Segments)

/**
 * All contacts, or those of one segment.
 *
 * @since 1.0.0
 * @category services
 */
export class Contacts extends Context.Service<
  Contacts,
  OptionalLimitList<Client.Contact, Client.SegmentFilter | undefined>
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
 * const program = contacts.items({ filter: { segment_id: "…" } }).pipe(
 *   Stream.take(500),
 *   Stream.runForEach((item) => Effect.log(item.id))
 * )
 * ```
 */
export const contacts: Using<typeof Contacts> = /* #__PURE__ */ Lists.usingWhole(Contacts)

/**
 * All received emails.
 *
 * @since 1.0.0
 * @category services
 */
export class ReceivedEmails extends Context.Service<
  ReceivedEmails,
  OptionalLimitList<Client.ReceivedEmail>
>()("@mailstream/effect4/ReceivedEmails") {}

/**
 * All received emails.
 *
 * @since 1.0.0
 * @category lists
 */
export const receivedEmails: Using<typeof ReceivedEmails> = /* #__PURE__ */ Lists.usingWhole(ReceivedEmails)

/**
 * The received email attachments of one email.
 *
 * @since 1.0.0
 * @category services
 */
export class ReceivedEmailAttachments extends Context.Service<
  ReceivedEmailAttachments,
  OptionalLimitList<Client.ReceivedEmailAttachment, Client.ReceivedEmailFilter>
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
export const receivedEmailAttachments: Using<typeof ReceivedEmailAttachments> = /* #__PURE__ */ Lists.usingWhole(
  ReceivedEmailAttachments
)

/**
 * All emails.
 *
 * @since 1.0.0
 * @category services
 */
export class Emails extends Context.Service<Emails, List<Client.Email>>()("@mailstream/effect4/Emails") {}

/**
 * All emails.
 *
 * @since 1.0.0
 * @category lists
 */
export const emails: Using<typeof Emails> = /* #__PURE__ */ Lists.using(Emails)

/**
 * All templates.
 *
 * @since 1.0.0
 * @category services
 */
export class Templates extends Context.Service<Templates, List<Client.Template>>()("@mailstream/effect4/Templates") {}

/**
 * All templates.
 *
 * @since 1.0.0
 * @category lists
 */
export const templates: Using<typeof Templates> = /* #__PURE__ */ Lists.using(Templates)

/**
 * The email attachments of one email.
 *
 * @since 1.0.0
 * @category services
 */
export class EmailAttachments extends Context.Service<
  EmailAttachments,
  List<Client.EmailAttachment, Client.EmailFilter>
>()("@mailstream/effect4/EmailAttachments") {}

/**
 * The email attachments of one email.
 *
 * @since 1.0.0
 * @category lists
 * @example
 * ```ts
 * import { emailAttachments } from "@mailstream/effect4"
 * import { Effect, Stream } from "effect"
 *
 * const program = emailAttachments.items({ filter: { email_id: "…" } }).pipe(
 *   Stream.take(500),
 *   Stream.runForEach((item) => Effect.log(item.id))
 * )
 * ```
 */
export const emailAttachments: Using<typeof EmailAttachments> = /* #__PURE__ */ Lists.using(EmailAttachments)

/**
 * The contact topics of one contact.
 *
 * @since 1.0.0
 * @category services
 */
export class ContactTopics extends Context.Service<
  ContactTopics,
  UnorderedList<Client.ContactTopic, Client.ContactFilter>
>()("@mailstream/effect4/ContactTopics") {}

/**
 * The contact topics of one contact.
 *
 * @since 1.0.0
 * @category lists
 * @example
 * ```ts
 * import { contactTopics } from "@mailstream/effect4"
 * import { Effect, Stream } from "effect"
 *
 * const program = contactTopics.items({ filter: { contact_id: "…" } }).pipe(
 *   Stream.take(500),
 *   Stream.runForEach((item) => Effect.log(item.id))
 * )
 * ```
 */
export const contactTopics: Using<typeof ContactTopics> = /* #__PURE__ */ Lists.usingUnordered(ContactTopics)

/**
 * All contact properties.
 *
 * @since 1.0.0
 * @category services
 */
export class ContactProperties extends Context.Service<
  ContactProperties,
  List<Client.ContactProperty>
>()("@mailstream/effect4/ContactProperties") {}

/**
 * All contact properties.
 *
 * @since 1.0.0
 * @category lists
 */
export const contactProperties: Using<typeof ContactProperties> = /* #__PURE__ */ Lists.using(ContactProperties)

/**
 * The broadcast recipients of one broadcast.
 *
 * @since 1.0.0
 * @category services
 */
export class BroadcastRecipients extends Context.Service<
  BroadcastRecipients,
  UnorderedList<Client.BroadcastRecipient, Client.BroadcastRecipientFilter>
>()("@mailstream/effect4/BroadcastRecipients") {}

/**
 * The broadcast recipients of one broadcast.
 *
 * @since 1.0.0
 * @category lists
 * @example
 * ```ts
 * import { broadcastRecipients } from "@mailstream/effect4"
 * import { Effect, Stream } from "effect"
 *
 * const program = broadcastRecipients.items({ filter: { broadcast_id: "…", type: "sent" } }).pipe(
 *   Stream.take(500),
 *   Stream.runForEach((item) => Effect.log(item.id))
 * )
 * ```
 */
export const broadcastRecipients: Using<typeof BroadcastRecipients> = /* #__PURE__ */ Lists.usingUnordered(
  BroadcastRecipients
)

/**
 * All suppressions, or those of one origin.
 *
 * @since 1.0.0
 * @category services
 */
export class Suppressions extends Context.Service<
  Suppressions,
  List<Client.Suppression, Client.SuppressionFilter | undefined>
>()("@mailstream/effect4/Suppressions") {}

/**
 * All suppressions, or those of one origin.
 *
 * @since 1.0.0
 * @category lists
 * @example
 * ```ts
 * import { suppressions } from "@mailstream/effect4"
 * import { Effect, Stream } from "effect"
 *
 * const program = suppressions.items({ filter: { origin: "bounce" } }).pipe(
 *   Stream.take(500),
 *   Stream.runForEach((item) => Effect.log(item.id))
 * )
 * ```
 */
export const suppressions: Using<typeof Suppressions> = /* #__PURE__ */ Lists.using(Suppressions)

/**
 * All webhooks.
 *
 * @since 1.0.0
 * @category services
 */
export class Webhooks extends Context.Service<Webhooks, List<Client.Webhook>>()("@mailstream/effect4/Webhooks") {}

/**
 * All webhooks.
 *
 * @since 1.0.0
 * @category lists
 */
export const webhooks: Using<typeof Webhooks> = /* #__PURE__ */ Lists.using(Webhooks)

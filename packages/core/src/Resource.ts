/**
 * The table of the API's lists. Each list is defined here once: contract, services, streams, the server's routes
 * and the commands are derived or generated from these entries. CONTRIBUTING.md explains how to add one.
 *
 * @since 1.0.0
 */
import * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type { ValidationError } from "./ApiError.ts"
import { ApiKey } from "./ApiKey.ts"
import { Broadcast, BroadcastId } from "./Broadcast.ts"
import { BroadcastRecipient } from "./BroadcastRecipient.ts"
import { Contact, ContactId, ContactRef } from "./Contact.ts"
import { ContactProperty } from "./ContactProperty.ts"
import { ContactTopic } from "./ContactTopic.ts"
import { Domain } from "./Domain.ts"
import { Email, EmailId } from "./Email.ts"
import { EmailAttachment } from "./EmailAttachment.ts"
import * as Filter from "./Filter.ts"
import { open } from "./internal/fields.ts"
import { place, textOf } from "./internal/ref.ts"
import { isOptional } from "./internal/values.ts"
import { ReceivedEmail, ReceivedEmailId } from "./ReceivedEmail.ts"
import { ReceivedEmailAttachment } from "./ReceivedEmailAttachment.ts"
import { Segment, SegmentId } from "./Segment.ts"
import { Suppression } from "./Suppression.ts"
import { Template } from "./Template.ts"
import { Topic } from "./Topic.ts"
import { Webhook } from "./Webhook.ts"

/**
 * Whether a list returns everything when no `limit` is given (`optional`), or a page of 20 (`always`).
 *
 * @since 1.0.0
 * @category models
 */
export type Pagination = "optional" | "always"

/**
 * One list of the API.
 *
 * `Filter` is `undefined` for a list without a filter, includes `undefined` where the filter is optional, and does not
 * where it is required.
 *
 * @since 1.0.0
 * @category models
 */
export interface Resource<
  out Name extends string,
  Item extends { readonly id: string },
  Encoded,
  Filter,
  out Kind extends Pagination
> extends Location<Filter> {
  /** The name in commands, metrics and tables: `api-keys`. */
  readonly name: Name
  /** The name of its service: `ApiKeys`. */
  readonly identifier: string
  /** The name in sentences: `API keys`. */
  readonly title: string
  /** Set for a list that does not say what is new: its newest item need not come first. */
  readonly isUnordered?: true
  readonly item: Schema.Schema<Item, Encoded>
  readonly id: Schema.Schema<Item["id"], string>
  readonly pagination: Kind
  /** The fields that people look for, the most important ones first; default: those that every item has. */
  readonly columns?: ReadonlyArray<string> | undefined
}

/**
 * A list of any name and kind.
 *
 * @since 1.0.0
 * @category models
 */
export interface Any<Item extends { readonly id: string }, Encoded, Filter>
  extends Resource<string, Item, Encoded, Filter, Pagination>
{}

/**
 * Where a list is found.
 *
 * @since 1.0.0
 * @category models
 */
export interface Location<Filter> {
  /** If a filter is required, with a placeholder for its field: `/emails/receiving/:email_id/attachments`. */
  readonly path: Path
  readonly isFilter: Predicate.Refinement<unknown, Filter>
  /** The list of the same items within something else; `undefined` for a list that is not within anything. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly scope: Scope<Exclude<Filter, undefined>, any> | undefined
  /** The fields of the filter that are sent in the query of the URL: `origin`. Most lists have none. */
  readonly query: Schema.Struct.Fields
}

/**
 * A list within something else, its owner: the contacts of a segment, the attachments of an email.
 *
 * @since 1.0.0
 * @category models
 */
export interface Scope<Filter, Params = Filter> {
  /** The field of the filter that holds the id of the owner. */
  readonly field: keyof Filter & string
  /** With a placeholder for the field: `/segments/:segment_id/contacts`. */
  readonly path: Path
  /** Whether the list can only be read with the filter. */
  readonly required: boolean
  /** The name of the list that the owner is an item of: `segments`. */
  readonly owner: string
  /** What one owner is called in sentences: `segment`. */
  readonly noun: string
  /** Another name of an owner, which a filter may have in place of its id, as in `{ email }`. Most owners have none. */
  readonly other?: string
  /**
   * Whether a request for each owner takes too many of them: there can be hundreds of thousands of contacts. A copy of all
   * lists leaves such a list out unless it is named.
   */
  readonly isCostly: boolean
  /**
   * Whether what an owner holds stays the same as long as the owner exists, like the attachments of an email. A copy reads it
   * once for each owner, and does not find changes.
   */
  readonly isFixed: boolean
  /** The parameters of the path: the id of the owner. */
  readonly params: Schema.Schema<Params, { readonly [Field in keyof Params]: string }>
}

/**
 * @since 1.0.0
 * @category models
 */
export type Path = `/${string}`

/**
 * Selects the contacts of one segment.
 *
 * @since 1.0.0
 * @category filters
 */
export interface SegmentFilter {
  readonly segment_id: SegmentId
}

/**
 * Selects the attachments of one received email.
 *
 * @since 1.0.0
 * @category filters
 */
export interface ReceivedEmailFilter {
  readonly email_id: ReceivedEmailId
}

/**
 * Selects the attachments of one email that was sent.
 *
 * @since 1.0.0
 * @category filters
 */
export interface EmailFilter {
  readonly email_id: EmailId
}

/**
 * Selects the segments or topics of one contact.
 *
 * @since 1.0.0
 * @category filters
 */
export interface ContactFilter {
  readonly contact_id: ContactRef
}

/**
 * Selects the recipients of one broadcast to whom something happened.
 *
 * @since 1.0.0
 * @category filters
 */
export interface BroadcastRecipientFilter {
  readonly broadcast_id: BroadcastId
  readonly type: RecipientType
  /** Only the recipient with this address. */
  readonly email?: string | undefined
  /** Only bounces of this type. */
  readonly bounce_type?: string | undefined
}

/**
 * What happened to a recipient of a broadcast.
 *
 * @since 1.0.0
 * @category filters
 */
export type RecipientType = typeof recipientType.Type

/**
 * Selects suppressions by what they were made for.
 *
 * @since 1.0.0
 * @category filters
 */
export interface SuppressionFilter {
  readonly origin: "bounce" | "complaint" | "manual" | (string & {})
}

const list = <
  const Name extends string,
  Item extends { readonly id: string },
  Encoded,
  Filter,
  const Kind extends Pagination
>(
  entry: Pick<Resource<Name, Item, Encoded, Filter, Kind>, "name" | "pagination" | "path" | "columns"> & {
    /** Default: the name, in words. */
    readonly title?: string
    readonly isUnordered?: true
    readonly item: Schema.Schema<Item, Encoded> & {
      readonly fields: Pick<Resource<Name, Item, Encoded, Filter, Kind>, "id">
    }
  },
  filtering: Omit<Location<Filter>, "path">
): Resource<Name, Item, Encoded, Filter, Kind> => ({
  title: entry.name.replaceAll("-", " "),
  identifier: entry.name.replace(/(?:^|-)./g, (start) => start.slice(-1).toUpperCase()),
  id: entry.item.fields.id,
  ...entry,
  ...filtering
})

const unfiltered: Omit<Location<undefined>, "path"> = { isFilter: Predicate.isUndefined, scope: undefined, query: {} }

/**
 * @since 1.0.0
 * @category lists
 */
export const domains: Resource<"domains", Domain, typeof Domain.Encoded, undefined, "optional"> = /* #__PURE__ */ list({
  name: "domains",
  item: Domain,
  pagination: "optional",
  path: "/domains"
}, unfiltered)

/**
 * @since 1.0.0
 * @category lists
 */
export const apiKeys: Resource<"api-keys", ApiKey, typeof ApiKey.Encoded, undefined, "optional"> = /* #__PURE__ */ list(
  { name: "api-keys", title: "API keys", item: ApiKey, pagination: "optional", path: "/api-keys" },
  unfiltered
)

/**
 * @since 1.0.0
 * @category lists
 */
export const broadcasts: Resource<"broadcasts", Broadcast, typeof Broadcast.Encoded, undefined, "optional"> =
  /* #__PURE__ */ list({
    name: "broadcasts",
    item: Broadcast,
    pagination: "optional",
    path: "/broadcasts",
    columns: ["name", "status", "created_at"]
  }, unfiltered)

const contactParams = /* #__PURE__ */ Schema.Struct({ contact_id: ContactId })

const contactFilter = /* #__PURE__ */ Schema.Struct({ contact_id: ContactRef })

/**
 * The segments of one contact.
 *
 * @since 1.0.0
 * @category scopes
 */
export const segmentsOfContact: Scope<ContactFilter, typeof contactParams.Type> = {
  field: "contact_id",
  path: "/contacts/:contact_id/segments",
  required: false,
  owner: "contacts",
  noun: "contact",
  other: "email",
  isCostly: true,
  isFixed: false,
  params: contactParams
}

/**
 * All segments, or those of one contact.
 *
 * @since 1.0.0
 * @category lists
 */
export const segments: Resource<
  "segments",
  Segment,
  typeof Segment.Encoded,
  ContactFilter | undefined,
  "optional"
> = /* #__PURE__ */ list({ name: "segments", item: Segment, pagination: "optional", path: "/segments" }, {
  isFilter: /* #__PURE__ */ Predicate.or(Predicate.isUndefined, /* #__PURE__ */ Schema.is(contactFilter)),
  scope: segmentsOfContact,
  query: {}
})

const segmentParams = /* #__PURE__ */ Schema.Struct({ segment_id: SegmentId })

/**
 * The contacts of one segment.
 *
 * @since 1.0.0
 * @category scopes
 */
export const contactsOfSegment: Scope<SegmentFilter> = {
  field: "segment_id",
  path: "/segments/:segment_id/contacts",
  required: false,
  owner: "segments",
  noun: "segment",
  isCostly: false,
  isFixed: false,
  params: segmentParams
}

/**
 * All contacts, or those of one segment.
 *
 * @since 1.0.0
 * @category lists
 */
export const contacts: Resource<
  "contacts",
  Contact,
  typeof Contact.Encoded,
  SegmentFilter | undefined,
  "optional"
> = /* #__PURE__ */ list({ name: "contacts", item: Contact, pagination: "optional", path: "/contacts" }, {
  isFilter: /* #__PURE__ */ Predicate.or(Predicate.isUndefined, /* #__PURE__ */ Schema.is(segmentParams)),
  scope: contactsOfSegment,
  query: {}
})

/**
 * @since 1.0.0
 * @category lists
 */
export const receivedEmails: Resource<
  "received-emails",
  ReceivedEmail,
  typeof ReceivedEmail.Encoded,
  undefined,
  "optional"
> = /* #__PURE__ */ list({
  name: "received-emails",
  item: ReceivedEmail,
  pagination: "optional",
  path: "/emails/receiving",
  columns: ["from", "subject", "created_at", "to"]
}, unfiltered)

const receivedAttachmentsPath = "/emails/receiving/:email_id/attachments"

const receivedEmailParams = /* #__PURE__ */ Schema.Struct({ email_id: ReceivedEmailId })

/**
 * The attachments of one received email.
 *
 * @since 1.0.0
 * @category scopes
 */
export const attachmentsOfReceivedEmail: Scope<ReceivedEmailFilter> = {
  field: "email_id",
  path: receivedAttachmentsPath,
  required: true,
  owner: "received-emails",
  noun: "email",
  isCostly: false,
  isFixed: true,
  params: receivedEmailParams
}

/**
 * The attachments of one received email.
 *
 * @since 1.0.0
 * @category lists
 */
export const receivedEmailAttachments: Resource<
  "received-email-attachments",
  ReceivedEmailAttachment,
  typeof ReceivedEmailAttachment.Encoded,
  ReceivedEmailFilter,
  "optional"
> = /* #__PURE__ */ list({
  name: "received-email-attachments",
  item: ReceivedEmailAttachment,
  pagination: "optional",
  path: receivedAttachmentsPath
}, { isFilter: /* #__PURE__ */ Schema.is(receivedEmailParams), scope: attachmentsOfReceivedEmail, query: {} })

/**
 * @since 1.0.0
 * @category lists
 */
export const emails: Resource<"emails", Email, typeof Email.Encoded, undefined, "always"> = /* #__PURE__ */ list({
  name: "emails",
  item: Email,
  pagination: "always",
  path: "/emails",
  columns: ["subject", "to", "last_event", "created_at", "from"]
}, unfiltered)

/**
 * @since 1.0.0
 * @category lists
 */
export const templates: Resource<"templates", Template, typeof Template.Encoded, undefined, "always"> =
  /* #__PURE__ */ list({ name: "templates", item: Template, pagination: "always", path: "/templates" }, unfiltered)

/**
 * @since 1.0.0
 * @category lists
 */
export const topics: Resource<"topics", Topic, typeof Topic.Encoded, undefined, "always"> = /* #__PURE__ */ list({
  name: "topics",
  item: Topic,
  pagination: "always",
  path: "/topics"
}, unfiltered)

const attachmentsPath = "/emails/:email_id/attachments"

const emailParams = /* #__PURE__ */ Schema.Struct({ email_id: EmailId })

/**
 * The attachments of one email that was sent.
 *
 * @since 1.0.0
 * @category scopes
 */
export const attachmentsOfEmail: Scope<EmailFilter> = {
  field: "email_id",
  path: attachmentsPath,
  required: true,
  owner: "emails",
  noun: "email",
  isCostly: true,
  isFixed: true,
  params: emailParams
}

/**
 * The attachments of one email that was sent.
 *
 * @since 1.0.0
 * @category lists
 */
export const emailAttachments: Resource<
  "email-attachments",
  EmailAttachment,
  typeof EmailAttachment.Encoded,
  EmailFilter,
  "always"
> = /* #__PURE__ */ list({
  name: "email-attachments",
  item: EmailAttachment,
  pagination: "always",
  path: attachmentsPath
}, { isFilter: /* #__PURE__ */ Schema.is(emailParams), scope: attachmentsOfEmail, query: {} })

const contactTopicsPath = "/contacts/:contact_id/topics"

/**
 * The topics of one contact.
 *
 * @since 1.0.0
 * @category scopes
 */
export const topicsOfContact: Scope<ContactFilter, typeof contactParams.Type> = {
  field: "contact_id",
  path: contactTopicsPath,
  required: true,
  owner: "contacts",
  noun: "contact",
  other: "email",
  isCostly: true,
  isFixed: false,
  params: contactParams
}

/**
 * The topics of one contact, with its subscriptions.
 *
 * @since 1.0.0
 * @category lists
 */
export const contactTopics: Resource<
  "contact-topics",
  ContactTopic,
  typeof ContactTopic.Encoded,
  ContactFilter,
  "always"
> = /* #__PURE__ */ list({
  name: "contact-topics",
  item: ContactTopic,
  pagination: "always",
  path: contactTopicsPath,
  isUnordered: true
}, { isFilter: /* #__PURE__ */ Schema.is(contactFilter), scope: topicsOfContact, query: {} })

/**
 * @since 1.0.0
 * @category lists
 */
export const contactProperties: Resource<
  "contact-properties",
  ContactProperty,
  typeof ContactProperty.Encoded,
  undefined,
  "always"
> = /* #__PURE__ */ list({
  name: "contact-properties",
  item: ContactProperty,
  pagination: "always",
  path: "/contact-properties"
}, unfiltered)

const recipientsPath = "/broadcasts/:broadcast_id/recipients"

const broadcastParams = /* #__PURE__ */ Schema.Struct({ broadcast_id: BroadcastId })

const recipientType = /* #__PURE__ */ Schema.Literal(
  "sent",
  "delivered",
  "opened",
  "clicked",
  "bounced",
  "complained",
  "unsubscribed",
  "suppressed"
)

const optionalText = /* #__PURE__ */ Schema.optional(Schema.NonEmptyString)

/**
 * The recipients of one broadcast.
 *
 * @since 1.0.0
 * @category scopes
 */
export const recipientsOfBroadcast: Scope<BroadcastRecipientFilter, Pick<BroadcastRecipientFilter, "broadcast_id">> = {
  field: "broadcast_id",
  path: recipientsPath,
  required: true,
  owner: "broadcasts",
  noun: "broadcast",
  isCostly: true,
  isFixed: false,
  params: broadcastParams
}

/**
 * The recipients of one broadcast to whom something happened.
 *
 * @since 1.0.0
 * @category lists
 */
export const broadcastRecipients: Resource<
  "broadcast-recipients",
  BroadcastRecipient,
  typeof BroadcastRecipient.Encoded,
  BroadcastRecipientFilter,
  "always"
> = /* #__PURE__ */ list({
  name: "broadcast-recipients",
  item: BroadcastRecipient,
  pagination: "always",
  path: recipientsPath,
  isUnordered: true
}, {
  isFilter: /* #__PURE__ */ Schema.is(
    /* #__PURE__ */ Schema.Struct({
      broadcast_id: BroadcastId,
      type: recipientType,
      email: optionalText,
      bounce_type: optionalText
    })
  ),
  scope: recipientsOfBroadcast,
  query: { type: recipientType, email: optionalText, bounce_type: optionalText }
})

const suppressionQuery = { origin: /* #__PURE__ */ open("bounce", "complaint", "manual") }

/**
 * All suppressions, or those of one origin.
 *
 * @since 1.0.0
 * @category lists
 */
export const suppressions: Resource<
  "suppressions",
  Suppression,
  typeof Suppression.Encoded,
  SuppressionFilter | undefined,
  "always"
> = /* #__PURE__ */ list({
  name: "suppressions",
  item: Suppression,
  pagination: "always",
  path: "/suppressions"
}, {
  isFilter: /* #__PURE__ */ Predicate.or(
    Predicate.isUndefined,
    /* #__PURE__ */ Schema.is(/* #__PURE__ */ Schema.Struct(suppressionQuery))
  ),
  scope: undefined,
  query: suppressionQuery
})

/**
 * @since 1.0.0
 * @category lists
 */
export const webhooks: Resource<"webhooks", Webhook, typeof Webhook.Encoded, undefined, "always"> =
  /* #__PURE__ */ list({ name: "webhooks", item: Webhook, pagination: "always", path: "/webhooks" }, unfiltered)

/**
 * Every list: first those of the specification, in its order.
 *
 * @since 1.0.0
 * @category lists
 */
export const all = [
  domains,
  apiKeys,
  broadcasts,
  segments,
  contacts,
  receivedEmails,
  receivedEmailAttachments,
  emails,
  templates,
  topics,
  emailAttachments,
  contactTopics,
  contactProperties,
  broadcastRecipients,
  suppressions,
  webhooks
] as const

/**
 * How many items a page has when no `limit` is given; `undefined` means all of them.
 *
 * @since 1.0.0
 * @category getters
 */
export const defaultLimit = (resource: { readonly pagination: Pagination }): number | undefined =>
  resource.pagination === "always" ? 20 : undefined

/**
 * The id of the owner that a filter names, or its other name; `undefined` without a filter.
 *
 * @since 1.0.0
 * @category getters
 * @example
 * ```ts
 * import { Resource, SegmentId } from "@mailstream/core"
 *
 * Resource.ownerId(Resource.contacts, { segment_id: SegmentId.make("s-1") }) // "s-1"
 * ```
 */
export const ownerId = <Filter>({ scope }: Location<Filter>, filter: Filter | undefined): string | undefined =>
  scope !== undefined && Predicate.isNotUndefined(filter) ? textOf(filter[scope.field]) : undefined

/**
 * The fields of a filter that are sent in the query of the URL; empty for a list without such fields.
 *
 * @since 1.0.0
 * @category getters
 * @example
 * ```ts
 * import { Resource } from "@mailstream/core"
 *
 * Resource.query(Resource.suppressions, { origin: "bounce" }) // { origin: "bounce" }
 * ```
 */
export const query = <Filter>({ query }: Location<Filter>, filter: Filter | undefined): Record<string, string> => {
  const given: Record<string, string> = {}
  for (const [field, value] of Object.entries(filter ?? {})) {
    if (Object.hasOwn(query, field) && typeof value === "string") given[field] = value
  }
  return given
}

/**
 * What a filter selects, as one string: the id of the owner, and the fields that are sent in the query. `undefined` without
 * a filter.
 *
 * @since 1.0.0
 * @category getters
 * @example
 * ```ts
 * import { Resource } from "@mailstream/core"
 *
 * Resource.selection(Resource.suppressions, { origin: "bounce" }) // "?origin=bounce"
 * ```
 */
export const selection = <Filter>(location: Location<Filter>, filter: Filter | undefined): string | undefined => {
  const id = ownerId(location, filter)
  const fields = Object.entries(query(location, filter)).map(([field, value]) =>
    `${field}=${encodeURIComponent(value)}`
  )
  return fields.length === 0 ? id : `${id ?? ""}?${fields.sort().join("&")}`
}

/**
 * The fields of the query without which a list cannot be read, not even within an owner. Most lists have none.
 *
 * @since 1.0.0
 * @category getters
 * @example
 * ```ts
 * import { Resource } from "@mailstream/core"
 *
 * Resource.requiredQuery(Resource.broadcastRecipients) // ["type"]
 * Resource.requiredQuery(Resource.suppressions) // []
 * ```
 */
export const requiredQuery = (
  { isFilter, query }: { readonly isFilter: (filter: unknown) => boolean; readonly query: Schema.Struct.Fields }
): ReadonlyArray<string> =>
  isFilter(undefined)
    ? []
    : Object.entries(query).flatMap(([field, schema]) => isOptional(schema) ? [] : [field])

/**
 * The path of a list under a filter. An id cannot change the structure of the path: an empty id, `.`, `..` and
 * malformed text are rejected, the rest is percent-encoded.
 *
 * @since 1.0.0
 * @category combinators
 * @example
 * ```ts
 * import { Resource, SegmentId } from "@mailstream/core"
 *
 * Resource.path(Resource.contacts, undefined) // right("/contacts")
 * Resource.path(Resource.contacts, { segment_id: SegmentId.make("a/b") }) // right("/segments/a%2Fb/contacts")
 * ```
 */
export const path = <Filter>(
  location: Location<Filter>,
  filter: Filter | undefined
): Either.Either<Path, ValidationError> => {
  const { isFilter, path, scope } = location
  const id = ownerId(location, filter)
  const placed = scope === undefined || id === undefined ? path : place(scope.path, scope.field, id)
  return placed === undefined || !isFilter(filter) ? Either.left(Filter.invalid(location)) : Either.right(placed)
}

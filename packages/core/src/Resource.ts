/**
 * The table of the API's lists. Each list is written down here once: the contract, the services, the streams, the
 * server's routes and the commands all come from these entries.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { ValidationError } from "./ApiError.ts"
import { ApiKey, ApiKeyId } from "./ApiKey.ts"
import { Broadcast, BroadcastId } from "./Broadcast.ts"
import { Contact, ContactId } from "./Contact.ts"
import { Domain, DomainId } from "./Domain.ts"
import { Email, EmailId } from "./Email.ts"
import { ReceivedEmail, ReceivedEmailId } from "./ReceivedEmail.ts"
import { ReceivedEmailAttachment, ReceivedEmailAttachmentId } from "./ReceivedEmailAttachment.ts"
import { Segment, SegmentId } from "./Segment.ts"
import { Template, TemplateId } from "./Template.ts"
import { Topic, TopicId } from "./Topic.ts"

/**
 * Whether a list answers everything when no `limit` is given (`optional`), or a page of 20 (`always`).
 *
 * @since 0.1.0
 * @category models
 */
export type Pagination = "optional" | "always"

/**
 * One list of the API.
 *
 * @since 0.1.0
 * @category models
 */
export interface Resource<
  Name extends string,
  Item extends { readonly id: string },
  Encoded,
  Filter,
  Kind extends Pagination
> extends Location<Filter> {
  /** The name in paths, commands and metrics: `api-keys`. */
  readonly name: Name
  /** The name in code: `ApiKeys`. */
  readonly identifier: string
  readonly item: Schema.Schema<Item, Encoded>
  readonly id: Schema.Schema<Item["id"], string>
  readonly pagination: Kind
}

/**
 * A list of any name and kind.
 *
 * @since 0.1.0
 * @category models
 */
export interface Any<Item extends { readonly id: string }, Encoded, Filter>
  extends Resource<string, Item, Encoded, Filter, Pagination>
{}

/**
 * Where a list is found.
 *
 * @since 0.1.0
 * @category models
 */
export interface Location<Filter> {
  readonly path: Path
  /**
   * The list of the same items within something else: contacts of a segment, attachments of an email. Where its path
   * is `path` too, the items are listed in no other way, and the filter is required.
   */
  readonly scope: Scope<Filter> | undefined
}

/**
 * A list within something else, which is named by one filter that is a part of the path.
 *
 * @since 0.1.0
 * @category models
 */
export interface Scope<Filter> {
  readonly field: keyof Filter & string
  /** With the field's place marked, as in `/segments/:segment_id/contacts`. */
  readonly path: Path
  readonly params: Schema.Schema<Params<Filter>, { readonly [Field in keyof Filter]-?: string }>
}

/**
 * @since 0.1.0
 * @category models
 */
export type Path = `/${string}`

/**
 * A filter that is given.
 *
 * @since 0.1.0
 * @category models
 */
export type Params<Filter> = { readonly [Field in keyof Filter]-?: Exclude<Filter[Field], undefined> }

/**
 * The filter of a list that has none.
 *
 * @since 0.1.0
 * @category models
 */
export interface NoFilter {}

/**
 * Only the contacts of one segment.
 *
 * @since 0.1.0
 * @category models
 */
export interface SegmentFilter {
  readonly segment_id?: SegmentId | undefined
}

/**
 * The email whose attachments are meant.
 *
 * @since 0.1.0
 * @category models
 */
export interface EmailFilter {
  readonly email_id: ReceivedEmailId
}

const whole = <
  const Name extends string,
  Item extends { readonly id: string },
  Encoded,
  const Kind extends Pagination
>(
  options: Omit<Resource<Name, Item, Encoded, NoFilter, Kind>, "scope">
): Resource<Name, Item, Encoded, NoFilter, Kind> => ({ ...options, scope: undefined })

/**
 * @since 0.1.0
 * @category resources
 */
export const domains: Resource<"domains", Domain, typeof Domain.Encoded, NoFilter, "optional"> = /* #__PURE__ */ whole({
  name: "domains",
  identifier: "Domains",
  item: Domain,
  id: DomainId,
  pagination: "optional",
  path: "/domains"
})

/**
 * @since 0.1.0
 * @category resources
 */
export const apiKeys: Resource<"api-keys", ApiKey, typeof ApiKey.Encoded, NoFilter, "optional"> = /* #__PURE__ */ whole(
  {
    name: "api-keys",
    identifier: "ApiKeys",
    item: ApiKey,
    id: ApiKeyId,
    pagination: "optional",
    path: "/api-keys"
  }
)

/**
 * @since 0.1.0
 * @category resources
 */
export const broadcasts: Resource<"broadcasts", Broadcast, typeof Broadcast.Encoded, NoFilter, "optional"> =
  /* #__PURE__ */ whole({
    name: "broadcasts",
    identifier: "Broadcasts",
    item: Broadcast,
    id: BroadcastId,
    pagination: "optional",
    path: "/broadcasts"
  })

/**
 * @since 0.1.0
 * @category resources
 */
export const segments: Resource<"segments", Segment, typeof Segment.Encoded, NoFilter, "optional"> =
  /* #__PURE__ */ whole({
    name: "segments",
    identifier: "Segments",
    item: Segment,
    id: SegmentId,
    pagination: "optional",
    path: "/segments"
  })

/**
 * The contacts of one segment.
 *
 * @since 0.1.0
 * @category scopes
 */
export const contactsOfSegment: Scope<SegmentFilter> = {
  field: "segment_id",
  path: "/segments/:segment_id/contacts",
  params: /* #__PURE__ */ Schema.Struct({ segment_id: SegmentId })
}

/**
 * @since 0.1.0
 * @category resources
 */
export const contacts: Resource<"contacts", Contact, typeof Contact.Encoded, SegmentFilter, "optional"> = {
  name: "contacts",
  identifier: "Contacts",
  item: Contact,
  id: ContactId,
  pagination: "optional",
  path: "/contacts",
  scope: contactsOfSegment
}

/**
 * @since 0.1.0
 * @category resources
 */
export const receivedEmails: Resource<
  "received-emails",
  ReceivedEmail,
  typeof ReceivedEmail.Encoded,
  NoFilter,
  "optional"
> = /* #__PURE__ */ whole({
  name: "received-emails",
  identifier: "ReceivedEmails",
  item: ReceivedEmail,
  id: ReceivedEmailId,
  pagination: "optional",
  path: "/emails/receiving"
})

/**
 * The attachments of one received email.
 *
 * @since 0.1.0
 * @category scopes
 */
export const attachmentsOfEmail: Scope<EmailFilter> = {
  field: "email_id",
  path: "/emails/receiving/:email_id/attachments",
  params: /* #__PURE__ */ Schema.Struct({ email_id: ReceivedEmailId })
}

/**
 * @since 0.1.0
 * @category resources
 */
export const receivedEmailAttachments: Resource<
  "received-email-attachments",
  ReceivedEmailAttachment,
  typeof ReceivedEmailAttachment.Encoded,
  EmailFilter,
  "optional"
> = {
  name: "received-email-attachments",
  identifier: "ReceivedEmailAttachments",
  item: ReceivedEmailAttachment,
  id: ReceivedEmailAttachmentId,
  pagination: "optional",
  path: "/emails/receiving/:email_id/attachments",
  scope: attachmentsOfEmail
}

/**
 * @since 0.1.0
 * @category resources
 */
export const emails: Resource<"emails", Email, typeof Email.Encoded, NoFilter, "always"> = /* #__PURE__ */ whole({
  name: "emails",
  identifier: "Emails",
  item: Email,
  id: EmailId,
  pagination: "always",
  path: "/emails"
})

/**
 * @since 0.1.0
 * @category resources
 */
export const templates: Resource<"templates", Template, typeof Template.Encoded, NoFilter, "always"> =
  /* #__PURE__ */ whole({
    name: "templates",
    identifier: "Templates",
    item: Template,
    id: TemplateId,
    pagination: "always",
    path: "/templates"
  })

/**
 * @since 0.1.0
 * @category resources
 */
export const topics: Resource<"topics", Topic, typeof Topic.Encoded, NoFilter, "always"> = /* #__PURE__ */ whole({
  name: "topics",
  identifier: "Topics",
  item: Topic,
  id: TopicId,
  pagination: "always",
  path: "/topics"
})

/**
 * The ten lists, in the order of the specification.
 *
 * @since 0.1.0
 * @category resources
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
  topics
] as const

/**
 * How many items a page has when no `limit` is given; `undefined` means all of them.
 *
 * @since 0.1.0
 * @category getters
 */
export const defaultLimit = (resource: { readonly pagination: Pagination }): number | undefined =>
  resource.pagination === "always" ? 20 : undefined

/**
 * The path of a list under a filter. What is put into the path can never change its course: an empty id, `.`, `..`
 * and malformed text are refused, the rest is percent-encoded.
 *
 * @since 0.1.0
 * @category combinators
 * @example
 * ```ts
 * import { Resource, SegmentId } from "@mailstream/core"
 *
 * Resource.path(Resource.contacts, {}) // right("/contacts")
 * Resource.path(Resource.contacts, { segment_id: SegmentId.make("a/b") }) // right("/segments/a%2Fb/contacts")
 * ```
 */
export const path = <Filter>(
  location: Location<Filter>,
  filter: Filter
): Either.Either<Path, ValidationError> => {
  const { path, scope } = location
  if (scope === undefined) return Either.right(path)
  const id: unknown = filter[scope.field]
  if (id === undefined && scope.path !== path) return Either.right(path)
  return Schema.is(scope.params)({ [scope.field]: id }) && isPathSegment(id)
    ? Either.right(scope.path.replace(`:${scope.field}`, () => encodeURIComponent(id)) as Path)
    : Either.left(
      new ValidationError({ statusCode: 422, message: `The \`${scope.field}\` must be the id of an object.` })
    )
}

/** Text that stays one segment of a path once it is percent-encoded. */
const isPathSegment = (text: unknown): text is string => typeof text === "string" && text !== "." && text !== ".."

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
import { Broadcast } from "./Broadcast.ts"
import { Contact } from "./Contact.ts"
import { Domain } from "./Domain.ts"
import { Email } from "./Email.ts"
import * as Filter from "./Filter.ts"
import { ReceivedEmail, ReceivedEmailId } from "./ReceivedEmail.ts"
import { ReceivedEmailAttachment } from "./ReceivedEmailAttachment.ts"
import { Segment, SegmentId } from "./Segment.ts"
import { Template } from "./Template.ts"
import { Topic } from "./Topic.ts"

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
  readonly item: Schema.Schema<Item, Encoded>
  readonly id: Schema.Schema<Item["id"], string>
  readonly pagination: Kind
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
  /** The list of the same items within something else; `undefined` for a list without a filter. */
  readonly scope: Scope<Exclude<Filter, undefined>> | undefined
}

/**
 * A list within something else, its owner: the contacts of a segment, the attachments of an email.
 *
 * @since 1.0.0
 * @category models
 */
export interface Scope<Filter> {
  /** The one field of the filter: the id of the owner. */
  readonly field: keyof Filter & string
  /** With a placeholder for the field: `/segments/:segment_id/contacts`. */
  readonly path: Path
  /** Whether the list can only be read with the filter. */
  readonly required: boolean
  /** The name of the list that the owner is an item of: `segments`. */
  readonly owner: string
  /** What one owner is called in sentences: `segment`. */
  readonly noun: string
  readonly params: Schema.Schema<Filter, { readonly [Field in keyof Filter]: string }>
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
export interface EmailFilter {
  readonly email_id: ReceivedEmailId
}

const list = <
  const Name extends string,
  Item extends { readonly id: string },
  Encoded,
  Filter,
  const Kind extends Pagination
>(
  entry: Pick<Resource<Name, Item, Encoded, Filter, Kind>, "name" | "pagination" | "path"> & {
    /** Default: the name, in words. */
    readonly title?: string
    readonly item: Schema.Schema<Item, Encoded> & {
      readonly fields: Pick<Resource<Name, Item, Encoded, Filter, Kind>, "id">
    }
  },
  filtering: Pick<Location<Filter>, "isFilter" | "scope">
): Resource<Name, Item, Encoded, Filter, Kind> => ({
  title: entry.name.replaceAll("-", " "),
  identifier: entry.name.replace(/(?:^|-)./g, (start) => start.slice(-1).toUpperCase()),
  id: entry.item.fields.id,
  ...entry,
  ...filtering
})

const unfiltered: Omit<Location<undefined>, "path"> = { isFilter: Predicate.isUndefined, scope: undefined }

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
  /* #__PURE__ */ list({ name: "broadcasts", item: Broadcast, pagination: "optional", path: "/broadcasts" }, unfiltered)

/**
 * @since 1.0.0
 * @category lists
 */
export const segments: Resource<"segments", Segment, typeof Segment.Encoded, undefined, "optional"> =
  /* #__PURE__ */ list({ name: "segments", item: Segment, pagination: "optional", path: "/segments" }, unfiltered)

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
  scope: contactsOfSegment
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
  path: "/emails/receiving"
}, unfiltered)

const attachmentsPath = "/emails/receiving/:email_id/attachments"

const emailParams = /* #__PURE__ */ Schema.Struct({ email_id: ReceivedEmailId })

/**
 * The attachments of one received email.
 *
 * @since 1.0.0
 * @category scopes
 */
export const attachmentsOfEmail: Scope<EmailFilter> = {
  field: "email_id",
  path: attachmentsPath,
  required: true,
  owner: "received-emails",
  noun: "email",
  params: emailParams
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
  EmailFilter,
  "optional"
> = /* #__PURE__ */ list({
  name: "received-email-attachments",
  item: ReceivedEmailAttachment,
  pagination: "optional",
  path: attachmentsPath
}, { isFilter: /* #__PURE__ */ Schema.is(emailParams), scope: attachmentsOfEmail })

/**
 * @since 1.0.0
 * @category lists
 */
export const emails: Resource<"emails", Email, typeof Email.Encoded, undefined, "always"> = /* #__PURE__ */ list({
  name: "emails",
  item: Email,
  pagination: "always",
  path: "/emails"
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

/**
 * Every list, in the order of the specification.
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
  topics
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
 * The id of the owner that a filter names; `undefined` without a filter.
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
export const ownerId = <Filter>({ scope }: Location<Filter>, filter: Filter | undefined): string | undefined => {
  if (scope === undefined || !isGiven(filter)) return undefined
  const id: unknown = filter[scope.field]
  return typeof id === "string" ? id : undefined
}

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
  if (!isFilter(filter) || id === "." || id === "..") return Either.left(Filter.invalid(location))
  return Either.right<Path>(
    scope === undefined || id === undefined
      ? path
      : `/${scope.path.slice(1).replace(`:${scope.field}`, () => encodeURIComponent(id))}`
  )
}

const isGiven = <Filter>(filter: Filter): filter is Exclude<Filter, undefined> => filter !== undefined

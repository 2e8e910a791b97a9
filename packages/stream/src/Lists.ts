/**
 * The ten lists of the API, each as Streams.
 *
 * @since 0.1.0
 */
import type {
  ApiKey,
  Broadcast,
  Contact,
  Domain,
  Email,
  ReceivedEmail,
  ReceivedEmailAttachment,
  Segment,
  Template,
  Topic
} from "@mailstream/core"
import * as Resource from "@mailstream/core/Resource"
import { ApiKeys } from "@mailstream/http/ApiKeys"
import { Broadcasts } from "@mailstream/http/Broadcasts"
import { Contacts } from "@mailstream/http/Contacts"
import { Domains } from "@mailstream/http/Domains"
import { Emails } from "@mailstream/http/Emails"
import { ReceivedEmailAttachments } from "@mailstream/http/ReceivedEmailAttachments"
import { ReceivedEmails } from "@mailstream/http/ReceivedEmails"
import { Segments } from "@mailstream/http/Segments"
import { Templates } from "@mailstream/http/Templates"
import { Topics } from "@mailstream/http/Topics"
import * as List from "./List.ts"

/**
 * @since 0.1.0
 * @category lists
 */
export const domains: List.OptionalLimitList<Domain, Resource.NoFilter, Domains> = /* #__PURE__ */ List
  .fromOptionalLimitService(Resource.domains, Domains)

/**
 * @since 0.1.0
 * @category lists
 */
export const apiKeys: List.OptionalLimitList<ApiKey, Resource.NoFilter, ApiKeys> = /* #__PURE__ */ List
  .fromOptionalLimitService(Resource.apiKeys, ApiKeys)

/**
 * @since 0.1.0
 * @category lists
 */
export const broadcasts: List.OptionalLimitList<Broadcast, Resource.NoFilter, Broadcasts> = /* #__PURE__ */ List
  .fromOptionalLimitService(Resource.broadcasts, Broadcasts)

/**
 * @since 0.1.0
 * @category lists
 */
export const segments: List.OptionalLimitList<Segment, Resource.NoFilter, Segments> = /* #__PURE__ */ List
  .fromOptionalLimitService(Resource.segments, Segments)

/**
 * All contacts, or those of one segment.
 *
 * @since 0.1.0
 * @category lists
 * @example
 * ```ts
 * import { contacts } from "@mailstream/stream"
 * import { Effect, Stream } from "effect"
 *
 * const program = contacts.items().pipe(
 *   Stream.filter((contact) => !contact.unsubscribed),
 *   Stream.take(500),
 *   Stream.runForEach((contact) => Effect.log(contact.email))
 * )
 * ```
 */
export const contacts: List.OptionalLimitList<Contact, Resource.SegmentFilter, Contacts> = /* #__PURE__ */ List
  .fromOptionalLimitService(Resource.contacts, Contacts)

/**
 * @since 0.1.0
 * @category lists
 */
export const receivedEmails: List.OptionalLimitList<ReceivedEmail, Resource.NoFilter, ReceivedEmails> =
  /* #__PURE__ */ List.fromOptionalLimitService(Resource.receivedEmails, ReceivedEmails)

/**
 * The attachments of one received email.
 *
 * @since 0.1.0
 * @category lists
 */
export const receivedEmailAttachments: List.OptionalLimitList<
  ReceivedEmailAttachment,
  Resource.EmailFilter,
  ReceivedEmailAttachments
> = /* #__PURE__ */ List.fromOptionalLimitService(Resource.receivedEmailAttachments, ReceivedEmailAttachments)

/**
 * @since 0.1.0
 * @category lists
 */
export const emails: List.List<Email, Resource.NoFilter, Emails> = /* #__PURE__ */ List.fromService(
  Resource.emails,
  Emails
)

/**
 * @since 0.1.0
 * @category lists
 */
export const templates: List.List<Template, Resource.NoFilter, Templates> = /* #__PURE__ */ List.fromService(
  Resource.templates,
  Templates
)

/**
 * @since 0.1.0
 * @category lists
 */
export const topics: List.List<Topic, Resource.NoFilter, Topics> = /* #__PURE__ */ List.fromService(
  Resource.topics,
  Topics
)

/** What the endpoints do: lists and operations follow from their tables. */
import * as ApiKeyOperations from "@mailstream/core/ApiKeyOperations"
import * as BroadcastOperations from "@mailstream/core/BroadcastOperations"
import * as ContactOperations from "@mailstream/core/ContactOperations"
import * as ContactPropertyOperations from "@mailstream/core/ContactPropertyOperations"
import * as DomainOperations from "@mailstream/core/DomainOperations"
import * as EmailAttachmentOperations from "@mailstream/core/EmailAttachmentOperations"
import * as EmailOperations from "@mailstream/core/EmailOperations"
import type * as Operation from "@mailstream/core/Operation"
import * as ReceivedEmailAttachmentOperations from "@mailstream/core/ReceivedEmailAttachmentOperations"
import * as ReceivedEmailOperations from "@mailstream/core/ReceivedEmailOperations"
import { Resource } from "@mailstream/core"
import * as SegmentOperations from "@mailstream/core/SegmentOperations"
import * as SuppressionOperations from "@mailstream/core/SuppressionOperations"
import * as TemplateOperations from "@mailstream/core/TemplateOperations"
import * as TopicOperations from "@mailstream/core/TopicOperations"
import * as WebhookOperations from "@mailstream/core/WebhookOperations"
import type { Handler } from "./Handler.ts"
import * as Keys from "./Keys.ts"
import * as Listing from "./Listing.ts"
import * as Operations from "./Operations.ts"
import type { Endpoint } from "./Routes.ts"

/** The operations on the objects of each list. */
export const tables: { readonly [list: string]: Operation.Table } = {
  [Resource.apiKeys.name]: ApiKeyOperations.operations,
  [Resource.broadcasts.name]: BroadcastOperations.operations,
  [Resource.contacts.name]: ContactOperations.operations,
  [Resource.contactProperties.name]: ContactPropertyOperations.operations,
  [Resource.domains.name]: DomainOperations.operations,
  [Resource.emails.name]: EmailOperations.operations,
  [Resource.emailAttachments.name]: EmailAttachmentOperations.operations,
  [Resource.receivedEmails.name]: ReceivedEmailOperations.operations,
  [Resource.receivedEmailAttachments.name]: ReceivedEmailAttachmentOperations.operations,
  [Resource.segments.name]: SegmentOperations.operations,
  [Resource.suppressions.name]: SuppressionOperations.operations,
  [Resource.templates.name]: TemplateOperations.operations,
  [Resource.topics.name]: TopicOperations.operations,
  [Resource.webhooks.name]: WebhookOperations.operations
}

/** The handler of an endpoint. */
export const make = (endpoint: Endpoint, list: string): Handler => {
  const operation = tables[list]?.[endpoint.name]
  if (operation === undefined) return Listing.make(endpoint, list)
  return operation === ApiKeyOperations.operations.create ? Keys.create(operation) : Operations.make(operation, list)
}

/**
 * The operations of all objects, for code that works with any of them. The module of each kind, such as `ContactOperations`,
 * has them with their types.
 *
 * Generated from the table of lists by `npm run generate`.
 *
 * Translated from core by `npm run generate`.
 *
 * @since 1.0.0
 */
import * as ApiKeyOperations from "./ApiKeyOperations.ts"
import * as BroadcastOperations from "./BroadcastOperations.ts"
import * as ContactOperations from "./ContactOperations.ts"
import * as ContactPropertyOperations from "./ContactPropertyOperations.ts"
import * as DomainOperations from "./DomainOperations.ts"
import * as EmailAttachmentOperations from "./EmailAttachmentOperations.ts"
import * as EmailOperations from "./EmailOperations.ts"
import type * as Operation from "./Operation.ts"
import * as ReceivedEmailAttachmentOperations from "./ReceivedEmailAttachmentOperations.ts"
import * as ReceivedEmailOperations from "./ReceivedEmailOperations.ts"
import * as SegmentOperations from "./SegmentOperations.ts"
import * as SuppressionOperations from "./SuppressionOperations.ts"
import * as TemplateOperations from "./TemplateOperations.ts"
import * as TopicOperations from "./TopicOperations.ts"
import * as WebhookOperations from "./WebhookOperations.ts"

/**
 * The operations on the objects of each list, by its name.
 *
 * @since 1.0.0
 * @category operations
 */
export const all: { readonly [list: string]: Operation.Table } = {
  domains: DomainOperations.operations,
  "api-keys": ApiKeyOperations.operations,
  broadcasts: BroadcastOperations.operations,
  segments: SegmentOperations.operations,
  contacts: ContactOperations.operations,
  "received-emails": ReceivedEmailOperations.operations,
  "received-email-attachments": ReceivedEmailAttachmentOperations.operations,
  emails: EmailOperations.operations,
  templates: TemplateOperations.operations,
  topics: TopicOperations.operations,
  "email-attachments": EmailAttachmentOperations.operations,
  "contact-properties": ContactPropertyOperations.operations,
  suppressions: SuppressionOperations.operations,
  webhooks: WebhookOperations.operations
}

/**
 * What the fields of their inputs are, by the names of the lists.
 *
 * @since 1.0.0
 * @category descriptions
 */
export const descriptions: { readonly [list: string]: Operation.Descriptions } = {
  domains: DomainOperations.descriptions,
  "api-keys": ApiKeyOperations.descriptions,
  broadcasts: BroadcastOperations.descriptions,
  segments: SegmentOperations.descriptions,
  contacts: ContactOperations.descriptions,
  emails: EmailOperations.descriptions,
  templates: TemplateOperations.descriptions,
  topics: TopicOperations.descriptions,
  "contact-properties": ContactPropertyOperations.descriptions,
  suppressions: SuppressionOperations.descriptions,
  webhooks: WebhookOperations.descriptions
}

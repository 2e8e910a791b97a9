/** The tables that the services are made from. Generated from the table of lists by `npm run generate`. */
import type * as Core from "@mailstream/effect4"

export interface Tables {
  readonly Domains: typeof Core.DomainOperations.operations
  readonly ApiKeys: typeof Core.ApiKeyOperations.operations
  readonly Broadcasts: typeof Core.BroadcastOperations.operations
  readonly Segments: typeof Core.SegmentOperations.operations
  readonly Contacts: typeof Core.ContactOperations.operations
  readonly ReceivedEmails: typeof Core.ReceivedEmailOperations.operations
  readonly ReceivedEmailAttachments: typeof Core.ReceivedEmailAttachmentOperations.operations
  readonly Emails: typeof Core.EmailOperations.operations
  readonly Templates: typeof Core.TemplateOperations.operations
  readonly Topics: typeof Core.TopicOperations.operations
  readonly EmailAttachments: typeof Core.EmailAttachmentOperations.operations
  readonly ContactProperties: typeof Core.ContactPropertyOperations.operations
  readonly Suppressions: typeof Core.SuppressionOperations.operations
  readonly Webhooks: typeof Core.WebhookOperations.operations
}

/**
 * The lists of the API.
 *
 * Generated from the table of lists by `npm run generate`.
 *
 * @since 1.0.0
 */
import type {
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
  Webhook
} from "./Items.ts"
import type { List, OptionalLimitList } from "./List.ts"
import type { Topics } from "./Topics.ts"

/**
 * Every list of the API.
 *
 * @since 1.0.0
 * @category models
 */
export interface Lists {
  /** All domains. */
  readonly domains: OptionalLimitList<Domain>
  /** All API keys. */
  readonly apiKeys: OptionalLimitList<ApiKey>
  /** All broadcasts. */
  readonly broadcasts: OptionalLimitList<Broadcast>
  /** All segments, or those of one contact. */
  readonly segments: OptionalLimitList<Segment, ContactFilter | undefined>
  /** All contacts, or those of one segment. */
  readonly contacts: OptionalLimitList<Contact, SegmentFilter | undefined>
  /** All received emails. */
  readonly receivedEmails: OptionalLimitList<ReceivedEmail>
  /** The received email attachments of one email. */
  readonly receivedEmailAttachments: OptionalLimitList<ReceivedEmailAttachment, ReceivedEmailFilter>
  /** All emails. */
  readonly emails: List<Email>
  /** All templates. */
  readonly templates: List<Template>
  /** All topics. */
  readonly topics: Topics
  /** The email attachments of one email. */
  readonly emailAttachments: List<EmailAttachment, EmailFilter>
  /** The contact topics of one contact. */
  readonly contactTopics: List<ContactTopic, ContactFilter>
  /** All contact properties. */
  readonly contactProperties: List<ContactProperty>
  /** The broadcast recipients of one broadcast. */
  readonly broadcastRecipients: List<BroadcastRecipient, BroadcastRecipientFilter>
  /** All suppressions, or those of one origin. */
  readonly suppressions: List<Suppression, SuppressionFilter | undefined>
  /** All webhooks. */
  readonly webhooks: List<Webhook>
}

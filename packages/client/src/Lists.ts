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
  Contact,
  Domain,
  Email,
  EmailFilter,
  ReceivedEmail,
  ReceivedEmailAttachment,
  Segment,
  SegmentFilter,
  Template
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
  /** All segments. */
  readonly segments: OptionalLimitList<Segment>
  /** All contacts, or those of one segment. */
  readonly contacts: OptionalLimitList<Contact, SegmentFilter | undefined>
  /** All received emails. */
  readonly receivedEmails: OptionalLimitList<ReceivedEmail>
  /** The received email attachments of one email. */
  readonly receivedEmailAttachments: OptionalLimitList<ReceivedEmailAttachment, EmailFilter>
  /** All emails. */
  readonly emails: List<Email>
  /** All templates. */
  readonly templates: List<Template>
  /** All topics. */
  readonly topics: Topics
}

/**
 * Attachments of emails that were sent.
 *
 * Translated from core by `npm run generate`.
 *
 * @since 1.0.0
 */
import * as Schema from "effect/Schema"
import * as Id from "./Id.ts"
import { maybe } from "./internal/fields.ts"
import { Timestamp } from "./Timestamp.ts"

/**
 * @since 1.0.0
 * @category ids
 */
export const EmailAttachmentId = Id.opaque("EmailAttachmentId")

/**
 * @since 1.0.0
 * @category ids
 */
export type EmailAttachmentId = typeof EmailAttachmentId.Type

/**
 * An attachment of a sent email, as an item of a list.
 *
 * @since 1.0.0
 * @category schemas
 */
export const EmailAttachment = Schema.Struct({
  id: EmailAttachmentId,
  filename: maybe(Schema.String),
  size: maybe(Schema.Number),
  content_type: maybe(Schema.String),
  content_disposition: maybe(Schema.String),
  content_id: maybe(Schema.String),
  download_url: maybe(Schema.String),
  expires_at: maybe(Timestamp)
}).annotate({ identifier: "EmailAttachment" })

/**
 * @since 1.0.0
 * @category models
 */
export interface EmailAttachment extends Schema.Schema.Type<typeof EmailAttachment> {}

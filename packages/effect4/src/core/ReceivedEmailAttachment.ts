/**
 * Attachments of received emails.
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
export const ReceivedEmailAttachmentId = Id.opaque("ReceivedEmailAttachmentId")

/**
 * @since 1.0.0
 * @category ids
 */
export type ReceivedEmailAttachmentId = typeof ReceivedEmailAttachmentId.Type

/**
 * An attachment of a received email, as an item of a list. Anyone with the `download_url` can download the file until
 * `expires_at`: treat it as a secret.
 *
 * @since 1.0.0
 * @category schemas
 */
export const ReceivedEmailAttachment = Schema.Struct({
  id: ReceivedEmailAttachmentId,
  filename: maybe(Schema.String),
  size: maybe(Schema.Number),
  content_type: maybe(Schema.String),
  content_disposition: maybe(Schema.String),
  content_id: maybe(Schema.String),
  download_url: maybe(Schema.String),
  expires_at: maybe(Timestamp)
}).annotate({ identifier: "ReceivedEmailAttachment" })

/**
 * @since 1.0.0
 * @category models
 */
export interface ReceivedEmailAttachment extends Schema.Schema.Type<typeof ReceivedEmailAttachment> {}

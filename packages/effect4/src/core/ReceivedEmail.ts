/**
 * Received emails.
 *
 * Translated from core by `npm run generate`.
 *
 * @since 1.0.0
 */
import * as Schema from "effect/Schema"
import * as Id from "./Id.ts"
import { maybe } from "./internal/fields.ts"
import { ReceivedEmailAttachmentId } from "./ReceivedEmailAttachment.ts"
import { Timestamp } from "./Timestamp.ts"

/**
 * @since 1.0.0
 * @category ids
 */
export const ReceivedEmailId = Id.opaque("ReceivedEmailId")

/**
 * @since 1.0.0
 * @category ids
 */
export type ReceivedEmailId = typeof ReceivedEmailId.Type

/**
 * A received email, as an item of a list.
 *
 * @since 1.0.0
 * @category schemas
 */
export const ReceivedEmail = Schema.Struct({
  id: ReceivedEmailId,
  to: maybe(Schema.Array(Schema.String)),
  from: maybe(Schema.String),
  created_at: maybe(Timestamp),
  subject: maybe(Schema.String),
  bcc: maybe(Schema.Array(Schema.String)),
  cc: maybe(Schema.Array(Schema.String)),
  reply_to: maybe(Schema.Array(Schema.String)),
  message_id: maybe(Schema.String),
  received_for: maybe(Schema.Array(Schema.String)),
  attachments: maybe(Schema.Array(Schema.Struct({
    id: ReceivedEmailAttachmentId,
    filename: maybe(Schema.String),
    content_type: maybe(Schema.String),
    content_id: maybe(Schema.String),
    content_disposition: maybe(Schema.String),
    size: maybe(Schema.Number)
  })))
}).annotate({ identifier: "ReceivedEmail" })

/**
 * @since 1.0.0
 * @category models
 */
export interface ReceivedEmail extends Schema.Schema.Type<typeof ReceivedEmail> {}

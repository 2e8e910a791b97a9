/**
 * Sent emails.
 *
 * Translated from core by `npm run generate`.
 *
 * @since 1.0.0
 */
import * as Schema from "effect/Schema"
import * as Id from "./Id.ts"
import { maybe, open } from "./internal/fields.ts"
import { Timestamp } from "./Timestamp.ts"
import { TopicId } from "./Topic.ts"

/**
 * @since 1.0.0
 * @category ids
 */
export const EmailId = Id.opaque("EmailId")

/**
 * @since 1.0.0
 * @category ids
 */
export type EmailId = typeof EmailId.Type

/**
 * A sent email, as an item of a list.
 *
 * @since 1.0.0
 * @category schemas
 */
export const Email = Schema.Struct({
  id: EmailId,
  message_id: maybe(Schema.String),
  to: maybe(Schema.Array(Schema.String)),
  from: maybe(Schema.String),
  created_at: maybe(Timestamp),
  subject: maybe(Schema.String),
  bcc: maybe(Schema.Array(Schema.String)),
  cc: maybe(Schema.Array(Schema.String)),
  reply_to: maybe(Schema.Array(Schema.String)),
  last_event: maybe(open(
    "bounced",
    "canceled",
    "clicked",
    "complained",
    "delivered",
    "delivery_delayed",
    "failed",
    "opened",
    "queued",
    "scheduled",
    "sent",
    "suppressed"
  )),
  scheduled_at: maybe(Schema.String),
  topic_id: maybe(TopicId)
}).annotate({ identifier: "Email" })

/**
 * @since 1.0.0
 * @category models
 */
export interface Email extends Schema.Schema.Type<typeof Email> {}

/**
 * What can be done with one received email.
 *
 * Translated from core by `npm run generate`.
 *
 * @since 1.0.0
 */
import * as Schema from "effect/Schema"
import { anything, maybe } from "./internal/fields.ts"
import * as Operation from "./Operation.ts"
import { ReceivedEmail, ReceivedEmailId } from "./ReceivedEmail.ts"
import { Timestamp } from "./Timestamp.ts"

/**
 * One received email, with its content. The URL in `raw` is signed: whoever has it can read the email.
 *
 * @since 1.0.0
 * @category schemas
 */
export const ReceivedEmailDetails = Schema.Struct({
  ...ReceivedEmail.fields,
  html: maybe(Schema.String),
  text: maybe(Schema.String),
  headers: maybe(Schema.Record(Schema.String, anything)),
  raw: maybe(Schema.Struct({ download_url: Schema.String, expires_at: maybe(Timestamp) }))
}).annotate({ identifier: "ReceivedEmailDetails" })

/**
 * @since 1.0.0
 * @category models
 */
export interface ReceivedEmailDetails extends Schema.Schema.Type<typeof ReceivedEmailDetails> {}

/**
 * The operations on a received email.
 *
 * @since 1.0.0
 * @category operations
 */
export const operations = {
  get: Operation.make({
    name: "get",
    summary: "Retrieves a received email, with its content.",
    method: "GET",
    path: "/emails/receiving/:email_id",
    params: [Operation.param("email_id", ReceivedEmailId)],
    success: ReceivedEmailDetails,
    repetition: "read"
  })
}

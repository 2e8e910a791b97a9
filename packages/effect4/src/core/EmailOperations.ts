/**
 * Sending emails, and what can be done with one that was sent.
 *
 * Translated from core by `npm run generate`.
 *
 * @since 1.0.0
 */
import * as Schema from "effect/Schema"
import { Email, EmailId } from "./Email.ts"
import { accepts } from "./internal/exact.ts"
import { acknowledged, input, maybe, moment, required, withTimes } from "./internal/fields.ts"
import * as Operation from "./Operation.ts"
import { divide, idempotencyKey, SendBatch, SendEmail, SentBatch, SentEmail, validation } from "./SendEmail.ts"

/**
 * One email, with its content.
 *
 * @since 1.0.0
 * @category schemas
 */
export const EmailDetails = Schema.Struct({
  ...Email.fields,
  html: maybe(Schema.String),
  text: maybe(Schema.String),
  tags: maybe(Schema.Array(Schema.Struct({ name: Schema.String, value: Schema.String })))
}).annotate({ identifier: "EmailDetails" })

/**
 * @since 1.0.0
 * @category models
 */
export interface EmailDetails extends Schema.Schema.Type<typeof EmailDetails> {}

/**
 * When to send an email that is scheduled.
 *
 * @since 1.0.0
 * @category schemas
 */
export const RescheduleEmail = input("RescheduleEmail", {
  scheduled_at: required("scheduled_at", moment("scheduled_at"))
})

/**
 * @since 1.0.0
 * @category models
 */
export interface RescheduleEmail extends Schema.Schema.Type<typeof RescheduleEmail> {}

/**
 * The API's response to a change of an email.
 *
 * @since 1.0.0
 * @category schemas
 */
export const ChangedEmail = acknowledged("email", EmailId).annotate({ identifier: "ChangedEmail" })

/**
 * @since 1.0.0
 * @category models
 */
export interface ChangedEmail extends Schema.Schema.Type<typeof ChangedEmail> {}

/**
 * What the fields are that operations on an email take, for people.
 *
 * @since 1.0.0
 * @category descriptions
 */
export const descriptions: Operation.Descriptions = {
  to: "The recipients: an address, or up to 50 of them.",
  from: "The sender, such as `Ada <ada@example.com>`. A template may have one.",
  subject: "The subject of the email. A template may have one.",
  html: "The content of the email as HTML.",
  text: "The content as plain text. Without it, one is made from `html`.",
  template:
    "A published template instead of `html` and `text`, such as `{\"id\":\"welcome\",\"variables\":{\"name\":\"Ada\"}}`.",
  cc: "The addresses that get a copy.",
  bcc: "The addresses that get a copy which nobody else sees.",
  reply_to: "The addresses that replies go to.",
  headers: "Further headers of the email, by their names.",
  attachments: "Files, each as `content` in base64 or as the `path` of a URL; at most 40 MB.",
  tags: "Names and values to tell emails apart by, such as `{\"name\":\"campaign\",\"value\":\"spring\"}`.",
  topic_id: "The topic of the email: contacts who opted out of it do not get it.",
  scheduled_at: "When to send it: an ISO 8601 time, or words such as \"in 1 hour\"; at most 30 days ahead."
}

/**
 * The operations on an email.
 *
 * @since 1.0.0
 * @category operations
 */
export const operations = {
  send: Operation.make({
    name: "send",
    summary: "Sends an email, now or later. A lost response is harmless: repetitions have the same idempotency key.",
    method: "POST",
    path: "/emails",
    params: [],
    headers: { idempotencyKey },
    payload: SendEmail,
    accepts: accepts(SendEmail),
    encode: withTimes,
    success: SentEmail,
    repetition: "keyed"
  }),
  sendBatch: Operation.make({
    name: "sendBatch",
    summary: "Sends up to 100 emails with one request, and tells for each whether it was accepted.",
    method: "POST",
    path: "/emails/batch",
    params: [],
    headers: { idempotencyKey, validation },
    payload: SendBatch,
    accepts: accepts(SendBatch),
    encode: withTimes,
    success: SentBatch,
    repetition: "keyed",
    divide: (emails, { validation }) => validation === "permissive" ? divide(emails) : undefined,
    fits: (emails, results) => emails.length === results.length
  }),
  get: Operation.make({
    name: "get",
    summary: "Retrieves an email, with its content and what became of it.",
    method: "GET",
    path: "/emails/:email_id",
    params: [Operation.param("email_id", EmailId)],
    success: EmailDetails,
    repetition: "read"
  }),
  reschedule: Operation.make({
    name: "reschedule",
    summary: "Changes when a scheduled email is sent.",
    method: "PATCH",
    path: "/emails/:email_id",
    params: [Operation.param("email_id", EmailId)],
    payload: RescheduleEmail,
    encode: withTimes,
    success: ChangedEmail,
    repetition: "natural"
  }),
  cancel: Operation.make({
    name: "cancel",
    summary: "Cancels a scheduled email.",
    method: "POST",
    path: "/emails/:email_id/cancel",
    params: [Operation.param("email_id", EmailId)],
    success: ChangedEmail,
    repetition: "guarded"
  })
}

/**
 * What can be done with one email that was sent.
 *
 * @since 1.0.0
 */
import * as Schema from "effect/Schema"
import { Email, EmailId } from "./Email.ts"
import { acknowledged, input, maybe, required, visibleText } from "./internal/fields.ts"
import * as Operation from "./Operation.ts"

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
}).annotations({ identifier: "EmailDetails" })

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
  scheduled_at: required("scheduled_at", visibleText("scheduled_at"))
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
export const ChangedEmail = acknowledged("email", EmailId).annotations({ identifier: "ChangedEmail" })

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
  scheduled_at: "When to send it: an ISO 8601 time, or words such as \"in 1 hour\"; at most 30 days ahead."
}

/**
 * The operations on an email.
 *
 * @since 1.0.0
 * @category operations
 */
export const operations = {
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

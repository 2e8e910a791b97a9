/**
 * Contacts: the people you send email to.
 *
 * Translated from core by `npm run generate`.
 *
 * @since 1.0.0
 */
import * as Schema from "effect/Schema"
import * as Id from "./Id.ts"
import { address } from "./internal/fields.ts"
import { Timestamp } from "./Timestamp.ts"

/**
 * @since 1.0.0
 * @category ids
 */
export const ContactId = Id.uuid("ContactId")

/**
 * @since 1.0.0
 * @category ids
 */
export type ContactId = typeof ContactId.Type

/**
 * What names one contact: its id, or its address as `{ email: "ada@example.com" }`.
 *
 * @since 1.0.0
 * @category ids
 */
export const ContactRef = Schema.Union([ContactId, Schema.Struct({ email: address("email") })]).annotate({
  identifier: "ContactRef",
  description: "the id of a contact, or `{ email }`"
})

/**
 * @since 1.0.0
 * @category ids
 */
export type ContactRef = typeof ContactRef.Type

/**
 * A contact, as an item of a list.
 *
 * @since 1.0.0
 * @category schemas
 */
export const Contact = Schema.Struct({
  id: ContactId,
  email: Schema.String,
  first_name: Schema.NullOr(Schema.String),
  last_name: Schema.NullOr(Schema.String),
  created_at: Timestamp,
  unsubscribed: Schema.Boolean
}).annotate({ identifier: "Contact" })

/**
 * @since 1.0.0
 * @category models
 */
export interface Contact extends Schema.Schema.Type<typeof Contact> {}

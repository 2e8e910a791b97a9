/**
 * What became of the people of a campaign.
 *
 * @since 1.0.0
 */
import { EmailId } from "@mailstream/core"
import * as Database from "@mailstream/sql/Database"
import * as Schema from "effect/Schema"

/**
 * - `planned`: the email is stored, and will be sent.
 * - `accepted`: the service accepted the email.
 * - `rejected`: the service, or a check before it was sent, refused the email. It was not sent.
 * - `skipped`: the campaign decided not to write to them.
 * - `undecided`: nobody can tell whether the email was sent.
 *
 * @since 1.0.0
 * @category schemas
 */
export const State = Schema.Literal("planned", "accepted", "rejected", "skipped", "undecided")

/**
 * @since 1.0.0
 * @category models
 */
export type State = typeof State.Type

/**
 * One contact of a campaign, as a row of `mailstream_recipients`.
 *
 * @since 1.0.0
 * @category schemas
 */
export const Recipient = Schema.Struct({
  /** The id of the item in the audience. */
  id: Schema.String,
  /** Where its email goes, in lower case. If it was skipped: the `email` of the item, or empty. */
  address: Schema.String,
  state: State,
  /** The id of the accepted email; undefined if that is not known (`assumeSent`). */
  emailId: Database.nullable(EmailId),
  /** Why it was rejected or skipped, or why nobody can tell. */
  reason: Database.nullable(Schema.String),
  changedAt: Schema.transform(Database.Integer, Schema.DateFromSelf, {
    strict: true,
    decode: (millis) => new Date(millis),
    encode: (date) => date.getTime()
  }),
  /** What the service last said about the email: `delivered`, `bounced`. Undefined until somebody has asked. */
  lastEvent: Database.nullable(Schema.String)
}).annotations({ identifier: "Recipient" })

/**
 * @since 1.0.0
 * @category models
 */
export interface Recipient extends Schema.Schema.Type<typeof Recipient> {}

/**
 * How many people are in each state.
 *
 * @since 1.0.0
 * @category models
 */
export type Counts = { readonly [Name in State]: number }

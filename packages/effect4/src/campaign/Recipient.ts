/**
 * What became of the people of a campaign.
 *
 * @since 1.0.0
 */
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import { EmailId } from "../core/index.ts"

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
export const State = Schema.Literals(["planned", "accepted", "rejected", "skipped", "undecided"])

/**
 * @since 1.0.0
 * @category models
 */
export type State = typeof State.Type

/** A value that is `undefined` where the column is null. */
const nullable = <A, I>(schema: Schema.Codec<A, I>) =>
  Schema.NullOr(schema).pipe(Schema.decodeTo(Schema.UndefinedOr(Schema.toType(schema)), {
    decode: SchemaGetter.transform((value: A | null) => value ?? undefined),
    encode: SchemaGetter.transform((value: A | undefined) => value ?? null)
  }))

/** PostgreSQL's drivers pass on a `bigint` as text. */
const Time = Schema.Union([Schema.Number, Schema.NumberFromString]).pipe(Schema.decodeTo(Schema.Date, {
  decode: SchemaGetter.transform((millis: number) => new Date(millis)),
  encode: SchemaGetter.transform((date: Date) => date.getTime())
}))

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
  emailId: nullable(EmailId),
  /** Why it was rejected or skipped, or why nobody can tell. */
  reason: nullable(Schema.String),
  changedAt: Time,
  /** What the service last said about the email: `delivered`, `bounced`. Undefined until somebody has asked. */
  lastEvent: nullable(Schema.String)
}).annotate({ identifier: "Recipient" })

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

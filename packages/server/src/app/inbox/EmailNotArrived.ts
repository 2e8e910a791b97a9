/** What fails if an email is waited for in vain. */
import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"

/**
 * No such email was sent in time.
 *
 * @since 1.0.0
 * @category errors
 */
export class EmailNotArrived
  extends Schema.TaggedError<EmailNotArrived>("@mailstream/server/EmailNotArrived")("EmailNotArrived", {
    /** What was waited for, in words: ` to ada@example.com with "Welcome" in its subject`. */
    wanted: Schema.String,
    waited: Schema.DurationFromMillis,
    /** The newest emails that did arrive. */
    arrived: Schema.Array(Schema.Struct({ to: Schema.Array(Schema.String), subject: Schema.String }))
  })
{
  override get message(): string {
    const arrived = this.arrived.map(({ subject, to }) => `${JSON.stringify(subject)} to ${to.join(", ") || "nobody"}`)
    const others = arrived.length === 0 ? "No email has arrived at all." : `The newest that did: ${arrived.join("; ")}.`
    return `No email${this.wanted} arrived within ${Duration.format(this.waited)}. ${others}`
  }
}

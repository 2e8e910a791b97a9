/**
 * Why a request is not accepted as an event of the service. No error contains a secret, a signature or the body.
 *
 * @since 1.0.0
 */
import * as Schema from "effect/Schema"

/**
 * A header of the signature is missing or empty.
 *
 * @since 1.0.0
 * @category errors
 */
export class MissingHeader extends Schema.TaggedError<MissingHeader>("@mailstream/webhook/MissingHeader")(
  "MissingHeader",
  {
    /** What it says; the header is `svix-…` or `webhook-…`. */
    header: Schema.Literal("id", "timestamp", "signature")
  }
) {
  override get message(): string {
    return `The request has no svix-${this.header} header, and no webhook-${this.header}: it is not from the service, or a proxy has removed it`
  }
}

/**
 * The time of the request is not a number of seconds (`Malformed`), or too far from the time here: an old request is not accepted
 * again.
 *
 * @since 1.0.0
 * @category errors
 */
export class InvalidTimestamp extends Schema.TaggedError<InvalidTimestamp>("@mailstream/webhook/InvalidTimestamp")(
  "InvalidTimestamp",
  {
    reason: Schema.Literal("Malformed", "TooOld", "TooNew"),
    /** How many seconds it is away. */
    seconds: Schema.optional(Schema.Number)
  }
) {
  override get message(): string {
    return this.reason === "Malformed"
      ? "The svix-timestamp header is not a number of seconds since 1970"
      : `The request was signed ${this.seconds} seconds ${
        this.reason === "TooOld" ? "ago" : "in the future"
      }, which is beyond the tolerance: check the clock of this machine`
  }
}

/**
 * No signature belongs to the body, the id and the time (`Mismatch`), or none is of a version that is known here
 * (`Unsupported`).
 *
 * @since 1.0.0
 * @category errors
 */
export class InvalidSignature extends Schema.TaggedError<InvalidSignature>("@mailstream/webhook/InvalidSignature")(
  "InvalidSignature",
  { reason: Schema.Literal("Mismatch", "Unsupported") }
) {
  override get message(): string {
    return this.reason === "Unsupported"
      ? "The svix-signature header has no signature of the version v1"
      : "No signature matches: check that the secret is the one of this webhook, and that the body is verified byte for byte as it arrived"
  }
}

/**
 * The request is signed, but its body is not an event: not JSON, or not an object with a `type`.
 *
 * @since 1.0.0
 * @category errors
 */
export class InvalidEvent extends Schema.TaggedError<InvalidEvent>("@mailstream/webhook/InvalidEvent")(
  "InvalidEvent",
  {
    /** The id of the message. */
    messageId: Schema.String,
    description: Schema.String
  }
) {
  override get message(): string {
    return `The body of ${JSON.stringify(this.messageId)} ${this.description}`
  }
}

/**
 * Why `Webhook.verify` refuses a request.
 *
 * @since 1.0.0
 * @category errors
 */
export type VerificationError = MissingHeader | InvalidTimestamp | InvalidSignature | InvalidEvent

/**
 * @since 1.0.0
 * @category errors
 */
export const VerificationError: Schema.Union<
  [typeof MissingHeader, typeof InvalidTimestamp, typeof InvalidSignature, typeof InvalidEvent]
> = Schema.Union(MissingHeader, InvalidTimestamp, InvalidSignature, InvalidEvent)

/**
 * A handler of requests cannot read one: it is not a POST (`Method`), its body is too large (`TooLarge`), arrives too slowly
 * (`Timeout`), or ends early (`Lost`).
 *
 * @since 1.0.0
 * @category errors
 */
export class UnreadableRequest extends Schema.TaggedError<UnreadableRequest>("@mailstream/webhook/UnreadableRequest")(
  "UnreadableRequest",
  {
    reason: Schema.Literal("Method", "TooLarge", "Timeout", "Lost"),
    description: Schema.String
  }
) {
  override get message(): string {
    return `The request ${this.description}`
  }
}

/**
 * Your function did not succeed (`Failed`), or not in time (`Timeout`). The event is delivered again.
 *
 * @since 1.0.0
 * @category errors
 */
export class UnhandledEvent extends Schema.TaggedError<UnhandledEvent>("@mailstream/webhook/UnhandledEvent")(
  "UnhandledEvent",
  {
    reason: Schema.Literal("Failed", "Timeout"),
    /** The id of the message. */
    messageId: Schema.String
  }
) {
  override get message(): string {
    return `${JSON.stringify(this.messageId)} was not handled${
      this.reason === "Timeout" ? " in time" : ""
    }: it has to be delivered again`
  }
}

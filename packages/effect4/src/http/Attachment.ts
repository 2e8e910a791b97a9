/**
 * The attachments of an email, from bytes, a stream or a URL. `AttachmentFile` makes one of a file.
 *
 * @since 1.0.0
 */
import * as Base64 from "@mailstream/kernel/Base64"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { InvalidAttachment } from "../core/ApiError.ts"
import * as SendEmail from "../core/SendEmail.ts"

/**
 * @since 1.0.0
 * @category models
 */
export interface Options {
  /** What recipients see, such as `invoice.pdf`. */
  readonly filename: string
  /** Default: the service derives it from the name. */
  readonly content_type?: string | undefined
  /** For an image within the HTML: with the id `logo`, it is shown by `<img src="cid:logo">`. */
  readonly content_id?: string | undefined
}

/**
 * An attachment of bytes. A send checks how large the attachments of an email are together.
 *
 * @since 1.0.0
 * @category constructors
 * @example
 * ```ts
 * import { Attachment, Emails } from "@mailstream/effect4"
 * import { Effect } from "effect"
 *
 * const sent = Effect.flatMap(Emails, (emails) =>
 *   emails.send({
 *     from: "Ada <ada@example.com>",
 *     to: "grace@example.com",
 *     subject: "Notes",
 *     text: "See the attachment.",
 *     attachments: [Attachment.fromBytes(new TextEncoder().encode("# Notes"), { filename: "notes.md" })]
 *   }))
 * ```
 */
export const fromBytes = (bytes: Uint8Array, options: Options): SendEmail.Attachment => {
  const encoder = Base64.make()
  encoder.add(bytes)
  return { ...options, content: encoder.end() }
}

/**
 * An attachment of a stream of bytes. It is read to its end, and fails with `invalid_attachment` as soon as it exceeds what an email
 * can have: no more of it is read or kept.
 *
 * @since 1.0.0
 * @category constructors
 * @example
 * ```ts
 * import { Attachment } from "@mailstream/effect4"
 * import { Stream } from "effect"
 *
 * const rows = Stream.make("id,email", "1,ada@example.com").pipe(Stream.intersperse("\n"), Stream.encodeText)
 *
 * const attachment = Attachment.fromStream(rows, { filename: "contacts.csv", content_type: "text/csv" })
 * ```
 */
export const fromStream = <E, R>(
  stream: Stream.Stream<Uint8Array, E, R>,
  options: Options
): Effect.Effect<SendEmail.Attachment, E | InvalidAttachment, R> =>
  Effect.suspend(() => {
    const encoder = Base64.make()
    return Stream.runForEach(stream, (bytes) =>
      encoder.lengthWith(bytes) > SendEmail.attachmentsSize
        ? tooLarge(options.filename)
        : Effect.sync(() => encoder.add(bytes))).pipe(
        Effect.map(() => ({ ...options, content: encoder.end() }))
      )
  })

const tooLarge = (filename: string): InvalidAttachment =>
  new InvalidAttachment({
    statusCode: 422,
    message: `The attachment ${JSON.stringify(filename)} is too large: an email may have ${
      SendEmail.attachmentsSize / 1024 / 1024 * 3 / 4
    } MB of them. Send a link to it instead.`
  })

/**
 * An attachment that the service loads from a public URL when it accepts the email; its name is that in the URL, unless it is given.
 *
 * @since 1.0.0
 * @category constructors
 */
export const fromUrl = (url: string | URL, options: Partial<Options> = {}): SendEmail.Attachment => ({
  ...options,
  path: String(url)
})

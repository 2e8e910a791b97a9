/**
 * Attachments from bytes.
 *
 * @since 1.0.0
 */
import * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"
import * as Bytes from "./internal/bytes.ts"
import * as Checks from "./internal/checks.ts"
import { toError } from "./internal/errors.ts"
import type { Attachment } from "./Objects.ts"

/**
 * What an attachment is called, and what it is.
 *
 * @since 1.0.0
 * @category models
 */
export interface AttachmentOptions {
  /** What recipients see, such as `invoice.pdf`. */
  readonly filename?: string | undefined
  /** The media type, such as `application/pdf`. Default: that of the Blob, or else the service's guess from `filename`. */
  readonly content_type?: string | undefined
  /** For an image in `html`: `content_id: "logo"` is shown by `<img src="cid:logo">`. */
  readonly content_id?: string | undefined
}

/**
 * Makes an attachment of a Blob or of bytes (a `Buffer`, a `Uint8Array`, an `ArrayBuffer`). Bytes are read before this returns. A
 * `File` has a name; anything else needs a `filename`. Rejects with a `validation_error` what is too large for any email: more
 * than 30 MB, which are 40 MB in base64.
 *
 * @since 1.0.0
 * @category constructors
 * @example
 * ```ts
 * import { attachment, Mailstream } from "@mailstream/client"
 *
 * const mailstream = Mailstream.fromEnv()
 *
 * await mailstream.emails.send({
 *   from: "Ada <ada@example.com>",
 *   to: "grace@example.com",
 *   subject: "Notes",
 *   text: "As promised.",
 *   attachments: [await attachment(new TextEncoder().encode("1, 1, 2, 3, 5"), { filename: "notes.txt" })]
 * })
 * ```
 */
export const attachment: {
  (file: File, options?: AttachmentOptions): Promise<Attachment>
  (
    content: Blob | ArrayBuffer | ArrayBufferView,
    options: AttachmentOptions & { readonly filename: string }
  ): Promise<Attachment>
} = async (content: unknown, given?: AttachmentOptions): Promise<Attachment> => {
  const options = valueOf(Bytes.options(given))
  const blob = valueOf(Checks.reading("content", () => described(content)))
  if (Bytes.isBytes(blob)) return valueOf(Bytes.attached(blob, nameOf(options.filename), options))
  const filename = nameOf(options.filename ?? blob.name)
  valueOf(Bytes.sized(blob.size, filename))
  const bytes = valueOf(buffer(await blob.read(), "content"))
  return valueOf(Bytes.attached(bytes, filename, { ...options, content_type: options.content_type ?? blob.type }))
}

interface Described {
  readonly size: number
  readonly type: string | undefined
  readonly name: string | undefined
  readonly read: () => unknown
}

const what = "must be a Blob, a File or bytes, as in attachment(bytes, { filename: \"invoice.pdf\" })"

/** Bytes, or what is read of a Blob of any realm. */
const described = (content: unknown): Checks.Checked<Described | Bytes.Bytes> => {
  if (Bytes.isBytes(content)) return Either.right(content)
  if (!isBlob(content)) return Checks.invalid("content", what)
  const name: unknown = Reflect.get(content, "name")
  return Either.right({
    size: content.size,
    type: Checks.isText(content.type) ? content.type : undefined,
    name: Checks.isText(name) ? name : undefined,
    read: () => content.arrayBuffer()
  })
}

const isBlob = (value: unknown): value is Blob =>
  Checks.hasMethods(value, "arrayBuffer", "slice") && "size" in value && Predicate.isNumber(value.size)

const buffer = Checks.make(Bytes.isBytes, what)

const filename = Checks.make(Checks.isText, "is missing, as in attachment(bytes, { filename: \"invoice.pdf\" })")

const nameOf = (name: unknown): string => valueOf(filename(name, "filename"))

/** What was checked; throws its error. */
const valueOf = <A>(checked: Checks.Checked<A>): A => Either.getOrThrowWith(checked, toError)

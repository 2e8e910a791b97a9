/** Bytes in base64, for attachments. */
import { ValidationError } from "@mailstream/core"
import { attachmentsSize } from "@mailstream/core/SendEmail"
import * as Either from "effect/Either"
import type { Attachment } from "../Objects.ts"
import * as Checks from "./checks.ts"

/** What an attachment is called, and what it is. */
type Named = Pick<Attachment, "filename" | "content_type" | "content_id">

export type Bytes = ArrayBuffer | ArrayBufferView

const isBuffer = (value: unknown): value is ArrayBuffer =>
  ["[object ArrayBuffer]", "[object SharedArrayBuffer]"].includes(Object.prototype.toString.call(value))

export const isBytes = (value: unknown): value is Bytes => ArrayBuffer.isView(value) || isBuffer(value)

/** The most bytes that have `attachmentsSize` characters in base64. */
export const largest = attachmentsSize / 4 * 3

const text = Checks.make(Checks.isText, "must be a string that is not empty")

const names = { filename: text, content_type: text, content_id: text }

/** The options of an attachment. */
export const options = (given: unknown = {}): Checks.Checked<Named> => Checks.all(given, names)

/** Refuses what no email can have, before it is read. */
export const sized = (size: number, filename: string): Checks.Checked<void> =>
  size <= largest ? Either.void : Either.left(ValidationError.because(
    `The attachment \`${filename}\` is too large: an email may have at most ${
      attachmentsSize / 1024 / 1024
    } MB of attachments in base64, which is ${largest / 1024 / 1024} MB of files.`
  ))

/** An attachment with these bytes, which are read before this returns; a buffer that was transferred has none. */
export const attached = (bytes: Bytes, filename: string, options: Named): Checks.Checked<Attachment> =>
  Either.flatMap(sized(bytes.byteLength, filename), () =>
    Checks.reading("content", () => {
      const view = ArrayBuffer.isView(bytes)
        ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
        : new Uint8Array(bytes)
      const { content_id, content_type } = options
      return Either.right({
        filename,
        content: encode(view),
        ...content_type === undefined ? {} : { content_type },
        ...content_id === undefined ? {} : { content_id }
      })
    }))

/** A multiple of three, so that the texts of all parts can be joined. */
const part = 3 * 8192

/** Every runtime has `btoa`. It is ten times as fast as Effect's `Encoding`, which matters for megabytes. */
const encode = (bytes: Uint8Array): string => {
  const texts: Array<string> = []
  for (let start = 0; start < bytes.length; start += part) {
    texts.push(btoa(String.fromCharCode(...bytes.subarray(start, start + part))))
  }
  return texts.join("")
}

/** Request bodies. */
import { ValidationError } from "@mailstream/core"
import { attachmentsSize } from "@mailstream/core/SendEmail"
import * as Either from "effect/Either"

/** The maximum size of a body, in bytes, unless it has attachments. */
export const maxBytes = 1024 * 1024

/** The maximum size of an email with all attachments that it may have. */
export const maxEmailBytes: number = attachmentsSize + 8 * maxBytes

export const tooLarge = (max: number): ValidationError =>
  new ValidationError({ statusCode: 413, message: `The body must not exceed ${max / maxBytes} MiB.` })

/** The client is gone, so this is never read. */
export const incomplete: ValidationError = new ValidationError({
  statusCode: 400,
  message: "The body is incomplete."
})

/** Joins the chunks of a body, without Node's `Buffer`. */
export const concat = (chunks: ReadonlyArray<Uint8Array>): Uint8Array => {
  const bytes = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.length, 0))
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes
}

const malformed = (message: string) => Either.left(new ValidationError({ statusCode: 400, message }))

const utf8 = new TextDecoder("utf-8", { fatal: true })

/** The JSON of a body. Rejects other content types and text that is not JSON. */
export const parse = (
  bytes: Uint8Array,
  contentType: string | undefined
): Either.Either<unknown, ValidationError> => {
  if (contentType !== undefined && !/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType.trim())) {
    return malformed("The `Content-Type` must be `application/json`.")
  }
  return Either.try((): unknown => JSON.parse(utf8.decode(bytes))).pipe(
    Either.orElse(() => malformed("The body is not valid JSON."))
  )
}

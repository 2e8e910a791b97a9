import { ValidationError } from "@mailstream/core"
import * as Either from "effect/Either"

/** How many bytes a body may have. */
export const maxBytes = 1024 * 1024

export const tooLarge: ValidationError = new ValidationError({
  statusCode: 413,
  message: "The body must not be larger than 1 MiB."
})

/** Nobody is there to read this one. */
export const broken: ValidationError = new ValidationError({
  statusCode: 400,
  message: "The body did not arrive."
})

const malformed = (message: string) => Either.left(new ValidationError({ statusCode: 400, message }))

const utf8 = new TextDecoder("utf-8", { fatal: true })

/** The JSON of a body. What says that it is something else, or is no JSON, is refused. */
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

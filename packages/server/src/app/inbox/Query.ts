/** The parameters of a request to the inbox. A misspelled one is refused: ignoring it would select something else. */
import { ValidationError } from "@mailstream/core"
import * as Either from "effect/Either"
import * as Sent from "./Sent.ts"

/** How many of the wrong parameters are named, and how much of their names. */
const [maxNamed, maxLength] = [5, 50]

const quoted = (names: ReadonlyArray<string>): string =>
  names.slice(0, maxNamed).map((name) => `\`${Sent.cut(name, maxLength) ?? ""}\``).join(", ")

/** The parameters, if all of them are known and none is repeated. */
export const of = (
  search: string,
  allowed: ReadonlyArray<string>
): Either.Either<URLSearchParams, ValidationError> => {
  const query = new URLSearchParams(search)
  const names = [...new Set(query.keys())]
  const unknown = names.filter((name) => !allowed.includes(name))
  if (unknown.length > 0) {
    const known = allowed.length === 0 ? "This endpoint has none" : `Allowed: ${quoted(allowed)}`
    return Either.left(ValidationError.because(`Unknown query parameter ${quoted(unknown)}. ${known}.`))
  }
  const repeated = names.filter((name) => query.getAll(name).length > 1)
  return repeated.length > 0
    ? Either.left(ValidationError.because(`Repeated query parameter ${quoted(repeated)}. Pass it once.`))
    : Either.right(query)
}

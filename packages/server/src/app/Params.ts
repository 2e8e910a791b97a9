/** The parameters of a path. */
import * as Either from "effect/Either"

/** The text of a parameter; undefined: it is not properly encoded. */
export const decode = (encoded: string): string | undefined =>
  Either.getOrUndefined(Either.try(() => decodeURIComponent(encoded)))

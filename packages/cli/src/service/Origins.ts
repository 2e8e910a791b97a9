/**
 * The origins whose pages may use the service from a browser.
 *
 * @since 1.0.0
 */
import type { Server } from "@mailstream/server"
import * as Either from "effect/Either"

/**
 * @since 1.0.0
 * @category models
 */
export type Origins = NonNullable<Server.ServiceOptions["cors"]>

const expected = "must be * or origins such as http://localhost:5173, separated by commas"

/** An origin as browsers send it: without a path, in lower case, without the default port. */
const origin = (text: string): Either.Either<string, string> =>
  Either.try(() => new URL(text)).pipe(
    Either.filterOrLeft((url) => /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`, () => expected),
    Either.mapBoth({ onLeft: () => expected, onRight: (url) => url.origin })
  )

/**
 * `*`, or origins separated by commas.
 *
 * @since 1.0.0
 * @category parsers
 */
export const parse = (text: string): Either.Either<Origins, string> =>
  text.trim() === "*" ? Either.right("*") : Either.all(text.split(",").map((part) => origin(part.trim())))

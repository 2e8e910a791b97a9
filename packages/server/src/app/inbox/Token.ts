/** The token of the inbox, of one process. */
import * as InvalidOption from "@mailstream/core/InvalidOption"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"

/**
 * @since 1.0.0
 * @category models
 */
export interface InboxOptions {
  /**
   * What opens the inbox of the default account: at least 16 letters, digits, dashes and underscores. Default: a random one for
   * each process.
   */
  readonly token?: Redacted.Redacted | undefined
}

/** The token to accept; undefined: there is no inbox. */
export const make = (
  inbox: InboxOptions | false = {}
): Either.Either<Redacted.Redacted | undefined, InvalidOption.InvalidOption> => {
  if (inbox === false) return Either.right(undefined)
  const { token } = inbox
  if (token === undefined) return Either.right(Redacted.make(random()))
  return Either.map(
    InvalidOption.unless(
      /^[\w-]{16,256}$/.test(Redacted.value(token)),
      "inbox.token",
      "must be 16 to 256 letters, digits, dashes or underscores"
    ),
    () => token
  )
}

const random = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) => byte.toString(16).padStart(2, "0")).join("")

/** The path that opens the inbox. */
export const pathOf = (token: Redacted.Redacted): string => `/inbox?token=${Redacted.value(token)}`

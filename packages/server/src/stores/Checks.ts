/** Options that several modules take. */
import { isSecret } from "@mailstream/core"
import * as InvalidOption from "@mailstream/core/InvalidOption"
import type * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"

type Check = Either.Either<void, InvalidOption.InvalidOption>

/** The id of an account becomes part of sample addresses, so it may contain only what they may contain. */
export const accountId = (option: string, id: string): Check =>
  InvalidOption.unless(
    /^[\w.-]{1,64}$/.test(id),
    option,
    "must be 1 to 64 letters, digits, dots, dashes or underscores"
  )

/** The secret of an API key is sent in a header. */
export const secret = (option: string, value: Redacted.Redacted): Check =>
  InvalidOption.unless(isSecret(Redacted.value(value)), option, "must be visible ASCII characters, at least one")

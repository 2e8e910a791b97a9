/** A variable that is checked as an option would be. */
import type { InvalidOption } from "@mailstream/core/InvalidOption"
import * as Config from "effect/Config"
import * as ConfigError from "effect/ConfigError"
import * as Either from "effect/Either"

export const checked = <A, B>(
  name: string,
  config: Config.Config<A>,
  check: (value: A) => Either.Either<B, InvalidOption>,
  describe: (error: InvalidOption) => string = ({ description }) => description
): Config.Config<B> =>
  config.pipe(
    Config.mapOrFail((value) => Either.mapLeft(check(value), (error) => ConfigError.InvalidData([], describe(error)))),
    Config.nested(name)
  )

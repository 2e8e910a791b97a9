import * as InvalidOption from "@mailstream/core/InvalidOption"
import * as Address from "@mailstream/kernel/Address"
import type * as Outgoing from "@mailstream/kernel/Outgoing"
import * as Config from "effect/Config"
import * as ConfigError from "effect/ConfigError"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import type { Options } from "../ClientOptions.ts"
import * as Limit from "./limit.ts"
import { TypeId } from "./limiter.ts"

/** The options of a client, checked and complete. The key is in plain text, so this must not leave the client. */
export interface Settings extends Outgoing.Settings<Duration.Duration> {}

/** A page of a hundred items is about twenty kilobytes. */
const defaultMaxBodySize = 16 * 1024 * 1024

export const fromOptions = (options: Options): Either.Either<Settings, InvalidOption.InvalidOption> =>
  Either.gen(function*() {
    const base = yield* valid("baseUrl", baseUrl(options.baseUrl))
    const key = yield* valid("apiKey", apiKey(options.apiKey))
    const timeout = yield* InvalidOption.duration("timeout", options.timeout ?? "30 seconds", { infinite: true })
    const maxBodySize = yield* InvalidOption.positive("maxBodySize", options.maxBodySize ?? defaultMaxBodySize)
    const { rateLimit } = options
    if (rateLimit && !(TypeId in rateLimit)) yield* Limit.check(rateLimit)
    const { origin } = new URL(base)
    return { origin, prefix: base.slice(origin.length), key, timeout, maxBodySize }
  })

const baseUrlVariable: Config.Config<string> = Config.string("MAILSTREAM_BASE_URL").pipe(
  Config.mapOrFail((text) => Either.mapLeft(baseUrl(text), (message) => ConfigError.InvalidData([], message)))
)

// The errors of `Config.redacted` do not say what is missing. None of these holds the key.
const apiKeyVariable: Config.Config<Redacted.Redacted> = Config.string("MAILSTREAM_API_KEY").pipe(
  Config.mapOrFail((text) => {
    const key = Redacted.make(text)
    return Either.mapBoth(apiKey(key), {
      onLeft: (message) => ConfigError.InvalidData([], message),
      onRight: () => key
    })
  })
)

export const config: Config.Config<{ readonly apiKey: Redacted.Redacted; readonly baseUrl: string }> = Config.all({
  baseUrl: baseUrlVariable,
  apiKey: apiKeyVariable
})

const nothing = Config.succeed(undefined)

/** `Config.unwrap` fails if there is nothing to unwrap, or an `undefined`. */
const unwrap = (
  options: Config.Config.Wrap<Partial<Options>>
): Config.Config<{ readonly [Name in keyof Options]?: Options[Name] | undefined }> => {
  if (Config.isConfig(options)) return options
  const { apiKey = nothing, baseUrl = nothing, maxBodySize = nothing, rateLimit = nothing, timeout = nothing } = options
  return Config.all({ apiKey, baseUrl, maxBodySize, rateLimit, timeout })
}

/** The options that are configured, with the base URL and the key from the environment if they are not. */
export const fromConfig = (
  options: Config.Config.Wrap<Partial<Options>> = {}
): Effect.Effect<Options, ConfigError.ConfigError> =>
  Effect.gen(function*() {
    const given = yield* unwrap(options)
    const baseUrl = given.baseUrl ?? (yield* baseUrlVariable)
    const apiKey = given.apiKey ?? (yield* apiKeyVariable)
    return { ...given, baseUrl, apiKey }
  })

const valid = <A>(option: string, checked: Either.Either<A, string>): Either.Either<A, InvalidOption.InvalidOption> =>
  Either.mapLeft(checked, (description) => new InvalidOption.InvalidOption({ option, description }))

const checked = <A>(result: Address.Checked<A>): Either.Either<A, string> =>
  "problem" in result ? Either.left(result.problem) : Either.right(result.value)

const baseUrl = (input: string | URL): Either.Either<string, string> => checked(Address.baseUrl(input))

const apiKey = (key: Redacted.Redacted): Either.Either<string, string> =>
  // Not every caller is checked by a compiler.
  Redacted.isRedacted(key)
    ? checked(Address.apiKey(Redacted.value(key)))
    : Either.left("must be a Redacted text")

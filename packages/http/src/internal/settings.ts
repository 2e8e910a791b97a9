import * as Config from "effect/Config"
import * as ConfigError from "effect/ConfigError"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { Options } from "../ApiClient.ts"

/** The options of a client, checked and complete. The key is in plain text, so this must not leave the client. */
export interface Settings {
  /** Scheme, host and port. */
  readonly origin: string
  /** The path of the base URL, without a trailing slash. */
  readonly prefix: string
  readonly key: string
  readonly timeout: Duration.Duration
  readonly maxBodySize: number
}

/** A page of a hundred items is about twenty kilobytes. */
const defaultMaxBodySize = 16 * 1024 * 1024

export const fromOptions = (options: Options): Either.Either<Settings, ConfigError.ConfigError> =>
  Either.gen(function*() {
    const base = yield* check("baseUrl", baseUrl(options.baseUrl))
    const key = yield* check("apiKey", apiKey(options.apiKey))
    const timeout = yield* check("timeout", duration(options.timeout ?? "30 seconds"))
    const maxBodySize = yield* check("maxBodySize", positive(options.maxBodySize ?? defaultMaxBodySize))
    yield* checkRateLimit(options.rateLimit)
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

/** The options that come from the environment. */
export const config: Config.Config<{ readonly apiKey: Redacted.Redacted; readonly baseUrl: string }> = Config.all({
  baseUrl: baseUrlVariable,
  apiKey: apiKeyVariable
})

/** The options that are configured, with the base URL and the key from the environment if they are not. */
export const fromConfig = (
  options: Config.Config.Wrap<Partial<Options>> = {}
): Effect.Effect<Options, ConfigError.ConfigError> =>
  Effect.gen(function*() {
    // `Config.unwrap` fails if there is nothing to unwrap.
    const given = Object.keys(options).length === 0 ? {} : yield* Config.unwrap<Partial<Options>>(options)
    const baseUrl = given.baseUrl ?? (yield* baseUrlVariable)
    const apiKey = given.apiKey ?? (yield* apiKeyVariable)
    return { ...given, baseUrl, apiKey }
  })

const check = <A>(name: string, value: Either.Either<A, string>): Either.Either<A, ConfigError.ConfigError> =>
  Either.mapLeft(value, (message) => ConfigError.InvalidData([name], message))

const checkRateLimit = (options: Options["rateLimit"]): Either.Either<unknown, ConfigError.ConfigError> => {
  if (options === undefined || options === false) return Either.void
  const { maxPause = "1 minute", per = "1 second", requests = 1 } = options
  return Either.all([
    check("rateLimit.requests", positive(requests)),
    check("rateLimit.per", Either.filterOrLeft(duration(per), Duration.isFinite, () => "must be finite")),
    check("rateLimit.maxPause", duration(maxPause))
  ])
}

const positive = (value: number): Either.Either<number, string> =>
  value > 0 ? Either.right(value) : Either.left("must be a number greater than 0")

const duration = (input: Duration.DurationInput): Either.Either<Duration.Duration, string> =>
  Option.match(Option.filter(Duration.decodeUnknown(input), Duration.greaterThan(Duration.zero)), {
    onNone: () => Either.left("must be a duration greater than 0, as in \"30 seconds\""),
    onSome: Either.right
  })

/** Browsers and their workers have it. */
interface WithLocation {
  readonly location: { readonly origin: string }
}

/** The origin of the page, which a relative URL is relative to. */
const pageOrigin = (): string | undefined => {
  const origin = (globalThis as Partial<WithLocation>).location?.origin
  return origin !== undefined && /^https?:/.test(origin) ? origin : undefined
}

const example = "as in https://api.example.com"

const baseUrl = (input: string | URL): Either.Either<string, string> => {
  const isRelative = typeof input === "string" && input.startsWith("/")
  const origin = isRelative ? pageOrigin() : undefined
  if (isRelative && origin === undefined) {
    return Either.left(`is relative, and there is no page: use an absolute URL, ${example}`)
  }
  const url = Either.getOrUndefined(Either.try(() => new URL(input, origin)))
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    return Either.left(`must be an http or https URL, ${example}`)
  }
  if (isRelative && url.origin !== origin) return Either.left("must not name another host after the slash")
  if (url.username !== "" || url.password !== "") return Either.left("must not contain a user name or password")
  if (url.search !== "" || url.hash !== "") return Either.left("must not have a query or a fragment")
  return Either.right(`${url.origin}${url.pathname.replace(/\/+$/, "")}`)
}

const apiKey = (key: Redacted.Redacted): Either.Either<string, string> => {
  const text = Redacted.value(key)
  if (text === "") return Either.left("must not be empty")
  return /^[\x21-\x7e]+$/.test(text)
    ? Either.right(text)
    : Either.left("must be visible ASCII characters only: no spaces, line breaks or control characters")
}

import * as Address from "@mailstream/kernel/Address"
import type * as Outgoing from "@mailstream/kernel/Outgoing"
import * as Config from "effect/Config"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as InvalidOption from "../../core/InvalidOption.ts"
import type { ConfigOptions, Options } from "../ClientOptions.ts"
import * as Limit from "./limit.ts"
import { TypeId } from "./limiter.ts"

/** The options of a client, checked and complete. The key is in plain text, so this must not leave the client. */
export interface Settings extends Outgoing.Settings<Duration.Duration> {}

/** A page of a hundred items is about twenty kilobytes. */
const defaultMaxBodySize = 16 * 1024 * 1024

export const fromOptions = (options: Options): Result.Result<Settings, InvalidOption.InvalidOption> =>
  Result.gen(function*() {
    const base = yield* valid("baseUrl", baseUrl(options.baseUrl))
    const key = yield* valid("apiKey", apiKey(options.apiKey))
    const timeout = yield* InvalidOption.duration("timeout", options.timeout ?? "30 seconds", { infinite: true })
    const maxBodySize = yield* InvalidOption.positive("maxBodySize", options.maxBodySize ?? defaultMaxBodySize)
    const { rateLimit } = options
    if (rateLimit && !(TypeId in rateLimit)) yield* Limit.check(rateLimit)
    const { origin } = new URL(base)
    return { origin, prefix: base.slice(origin.length), key, timeout, maxBodySize }
  })

/** A variable that is checked. The errors of `Config.Redacted` do not say what is missing. None of these holds the value. */
const variable = <A>(
  name: string,
  check: (text: string) => Result.Result<A, string>
): Config.Config<A> =>
  Config.String(name).pipe(
    Config.mapEffect((text) =>
      Effect.fromResult(
        Result.mapError(
          check(text),
          (message) =>
            new Config.ConfigError(
              new Schema.SchemaError(
                new SchemaIssue.Pointer([name], new SchemaIssue.InvalidValue({ message }))
              )
            )
        )
      )
    )
  )

const baseUrlVariable = variable("MAILSTREAM_BASE_URL", (text) => baseUrl(text))

const apiKeyVariable = variable("MAILSTREAM_API_KEY", (text) => {
  const key = Redacted.make(text)
  return Result.map(apiKey(key), () => key)
})

export const config: Config.Config<{ readonly apiKey: Redacted.Redacted; readonly baseUrl: string }> = Config.all({
  baseUrl: baseUrlVariable,
  apiKey: apiKeyVariable
})

const nothing = Config.succeed(undefined)

/** `Config.unwrap` fails if there is nothing to unwrap, or an `undefined`. */
const unwrap = (
  options: ConfigOptions
): Config.Config<{ readonly [Name in keyof Options]?: Options[Name] | undefined }> => {
  if (Config.isConfig(options)) return options
  const { apiKey = nothing, baseUrl = nothing, maxBodySize = nothing, rateLimit = nothing, timeout = nothing } = options
  return Config.all({ apiKey, baseUrl, maxBodySize, rateLimit, timeout })
}

/** The options that are configured, with the base URL and the key from the environment if they are not. */
export const fromConfig = (
  options: ConfigOptions = {}
): Effect.Effect<Options, Config.ConfigError> =>
  Effect.gen(function*() {
    const given = yield* unwrap(options)
    const baseUrl = given.baseUrl ?? (yield* baseUrlVariable)
    const apiKey = given.apiKey ?? (yield* apiKeyVariable)
    return { ...given, baseUrl, apiKey }
  })

const valid = <A>(option: string, checked: Result.Result<A, string>): Result.Result<A, InvalidOption.InvalidOption> =>
  Result.mapError(checked, (description) => new InvalidOption.InvalidOption({ option, description }))

const checked = <A>(result: Address.Checked<A>): Result.Result<A, string> =>
  "problem" in result ? Result.fail(result.problem) : Result.succeed(result.value)

const baseUrl = (input: string | URL): Result.Result<string, string> => checked(Address.baseUrl(input))

const apiKey = (key: Redacted.Redacted): Result.Result<string, string> =>
  // Not every caller is checked by a compiler.
  Redacted.isRedacted(key)
    ? checked(Address.apiKey(Redacted.value(key)))
    : Result.fail("must be a Redacted text")

/**
 * Which service is used, and with which key.
 *
 * The key is never an argument: every user of the machine can see those, and shells store them.
 */
import type * as Terminal from "@effect/platform/Terminal"
import type { ApiClient } from "@mailstream/http/ApiClient"
import * as Mailstream from "@mailstream/http/Mailstream"
import type * as Transport from "@mailstream/http/Transport"
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Prompt from "../terminal/Prompt.ts"
import type { Stdio } from "../terminal/Stdio.ts"
import * as Flag from "../usage/Flag.ts"
import * as UsageError from "../usage/UsageError.ts"
import * as Value from "../usage/Value.ts"

/** `--base-url`, which overrides `MAILSTREAM_BASE_URL`. */
export const baseUrl: Flag.Flag<string | undefined> = Flag.optional(
  Value.text("URL"),
  "Base URL of the service. Default: MAILSTREAM_BASE_URL."
)

/** `--rate-limit`, for commands that may send many requests. */
export const rateLimit: Flag.Flag<RateLimit | undefined> = Flag.optional(
  Value.rate,
  "Requests per time, such as 5/s. Default: the limit that the service reports."
)

/** How many requests may be sent in which time. */
type RateLimit = { readonly requests: number; readonly per: Duration.Duration }

/** The base URL of the service as the client uses it, without secrets: what a resumable file belongs to. */
export class Address extends Context.Tag("@mailstream/cli/Address")<Address, string>() {}

/** An environment variable, unless it is empty. */
export const variable = (name: string): Effect.Effect<string | undefined> =>
  Config.string(name).pipe(
    Config.withDefault(""),
    Effect.orDie,
    Effect.map((text) => text === "" ? undefined : text)
  )

/** The service and the key that the environment names. */
export const environment: Effect.Effect<{
  readonly baseUrl: string | undefined
  readonly apiKey: Redacted.Redacted | undefined
}> = Effect.all({
  baseUrl: variable("MAILSTREAM_BASE_URL"),
  apiKey: Effect.map(variable("MAILSTREAM_API_KEY"), (key) => key === undefined ? undefined : Redacted.make(key))
})

/**
 * All services of the API, configured by options and the environment. A missing key is prompted for on a terminal.
 */
export const layer = (
  given: { readonly baseUrl: string | undefined; readonly rateLimit?: RateLimit | undefined }
): Layer.Layer<
  Mailstream.Mailstream | ApiClient | Address,
  UsageError.UsageError | Terminal.QuitException,
  Stdio | Terminal.Terminal
> =>
  Layer.unwrapEffect(Effect.gen(function*() {
    const known = yield* environment
    const baseUrl = given.baseUrl ?? known.baseUrl
    if (baseUrl === undefined) {
      return yield* UsageError.fail("No service given: use --base-url URL, or set MAILSTREAM_BASE_URL")
    }
    const apiKey = known.apiKey ?? (yield* keyFromTerminal)
    return fromOptions({ baseUrl, apiKey, rateLimit: given.rateLimit }, {
      rateLimit: "--rate-limit",
      baseUrl: given.baseUrl === undefined ? "MAILSTREAM_BASE_URL" : "--base-url",
      apiKey: known.apiKey === undefined ? "The API key" : "The key in MAILSTREAM_API_KEY"
    })
  }))

/** All services of the API at an address. Errors have `names` for where the options come from. */
export const fromOptions = (
  options: { readonly baseUrl: string; readonly apiKey: Redacted.Redacted; readonly rateLimit?: RateLimit | undefined },
  names: { readonly baseUrl: string; readonly apiKey: string; readonly rateLimit?: string }
): Layer.Layer<Mailstream.Mailstream | ApiClient | Address, UsageError.UsageError> =>
  Layer.sync(Address, () => addressOf(new URL(options.baseUrl))).pipe(
    // Above the client, which checks the URL.
    Layer.provideMerge(Layer.mapError(Mailstream.layer(options), UsageError.fromInvalidOption(names))),
    Layer.provide(transport)
  )

/** The fastest transport, through the proxy that the environment names. */
export const transport: Layer.Layer<Transport.Transport, UsageError.UsageError> = Layer.unwrapEffect(
  Effect.map(Effect.promise(() => import("./FastestTransport.ts")), ({ layer }) => layer)
)

const addressOf = ({ origin, pathname }: URL): string => `${origin}${pathname.replace(/\/+$/, "")}`

/** Prompts for the key on standard error, so that standard output can be redirected. */
const keyFromTerminal = Effect.gen(function*() {
  if (yield* Prompt.isPossible) return yield* prompt
  return yield* UsageError.fail("No API key given: set MAILSTREAM_API_KEY, or run on a terminal to be prompted for it")
})

/** Prompts for a key, without showing it. */
export const prompt: Effect.Effect<Redacted.Redacted, Terminal.QuitException, Stdio | Terminal.Terminal> = Effect.map(
  Prompt.line("API key (input is hidden): ", { isHidden: true }),
  (key) => Redacted.make(key.trim())
)

/**
 * Which service is asked, and with which key.
 *
 * The key is never an argument: those can be seen by everybody on the machine, and shells remember them.
 *
 * @since 0.1.0
 */
import * as Options from "@effect/cli/Options"
import type * as ValidationError from "@effect/cli/ValidationError"
import * as Terminal from "@effect/platform/Terminal"
import type { ApiClient } from "@mailstream/http/ApiClient"
import * as Mailstream from "@mailstream/http/Mailstream"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import * as Config from "effect/Config"
import type * as ConfigError from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { Stdio } from "./Stdio.ts"
import * as Usage from "./Usage.ts"

/**
 * `--base-url`, or else `MAILSTREAM_BASE_URL`.
 *
 * @since 0.1.0
 * @category options
 */
export const baseUrl: Options.Options<Option.Option<string>> = Options.text("base-url").pipe(
  Options.withPseudoName("URL"),
  Options.withDescription("Where the service is. Default: what MAILSTREAM_BASE_URL says."),
  Options.optional
)

const variable = (name: string): Effect.Effect<Option.Option<string>> =>
  Config.string(name).pipe(
    Config.option,
    Effect.orDie,
    Effect.map(Option.filter((text) => text !== ""))
  )

/**
 * What the environment says of the service: `npm start` uses it where both are given.
 *
 * @since 0.1.0
 * @category getters
 */
export const environment: Effect.Effect<{
  readonly baseUrl: Option.Option<string>
  readonly apiKey: Option.Option<Redacted.Redacted>
}> = Effect.all({
  baseUrl: variable("MAILSTREAM_BASE_URL"),
  apiKey: Effect.map(variable("MAILSTREAM_API_KEY"), Option.map(Redacted.make))
})

/**
 * All services of the API. What is missing is wrong usage; only the key is asked for, where there is somebody to ask.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (
  given: Option.Option<string>
): Layer.Layer<
  Mailstream.Mailstream | ApiClient,
  ValidationError.ValidationError | Terminal.QuitException,
  Stdio | Terminal.Terminal
> =>
  Layer.unwrapEffect(Effect.gen(function*() {
    const known = yield* environment
    const baseUrl = yield* Effect.orElse(Option.orElse(given, () => known.baseUrl), () =>
      Usage.fail("Which service? Say it with --base-url URL, or set MAILSTREAM_BASE_URL."))
    const apiKey = yield* Effect.orElse(known.apiKey, () =>
      ask)
    return fromOptions({ baseUrl, apiKey })
  }))

/**
 * All services of the API at an address that is known.
 *
 * @since 0.1.0
 * @category layers
 */
export const fromOptions = (options: {
  readonly baseUrl: string
  readonly apiKey: Redacted.Redacted
}): Layer.Layer<Mailstream.Mailstream | ApiClient, ValidationError.ValidationError> =>
  Mailstream.layer(options).pipe(
    Layer.provide(UndiciTransport.layer),
    Layer.mapError((error) => Usage.error(describe(error)))
  )

const describe = (error: ConfigError.ConfigError): string =>
  error._op === "InvalidData"
    ? `The ${error.path.includes("apiKey") ? "key in MAILSTREAM_API_KEY" : "base URL"} ${error.message}.`
    : String(error)

/** Asks for the key, on the terminal and without showing it, also where the output goes elsewhere. */
const ask: Effect.Effect<
  Redacted.Redacted,
  ValidationError.ValidationError | Terminal.QuitException,
  Stdio | Terminal.Terminal
> = Effect.gen(function*() {
  const { err } = yield* Stdio
  if (err.isTerminal && process.stdin.isTTY) return yield* prompt
  return yield* Usage.fail("Which key? Set MAILSTREAM_API_KEY; on a terminal it is asked for.")
})

const prompt: Effect.Effect<Redacted.Redacted, Terminal.QuitException, Stdio | Terminal.Terminal> = Effect.gen(
  function*() {
    const { err, say } = yield* Stdio
    const terminal = yield* Terminal.Terminal
    const input = yield* terminal.readInput
    yield* Effect.addFinalizer(() => say(""))
    yield* Effect.ignore(err.write("API key (not shown): "))
    let key = ""
    for (;;) {
      // Ctrl+C and Ctrl+D end the input.
      const { input: text, key: pressed } = yield* Effect.orElseFail(input.take, () => new Terminal.QuitException())
      if (pressed.name === "return" || pressed.name === "enter") return Redacted.make(key.trim())
      key = pressed.name === "backspace" ? key.slice(0, -1) : key + Option.getOrElse(text, () => "")
    }
  }
).pipe(Effect.scoped)

/**
 * `mailstream serve`: the service itself, for development.
 *
 * @since 0.1.0
 */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import type { StoreError } from "@mailstream/server"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import * as Samples from "../service/SampleCounts.ts"
import { endless } from "../terminal/ExitCode.ts"
import type { OutputError } from "../terminal/OutputError.ts"
import type { PipeClosed, Stdio } from "../terminal/Stdio.ts"
import * as Help from "../usage/Help.ts"
import * as Usage from "../usage/OptionParser.ts"

/**
 * Where the service keeps its objects.
 *
 * @since 0.1.0
 * @category models
 */
export type Place =
  | { readonly _tag: "Memory" }
  | { readonly _tag: "Sqlite"; readonly filename: string }
  | { readonly _tag: "Postgres"; readonly url: Redacted.Redacted }

/**
 * The address cannot be listened to.
 *
 * @since 0.1.0
 * @category errors
 */
export class ServeError extends Data.TaggedError("ServeError")<{
  readonly address: string
  readonly description: string
}> {
  override get message(): string {
    return `${this.address}: ${this.description}`
  }
}

/**
 * Reads `memory`, `sqlite:FILE` or `postgres://…`. What cannot be read is not repeated: it may hold a password.
 *
 * @since 0.1.0
 * @category parsers
 */
export const parsePlace = (text: string): Either.Either<Place, string> => {
  if (text === "memory") return Either.right({ _tag: "Memory" })
  const [, filename] = /^sqlite:(.+)$/.exec(text) ?? []
  if (filename !== undefined) return Either.right({ _tag: "Sqlite", filename })
  return /^postgres(ql)?:\/\/./.test(text) && URL.canParse(text)
    ? Either.right({ _tag: "Postgres", url: Redacted.make(text) })
    : Either.left("--store must be memory, sqlite:FILE or postgres://USER:PASSWORD@HOST/DATABASE.")
}

const options = {
  port: Usage.parsed("port", "N", Usage.integer(0, 65535)).pipe(
    Options.withDescription("The port; 0 is any free one. Default: 8025."),
    Options.withDefault(8025)
  ),
  host: Options.text("host").pipe(
    Options.withPseudoName("HOST"),
    Options.withDescription("Whom to listen to. Default: 127.0.0.1, this machine alone."),
    Options.withDefault("127.0.0.1")
  ),
  store: Options.text("store").pipe(
    Options.withPseudoName("STORE"),
    Options.mapEffect((text) => Either.mapLeft(parsePlace(text), Usage.error)),
    Options.withDescription("memory, sqlite:FILE or postgres://USER:PASSWORD@HOST/DATABASE. Default: memory."),
    Options.withDefault<Place>({ _tag: "Memory" })
  ),
  items: Usage.parsed("items", "ITEMS", Samples.parse).pipe(
    Options.withDescription(
      "Sample data for lists that are empty: N items in each, or contacts=N,topics=N,… Default: a little of everything."
    ),
    Options.withDefault(Samples.some)
  ),
  apiKey: Options.redacted("api-key").pipe(
    Options.withPseudoName("KEY"),
    Options.withDescription("A key that is good. Without it one is made, and told on standard error."),
    Options.optional
  ),
  rateLimit: Usage.parsed("rate-limit", "N/TIME", Usage.rate).pipe(
    Options.withDescription("Answer so many requests in each stretch of time, as in 10/1s. Default: no limit."),
    Options.optional
  ),
  latency: Usage.parsed("latency", "TIME", Usage.duration).pipe(
    Options.withDescription("Let answers take up to this much longer, as in 50ms. Default: 0ms."),
    Options.withDefault(Duration.zero)
  ),
  faults: Usage.parsed("faults", "SHARE", Usage.share).pipe(
    Options.withDescription(
      "Let this share of the requests fail, in all ways: 429, 500, 503, a proxy's HTML, connections that break, " +
        "answers that are cut off or no JSON. Default: 0."
    ),
    Options.withDefault(0)
  ),
  seed: Usage.parsed("seed", "N", Usage.integer(0, 2 ** 31)).pipe(
    Options.withDescription("Other sample data and other faults. Default: 0."),
    Options.withDefault(0)
  )
}

/**
 * What the options come to.
 *
 * @since 0.1.0
 * @category models
 */
export interface Given extends Command.Command.ParseConfig<typeof options> {}

/**
 * @since 0.1.0
 * @category commands
 */
export const command: Help.Documented<"serve", Stdio, ServeError | StoreError | PipeClosed | OutputError, Given> = Help
  .document(
    Command.make("serve", options, (given) =>
      // The service brings its databases along. Commands that only ask do not wait for them.
      Effect.promise(() => import("../service/Service.ts")).pipe(
        Effect.flatMap((service) => service.serve(given)),
        endless
      )),
    {
      path: "serve",
      summary: "Serves the API on this machine, with sample data and, if you like, with faults.",
      examples: [
        "mailstream serve",
        "mailstream serve --port 0 --items contacts=10000,topics=20 --api-key re_local",
        "mailstream serve --store sqlite:mailstream.db",
        "mailstream serve --rate-limit 10/1s --latency 50ms --faults 0.1 --seed 7"
      ]
    }
  )

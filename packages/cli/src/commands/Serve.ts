/**
 * `mailstream serve`: the service itself, for development.
 *
 * @since 1.0.0
 */
import * as Options from "@effect/cli/Options"
import { isSecret } from "@mailstream/core"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Origins from "../service/Origins.ts"
import * as SampleCounts from "../service/SampleCounts.ts"
import * as StoreLocation from "../service/StoreLocation.ts"
import { endless } from "../terminal/ExitCode.ts"
import * as OptionParser from "../usage/OptionParser.ts"
import type { Page } from "../usage/Page.ts"
import * as UsageError from "../usage/UsageError.ts"
import * as Values from "../usage/Values.ts"
import * as Documented from "./Documented.ts"
import type { Failure } from "./Failure.ts"

const options = {
  port: OptionParser.option("port", "N", OptionParser.integer(0, 65535)).pipe(
    Options.withDescription("Port to bind; 0 picks a free one. Default: 8025."),
    Options.withDefault(8025)
  ),
  host: Options.text("host").pipe(
    Options.withPseudoName("HOST"),
    Options.withDescription("Address to bind. Default: 127.0.0.1, this machine only."),
    Options.withDefault("127.0.0.1")
  ),
  store: Options.text("store").pipe(
    Options.withPseudoName("STORE"),
    Options.mapEffect((text) => Either.mapLeft(StoreLocation.parse(text), UsageError.make)),
    Options.withDescription("memory, sqlite:FILE or postgres://USER:PASSWORD@HOST/DATABASE. Default: memory."),
    Options.withDefault(StoreLocation.memory)
  ),
  items: OptionParser.option("items", "ITEMS", SampleCounts.parse).pipe(
    Options.withDescription(
      "Sample data for empty lists: N items in each, or contacts=N,topics=N,… Default: some of everything."
    ),
    Options.withDefault(SampleCounts.some)
  ),
  apiKey: Options.redacted("api-key").pipe(
    Options.withPseudoName("KEY"),
    Options.mapEffect((key) =>
      isSecret(Redacted.value(key)) ? Effect.succeed(key) : UsageError.fail(
        "--api-key must be visible ASCII characters, such as re_local. Leave it out to get a random key."
      )
    ),
    Options.withDescription(
      "The API key to accept. With --accounts, account-N accepts KEY-N. Default: random, printed to standard error."
    ),
    Options.optional
  ),
  accounts: OptionParser.option("accounts", "N", OptionParser.integer(1, 100_000)).pipe(
    Options.withDescription(
      "Hold N accounts, account-1 to account-N, each with an API key, a rate limit and sample data of its own. " +
        "Default: one account."
    ),
    Options.optional
  ),
  accountsFile: Options.text("accounts-file").pipe(
    Options.withPseudoName("FILE"),
    Options.withDescription(
      "Write the accounts and their API keys to FILE, as JSON, instead of printing them. Keys in FILE from an earlier " +
        "serve are kept."
    ),
    Options.optional
  ),
  rateLimit: OptionParser.option("rate-limit", "N/TIME", OptionParser.rate).pipe(
    Options.withDescription("Accept N requests per time and account, such as 10/1s. Default: no limit."),
    Options.optional
  ),
  latency: OptionParser.option("latency", "TIME", OptionParser.duration).pipe(
    Options.withDescription("Delay responses by up to this time, such as 50ms. Default: 0ms."),
    Options.withDefault(Duration.zero)
  ),
  faults: OptionParser.option("faults", "SHARE", OptionParser.share).pipe(
    Options.withDescription(
      "Share of requests that fail, such as 0.1, in every way: 429, 500, 503, a proxy's HTML, broken connections, " +
        "responses that are truncated or not JSON. Default: 0."
    ),
    Options.withDefault(0)
  ),
  cors: OptionParser.option("cors", "ORIGINS", Origins.parse).pipe(
    Options.withDescription(
      "Origins whose pages may use the service from a browser, such as http://localhost:5173, separated by commas; " +
        "'*' for all. Default: none."
    ),
    Options.optional
  ),
  seed: OptionParser.option("seed", "N", OptionParser.integer(0, 2 ** 31)).pipe(
    Options.withDescription("Seed for sample data and faults. Default: 0."),
    Options.withDefault(0)
  )
}

interface Given extends Documented.Given<typeof options> {}

/**
 * @since 1.0.0
 * @category commands
 */
export const command = (page: Page): Documented.Documented<Documented.Requirements, Failure, Given> =>
  Documented.make(page, {
    options,
    values: { store: Values.location("memory") },
    run: (given) =>
      // The service loads the server, which usage errors and the help should not wait for.
      Effect.zipRight(check(given), Effect.promise(() => import("../service/Service.ts"))).pipe(
        Effect.flatMap((service) => service.serve(given)),
        endless
      )
  })

const check = ({ accounts, accountsFile }: Given) => {
  if (Option.isNone(accountsFile)) return Effect.void
  if (accountsFile.value === "") return UsageError.fail("--accounts-file needs the name of a file.")
  return Option.isNone(accounts) ? UsageError.fail("--accounts-file needs --accounts N.") : Effect.void
}

/**
 * `mailstream serve`: the service itself, for development.
 *
 * @since 1.0.0
 */
import { isSecret } from "@mailstream/core"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import * as Origins from "../service/Origins.ts"
import * as SampleCounts from "../service/SampleCounts.ts"
import * as StoreLocation from "../service/StoreLocation.ts"
import { endless } from "../terminal/ExitCode.ts"
import * as Command from "../usage/Command.ts"
import * as Flag from "../usage/Flag.ts"
import * as Parse from "../usage/Parse.ts"
import * as UsageError from "../usage/UsageError.ts"
import * as Values from "../usage/Values.ts"
import type { Action } from "./Action.ts"

const flags = {
  port: Flag.withDefault(
    Flag.parsed("port", {
      value: "N",
      description: "Port to bind; 0 picks a free one. Default: 8025.",
      parse: Parse.integer(0, 65_535)
    }),
    8025
  ),
  host: Flag.withDefault(
    Flag.text("host", { value: "HOST", description: "Address to bind. Default: 127.0.0.1, this machine only." }),
    "127.0.0.1"
  ),
  store: Flag.withDefault(
    Flag.redacted("store", {
      value: "STORE",
      values: Values.location("memory"),
      description: "memory, sqlite:FILE or postgres://USER:PASSWORD@HOST/DATABASE. Default: memory.",
      parse: StoreLocation.parse
    }),
    StoreLocation.memory
  ),
  items: Flag.withDefault(
    Flag.parsed("items", {
      value: "ITEMS",
      description:
        "Sample data for empty lists: N items in each, or contacts=N,topics=N,… Default: some of everything.",
      parse: SampleCounts.parse
    }),
    SampleCounts.some
  ),
  apiKey: Flag.optional(Flag.redacted("api-key", {
    value: "KEY",
    description:
      "The API key to accept. With --accounts, account-N accepts KEY-N. Default: random, printed to standard error.",
    parse: (key) =>
      isSecret(Redacted.value(key))
        ? Either.right(key)
        : Either.left("--api-key must be visible ASCII characters, such as re_local. Leave it out to get a random key.")
  })),
  accounts: Flag.optional(Flag.parsed("accounts", {
    value: "N",
    description: "Hold N accounts, account-1 to account-N, each with its own API key, rate limit and sample data. " +
      "Default: one account.",
    parse: Parse.integer(1, 100_000)
  })),
  accountsFile: Flag.optional(Flag.text("accounts-file", {
    value: "FILE",
    values: Values.file,
    description:
      "Write the accounts and their API keys to FILE, as JSON, instead of printing them. Keys in FILE from an earlier " +
      "serve are kept."
  })),
  rateLimit: Flag.optional(Flag.parsed("rate-limit", {
    value: "N/TIME",
    description: "Accept N requests per time and account, such as 10/1s. Default: no limit.",
    parse: Parse.rate
  })),
  latency: Flag.withDefault(
    Flag.parsed("latency", {
      value: "TIME",
      description: "Delay responses by up to this time, such as 50ms. Default: 0ms.",
      parse: Parse.duration
    }),
    Duration.zero
  ),
  faults: Flag.withDefault(
    Flag.parsed("faults", {
      value: "SHARE",
      description:
        "Share of requests that fail, such as 0.1, in every way: 429, 500, 503, a proxy's HTML, broken connections, " +
        "responses that are truncated or not JSON. Default: 0.",
      parse: Parse.share
    }),
    0
  ),
  cors: Flag.optional(Flag.parsed("cors", {
    value: "ORIGINS",
    description:
      "Origins whose pages may use the service from a browser, such as http://localhost:5173, separated by commas; " +
      "'*' for all. Default: none.",
    parse: Origins.parse
  })),
  seed: Flag.withDefault(
    Flag.parsed("seed", {
      value: "N",
      description: "Seed for sample data and faults. Default: 0.",
      parse: Parse.integer(0, 2 ** 31)
    }),
    0
  )
}

/**
 * @since 1.0.0
 * @category actions
 */
export const action: Action = Command.action(flags, (given) =>
  Effect.gen(function*() {
    if (given.accountsFile !== undefined && given.accounts === undefined) {
      return yield* UsageError.fail("--accounts-file needs --accounts N.")
    }
    // The service loads the server, which usage errors and the help should not wait for.
    const Service = yield* Effect.promise(() => import("../service/Service.ts"))
    return yield* Service.serve(given)
  }).pipe(endless))

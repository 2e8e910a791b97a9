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
import * as UsageError from "../usage/UsageError.ts"
import * as Value from "../usage/Value.ts"
import * as Values from "../usage/Values.ts"
import type { Action } from "./Action.ts"

const apiKey: Value.Value<Redacted.Redacted> = {
  name: "KEY",
  isSecret: true,
  parse: (key) =>
    isSecret(key)
      ? Either.right(Redacted.make(key))
      : Either.left("must be visible ASCII characters, such as re_local; leave it out to get a random key")
}

const flags = {
  port: Flag.withDefault("port", Value.integer(0, 65_535), 8025, "Port to bind; 0 picks a free one. Default: 8025."),
  host: Flag.withDefault(
    "host",
    Value.text("HOST"),
    "127.0.0.1",
    "Address to bind. Default: 127.0.0.1, this machine only."
  ),
  store: Flag.withDefault(
    "store",
    StoreLocation.value,
    StoreLocation.memory,
    "memory, sqlite:FILE or postgres://USER:PASSWORD@HOST/DATABASE. Default: memory."
  ),
  items: Flag.withDefault(
    "items",
    { name: "ITEMS", parse: SampleCounts.parse },
    SampleCounts.some,
    "Sample data for empty lists: N items in each, or contacts=N,topics=N,… Default: some of everything."
  ),
  apiKey: Flag.optional(
    "api-key",
    apiKey,
    "The API key to accept. With --accounts, account-N accepts KEY-N. Default: random, printed to standard error."
  ),
  accounts: Flag.optional(
    "accounts",
    Value.integer(1, 100_000),
    "Hold N accounts, account-1 to account-N, each with its own API key, rate limit and sample data. " +
      "Default: one account."
  ),
  accountsFile: Flag.optional(
    "accounts-file",
    Value.text("FILE", { values: Values.file }),
    "Write the accounts and their API keys to FILE, as JSON, instead of printing them. Keys in FILE from an earlier " +
      "serve are kept."
  ),
  rateLimit: Flag.optional(
    "rate-limit",
    Value.rate,
    "Accept N requests per time and account, such as 10/1s. Default: no limit."
  ),
  latency: Flag.withDefault(
    "latency",
    Value.duration,
    Duration.zero,
    "Delay responses by up to this time, such as 50ms. Default: 0ms."
  ),
  faults: Flag.withDefault(
    "faults",
    Value.share,
    0,
    "Share of requests that fail, such as 0.1, in every way: 429, 500, 503, a proxy's HTML, broken connections, " +
      "responses that are truncated or not JSON. Default: 0."
  ),
  cors: Flag.optional(
    "cors",
    { name: "ORIGINS", parse: Origins.parse },
    "Origins whose pages may use the service from a browser, such as http://localhost:5173, separated by commas; " +
      "'*' for all. Default: none."
  ),
  seed: Flag.withDefault("seed", Value.integer(0, 2 ** 31), 0, "Seed for sample data and faults. Default: 0.")
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

/**
 * `mailstream worker`: copies many accounts, together with other workers.
 *
 * @since 1.0.0
 */
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Connection from "../api/Connection.ts"
import * as Cluster from "../cluster/Cluster.ts"
import * as Pass from "../mirror/Pass.ts"
import { endless } from "../terminal/ExitCode.ts"
import * as OptionParser from "../usage/OptionParser.ts"
import type { Page } from "../usage/Page.ts"
import * as UsageError from "../usage/UsageError.ts"
import * as Values from "../usage/Values.ts"
import * as Documented from "./Documented.ts"
import type { Failure } from "./Failure.ts"

const { optional, text } = OptionParser

const port = (name: string, least: number) => OptionParser.option(name, "N", OptionParser.integer(least, 65_535))

const options = {
  ...Cluster.options,
  ...Pass.options,
  accounts: text("accounts", "SOURCE").pipe(
    Options.withDescription(
      "Required. Where the accounts are: a JSON file, such as accounts.json; env for MAILSTREAM_ACCOUNTS and " +
        "MAILSTREAM_API_KEY_…; or table for the encrypted one (see cluster accounts)."
    )
  ),
  every: optional(
    OptionParser.option("every", "TIME", OptionParser.durationFrom("1 second", "a second")),
    "From pass to pass of an account. Default: 1h."
  ),
  host: text("host", "HOST").pipe(
    Options.withDescription("Name or address under which other workers reach this one. Default: 127.0.0.1."),
    Options.withDefault("127.0.0.1")
  ),
  port: port("port", 1).pipe(
    Options.withDescription("Port for other workers, on a network that nobody else can use. Default: 34431."),
    Options.withDefault(34_431)
  ),
  listenHost: optional(text("listen-host", "HOST"), "Address to bind for other workers. Default: that of --host."),
  healthPort: optional(
    port("health-port", 0),
    "Serve /health/live, /health/ready and a status page on this port; 0 picks a free one. Default: no server."
  ),
  healthHost: text("health-host", "HOST").pipe(
    Options.withDescription("Address to bind for --health-port. Default: 127.0.0.1, this machine only."),
    Options.withDefault("127.0.0.1")
  ),
  maxAccounts: optional(
    OptionParser.option("max-accounts", "N", OptionParser.integer(1, 1000)),
    "Accounts to copy at once. Default: 8."
  ),
  maxConnections: optional(
    OptionParser.option("max-connections", "N", OptionParser.integer(3, 10_000)),
    "Connections to the database. Default: --max-accounts and four more."
  ),
  lockExpiration: optional(
    OptionParser.option("lock-expiration", "TIME", OptionParser.durationFrom("3 seconds", "three seconds")),
    "When the accounts of a worker that has disappeared are taken over. Default: 15s."
  ),
  rateLimit: optional(
    OptionParser.option("rate-limit", "N/TIME", OptionParser.rate),
    "Requests per time and account, such as 10/1s. Default: what the service says."
  )
}

interface Given extends Documented.Given<typeof options> {}

/** How many accounts a worker copies at once without `--max-accounts`. */
const defaultAccounts = 8

/** For locks, and for whatever else a worker does besides copying. */
const otherConnections = 4

/**
 * @since 1.0.0
 * @category commands
 */
export const command = (page: Page): Documented.Documented<Documented.Requirements, Failure, Given> =>
  Documented.make(page, {
    options,
    values: { ...Cluster.values, ...Pass.values, accounts: Values.file },
    run: (given) =>
      Effect.gen(function*() {
        if (given.accounts === "") return yield* UsageError.fail("--accounts needs the name of a file, env or table.")
        const cluster = yield* Cluster.fromOptions(given)
        const Worker = yield* Effect.promise(() => import("../cluster/Worker.ts"))
        const known = yield* Connection.environment
        const { maxAccounts = defaultAccounts, rateLimit } = given
        return yield* Worker.run(cluster, {
          ...given,
          maxAccounts,
          maxConnections: given.maxConnections ?? maxAccounts + otherConnections,
          lists: yield* Pass.lists(given),
          rateLimit,
          retry: Option.getOrUndefined(given.retry),
          baseUrl: Option.getOrUndefined(Option.orElse(given.baseUrl, () => known.baseUrl))
        })
      }).pipe(Effect.provide(Connection.transport), endless)
  })

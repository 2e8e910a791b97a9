/**
 * `mailstream worker`: copies many accounts, together with other workers.
 *
 * @since 1.0.0
 */
import * as Effect from "effect/Effect"
import * as Connection from "../api/Connection.ts"
import * as Cluster from "../cluster/Cluster.ts"
import * as Pass from "../mirror/Pass.ts"
import { endless } from "../terminal/ExitCode.ts"
import * as Command from "../usage/Command.ts"
import * as Flag from "../usage/Flag.ts"
import * as Value from "../usage/Value.ts"
import * as Values from "../usage/Values.ts"
import type { Action } from "./Action.ts"

const flags = {
  ...Cluster.flags,
  ...Pass.flags,
  accounts: Flag.required(
    "accounts",
    Value.text("SOURCE", { values: Values.file }),
    "Where the accounts are: a JSON file, such as accounts.json; env for MAILSTREAM_ACCOUNTS and MAILSTREAM_API_KEY_…; " +
      "or table for the encrypted one (see cluster accounts)."
  ),
  every: Flag.optional(
    "every",
    Value.durationFrom("1 second", "a second"),
    "Interval between the passes of an account. Default: 1h."
  ),
  host: Flag.withDefault(
    "host",
    Value.text("HOST"),
    "127.0.0.1",
    "Name or address under which other workers reach this one. Default: 127.0.0.1."
  ),
  port: Flag.withDefault(
    "port",
    Value.integer(1, 65_535),
    34_431,
    "Port for other workers. Keep it on a private network. Default: 34431."
  ),
  listenHost: Flag.optional(
    "listen-host",
    Value.text("HOST"),
    "Address to bind for other workers. Default: that of --host."
  ),
  healthPort: Flag.optional(
    "health-port",
    Value.integer(0, 65_535),
    "Serve /health/live, /health/ready and a status page on this port; 0 picks a free one. Default: no server."
  ),
  healthHost: Flag.withDefault(
    "health-host",
    Value.text("HOST"),
    "127.0.0.1",
    "Address to bind for --health-port. Default: 127.0.0.1, this machine only."
  ),
  maxAccounts: Flag.withDefault("max-accounts", Value.integer(1, 1000), 8, "Accounts to copy at once. Default: 8."),
  maxConnections: Flag.optional(
    "max-connections",
    Value.integer(3, 10_000),
    "Connections to the database. Default: --max-accounts and four more."
  ),
  lockExpiration: Flag.optional(
    "lock-expiration",
    Value.durationFrom("3 seconds", "three seconds"),
    "How long until the accounts of a lost worker are taken over. Default: 15s."
  ),
  rateLimit: Flag.optional(
    "rate-limit",
    Value.rate,
    "Requests per time and account, such as 10/1s. Default: the limit that the service reports."
  )
}

/** For locks, and for everything else that a worker does besides copying. */
const otherConnections = 4

/**
 * @since 1.0.0
 * @category actions
 */
export const action: Action = Command.action(flags, (given) =>
  Effect.gen(function*() {
    const cluster = yield* Cluster.fromFlags(given)
    const Worker = yield* Effect.promise(() => import("../cluster/Worker.ts"))
    const { baseUrl } = yield* Connection.environment
    return yield* Worker.run(cluster, {
      ...given,
      maxConnections: given.maxConnections ?? given.maxAccounts + otherConnections,
      baseUrl: given.baseUrl ?? baseUrl
    })
  }).pipe(Effect.provide(Connection.transport), endless))

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
import * as Parse from "../usage/Parse.ts"
import * as Values from "../usage/Values.ts"
import type { Action } from "./Action.ts"

const flags = {
  ...Cluster.flags,
  ...Pass.flags,
  accounts: Flag.text("accounts", {
    value: "SOURCE",
    values: Values.file,
    description:
      "Where the accounts are: a JSON file, such as accounts.json; env for MAILSTREAM_ACCOUNTS and MAILSTREAM_API_KEY_…; " +
      "or table for the encrypted one (see cluster accounts)."
  }),
  every: Flag.optional(Flag.parsed("every", {
    value: "TIME",
    description: "Interval between the passes of an account. Default: 1h.",
    parse: Parse.durationFrom("1 second", "a second")
  })),
  host: Flag.withDefault(
    Flag.text("host", {
      value: "HOST",
      description: "Name or address under which other workers reach this one. Default: 127.0.0.1."
    }),
    "127.0.0.1"
  ),
  port: Flag.withDefault(
    Flag.parsed("port", {
      value: "N",
      description: "Port for other workers. Keep it on a private network. Default: 34431.",
      parse: Parse.integer(1, 65_535)
    }),
    34_431
  ),
  listenHost: Flag.optional(Flag.text("listen-host", {
    value: "HOST",
    description: "Address to bind for other workers. Default: that of --host."
  })),
  healthPort: Flag.optional(Flag.parsed("health-port", {
    value: "N",
    description:
      "Serve /health/live, /health/ready and a status page on this port; 0 picks a free one. Default: no server.",
    parse: Parse.integer(0, 65_535)
  })),
  healthHost: Flag.withDefault(
    Flag.text("health-host", {
      value: "HOST",
      description: "Address to bind for --health-port. Default: 127.0.0.1, this machine only."
    }),
    "127.0.0.1"
  ),
  maxAccounts: Flag.withDefault(
    Flag.parsed("max-accounts", {
      value: "N",
      description: "Accounts to copy at once. Default: 8.",
      parse: Parse.integer(1, 1000)
    }),
    8
  ),
  maxConnections: Flag.optional(Flag.parsed("max-connections", {
    value: "N",
    description: "Connections to the database. Default: --max-accounts and four more.",
    parse: Parse.integer(3, 10_000)
  })),
  lockExpiration: Flag.optional(Flag.parsed("lock-expiration", {
    value: "TIME",
    description: "How long until the accounts of a lost worker are taken over. Default: 15s.",
    parse: Parse.durationFrom("3 seconds", "three seconds")
  })),
  rateLimit: Flag.optional(Flag.parsed("rate-limit", {
    value: "N/TIME",
    description: "Requests per time and account, such as 10/1s. Default: the limit that the service reports.",
    parse: Parse.rate
  }))
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

/** The options of `worker` and `cluster`. The code that opens the database is imported when it is needed. */
import * as Effect from "effect/Effect"
import { databaseOr, pass, prefix } from "../mirror/Flags.ts"
import * as ItemWriter from "../output/ItemWriter.ts"
import * as Flag from "../usage/Flag.ts"
import * as Location from "../usage/Location.ts"
import type * as UsageError from "../usage/UsageError.ts"
import * as Value from "../usage/Value.ts"

const cluster = {
  database: Flag.optional(
    Location.postgres,
    "The PostgreSQL database that all workers share: postgres://USER:PASSWORD@HOST/DATABASE. Default: MAILSTREAM_DATABASE_URL."
  ),
  prefix
}

/** Which cluster a command is about. */
export interface Cluster {
  readonly database: Location.Postgres
  readonly prefix: string | undefined
}

/** The cluster that the options name, or the environment. */
export const clusterOf = (
  { database, prefix }: Flag.Given<typeof cluster>
): Effect.Effect<Cluster, UsageError.UsageError> =>
  Effect.map(databaseOr(database, Location.postgres, "--database postgres://…"), (database) => ({ database, prefix }))

/** A status is one object, so that a table and JSON are all there is to choose from. */
export const status = {
  ...cluster,
  format: Flag.optional(Value.choice(["table", "json"]), "Output format. Default: table on a terminal, otherwise json.")
}

/** For the commands that need nothing but the table of accounts. */
export const table = { ...cluster, format: ItemWriter.format }

const id = Flag.required(Value.text("ID"), "The id of the account, up to 200 characters.")

export const add = {
  id,
  baseUrl: Flag.optional(
    Value.text("URL"),
    "Base URL of the account's service. Default: the one that is stored for the account, or else that of the worker."
  ),
  keyVariable: Flag.optional(
    Value.text("NAME"),
    "The environment variable that holds the API key. Default: it is read from standard input, or prompted for."
  ),
  ...table
}

export const importing = {
  file: Flag.positional(
    Value.file("FILE"),
    "A JSON file with accounts: [{ \"id\": \"acme\", \"apiKey\": \"…\", \"baseUrl\": \"…\" }]; - is standard input."
  ),
  ...table
}

export const remove = { id, ...table }

const ids = Flag.several(Value.text("ID"), "The id of an account, up to 200 characters. It can be repeated.")

/** For commands that change accounts: all of them, or none if one is unknown. */
export const changing = { id: ids, ...table }

export const accountStatus = { id, ...status }

export const sync = {
  id: ids,
  maxDeleted: Flag.optional(
    Value.share,
    "Share of a list that the next pass may mark as deleted, from 0 to 1. Default: that of the workers."
  ),
  ...table
}

export const erase = {
  id,
  yes: Flag.boolean("Do not ask. Needed where there is no terminal.", ["--yes", "-y"]),
  ...table
}

export const worker = {
  ...cluster,
  ...pass,
  maxDeleted: {
    ...pass.maxDeleted,
    description: `${pass.maxDeleted.description} Short lists reach it soon: of 3 contacts, 2 are more than half. \
cluster accounts sync --max-deleted 1 lets one pass of an account delete more.`
  },
  accounts: Flag.required(
    Value.file("SOURCE"),
    "Where the accounts are: a JSON file, such as accounts.json; env for MAILSTREAM_ACCOUNTS and MAILSTREAM_API_KEY_…; " +
      "or table for the encrypted one (see cluster accounts)."
  ),
  every: Flag.optional(
    Value.durationFrom("1 second", "a second"),
    "Interval between the passes of an account. Default: 1h."
  ),
  name: Flag.optional(
    Value.text("NAME"),
    "What to call this worker in the status and in logs. Default: the name of the host, and the number of the process."
  ),
  healthPort: Flag.optional(
    Value.integer(0, 65_535),
    "Serve /health/live, /health/ready, /metrics and a status page on this port; 0 picks a free one. Default: no server."
  ),
  healthHost: Flag.withDefault(
    Value.text("HOST"),
    "127.0.0.1",
    "Address to bind for --health-port. Default: 127.0.0.1, this machine only."
  ),
  maxAccounts: Flag.withDefault(Value.integer(1, 1000), 8, "Accounts to copy at once. Default: 8."),
  maxConnections: Flag.optional(
    Value.integer(3, 10_000),
    "Connections to the database. Default: --max-accounts and four more."
  ),
  lockExpiration: Flag.optional(
    Value.durationFrom("3 seconds", "three seconds"),
    "How long until the accounts of a lost worker are taken over. Default: 15s."
  ),
  keepDeleted: Flag.optional(
    Value.duration,
    "How long to keep rows of items that are gone, such as 30d. Default: for ever."
  ),
  keepChanges: Flag.optional(
    Value.duration,
    "How long to keep changes that every consumer has read, such as 90d. Default: for ever."
  ),
  rateLimit: Flag.optional(
    Value.rate,
    "Requests per time and account, such as 5/s. Default: the limit that the service reports."
  ),
  hostRateLimit: Flag.optional(
    Value.rate,
    "Requests per time to each host, of all accounts and workers together, such as 50/s. Default: no limit."
  )
}

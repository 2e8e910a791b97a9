/**
 * Campaigns on SQLite or PostgreSQL, on Node: what `mailstream.campaign` needs beside the client.
 *
 * @since 1.0.0
 */
import * as Url from "@mailstream/kernel/postgres/Url"
import * as Postgres from "@mailstream/sql/Postgres"
import * as Runtime from "@mailstream/sql/Runtime"
import * as Sqlite from "@mailstream/sql/Sqlite"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import { resolve } from "node:path"
import type { CampaignStore, Skip } from "./Campaigns.ts"
import * as Implementation from "./internal/campaign/campaign.ts"
import * as Campaigns from "./internal/campaigns.ts"
import * as Checks from "./internal/checks.ts"
import { toError } from "./internal/errors.ts"

/**
 * Keeps campaigns in a SQLite file, which is created if it does not exist. What is stored is on the disk before anything is sent.
 * Throws an `InvalidOption` on runtimes without a reliable `node:sqlite`: it needs Node 22.22.3, 24.15 or later, Bun 1.4 or Deno 2.9.
 *
 * @since 1.0.0
 * @category stores
 */
export const sqlite = (filename: string): CampaignStore => {
  const obstacle = Runtime.obstacle("SQLite", process.versions)
  if (obstacle !== undefined) return valueOf(Checks.invalid("store", `cannot be SQLite on this runtime. ${obstacle}`))
  const given = valueOf(path(filename, "filename"))
  // The same file, even if the process moves. Names that are none are refused when they are opened.
  const file = /^(:|file:)/i.test(given) ? given : resolve(given)
  return Campaigns.store("sqlite", Implementation.on(Sqlite.layer({ filename: file })))
}

const path = Checks.make(
  (value): value is string => Checks.isText(value) && !value.includes("\0") && !/^sqlite:/i.test(value),
  "must be the path of a file, as in sqlite(\"campaign.db\")"
)

/**
 * Keeps campaigns in three tables of a PostgreSQL database, `mailstream_campaigns`, `mailstream_units` and `mailstream_recipients`,
 * which are created if they do not exist. Every run has connections of its own, and closes them.
 *
 * @since 1.0.0
 * @category stores
 * @example
 * ```ts
 * import { postgres } from "@mailstream/client/campaign"
 *
 * const store = postgres(process.env["DATABASE_URL"] ?? "")
 * ```
 */
export const postgres = (
  url: string,
  options: {
    /** The most connections of a run; default: 4. */
    readonly maxConnections?: number | undefined
  } = {}
): CampaignStore => {
  const [given, { maxConnections = 4 }] = valueOf(
    Either.all([address(url, "url"), Checks.all(options, { maxConnections: Checks.count(1) })])
  )
  return Campaigns.store(
    "postgres",
    Implementation.on(Postgres.layer({ url: Redacted.make(given), maxConnections }))
  )
}

const isAddress = Checks.make(
  (value): value is string => Checks.isText(value) && /^postgres(ql)?:\/\//.test(value) && URL.canParse(value),
  "must be the URL of a database, as in postgres(\"postgres://user:password@host:5432/database\")"
)

/** A password may be why it cannot be parsed. */
const address: Checks.Check<string> = (value, option) => {
  const problem = Checks.isText(value) ? Url.problem(value) : undefined
  return problem === undefined ? isAddress(value, option) : Checks.invalid(option, problem)
}

/**
 * Decides not to write to somebody. The reason is kept with them.
 *
 * @since 1.0.0
 * @category constructors
 */
export const skip = (reason: string): Skip => ({ _tag: "Skip", reason: valueOf(text(reason, "reason")) })

const text = Checks.make(Checks.isText, "must be a string that is not empty, as in skip(\"unsubscribed\")")

/** What was checked; throws its error. */
const valueOf = <A>(checked: Checks.Checked<A>): A => Either.getOrThrowWith(checked, toError)

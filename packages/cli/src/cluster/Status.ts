/** What a cluster is doing. Its database is enough: no worker has to respond. */
import * as Statuses from "@mailstream/cluster/Status"
import * as Effect from "effect/Effect"
import * as Format from "../output/Format.ts"
import * as Live from "../terminal/Live.ts"
import type { Running } from "../terminal/Running.ts"
import { Stdio, type Target } from "../terminal/Stdio.ts"
import * as Text from "../terminal/Text.ts"
import type { Given } from "../usage/Flag.ts"
import * as Database from "./Database.ts"
import * as Flags from "./Flags.ts"

/** Writes the status. */
export const print = (given: Given<typeof Flags.status>): Running =>
  Effect.gen(function*() {
    const { out } = yield* Stdio
    const cluster = yield* Flags.clusterOf(given)
    const format = given.format ?? (out.isTerminal ? "table" : "json")
    const status = yield* Effect.mapError(Statuses.read(cluster), Database.failing(cluster)).pipe(
      Effect.provide(Database.layer(cluster, Database.leastConnections))
    )
    yield* out.write(format === "json" ? `${Text.json(status)}\n` : tables(status, out))
  })

/** For the terminal: accounts, workers and failures. */
const tables = ({ accounts, failures, runners }: Statuses.Status, target: Target): string =>
  [
    section("Accounts", [{
      total: Live.count(accounts.total),
      in_progress: Live.count(accounts.working),
      due: Live.count(accounts.due),
      paused: Live.count(accounts.paused),
      failing: Live.count(accounts.failing),
      never_copied: Live.count(accounts.neverCopied),
      oldest_copy: accounts.oldestCopy === undefined ? "" : Live.age(accounts.oldestCopy),
      longest_due: Live.age(accounts.longestDue)
    }], target),
    section(
      "Workers",
      runners.map(({ isHealthy, maxAccounts, name, silentFor, upFor, version, working }) => ({
        name,
        state: isHealthy ? "healthy" : "lost",
        version,
        in_progress: `${Live.count(working)} of ${Live.count(maxAccounts)}`,
        running_for: Live.age(upFor),
        last_heard: `${Live.age(silentFor)} ago`
      })),
      target
    ),
    section(
      // There may be more than are read.
      failures.length < accounts.failing
        ? `Failing accounts: ${Live.count(failures.length)} of ${Live.count(accounts.failing)}`
        : "Failing accounts",
      failures.map(({ account, attempts, error, retryIn }) => ({
        account,
        failures: Live.count(attempts),
        next_attempt: `in ${Live.age(retryIn)}`,
        error
      })),
      target
    ),
    target.isTerminal && failures.length > 0 ? "An error in full: mailstream cluster accounts get --id ID\n" : ""
  ].filter((text) => text !== "").join("\n")

/** A title, and a table below it. */
export const section = (title: string, rows: ReadonlyArray<object>, target: Target): string => {
  const [first] = rows
  if (first === undefined) return ""
  const table = Format.make("table", { known: Object.keys(first) }, target)
  return `${Text.styled(target, "bold", title)}\n${table.begin}${table.items(rows, true)}${table.end}`
}

/** What can be done with accounts of a cluster, wherever workers read it from. The database is enough: no worker has to respond. */
import type { SqlClient } from "@effect/sql/SqlClient"
import * as Controls from "@mailstream/cluster/Control"
import * as Statuses from "@mailstream/cluster/Status"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Operations from "../operations/Run.ts"
import * as ItemWriter from "../output/ItemWriter.ts"
import * as Live from "../terminal/Live.ts"
import type { Running } from "../terminal/Running.ts"
import { Stdio, tell } from "../terminal/Stdio.ts"
import * as Text from "../terminal/Text.ts"
import type { Given } from "../usage/Flag.ts"
import * as Database from "./Database.ts"
import * as Flags from "./Flags.ts"
import { section } from "./Status.ts"

/** Uses the tables of a cluster. */
const using = <A>(
  given: Pick<Given<typeof Flags.changing>, "database" | "prefix">,
  use: (
    cluster: Flags.Cluster
  ) => Effect.Effect<A, Effect.Effect.Error<ReturnType<typeof Controls.erase>>, SqlClient>
) =>
  Effect.flatMap(Flags.clusterOf(given), (cluster) =>
    Effect.provide(
      Effect.mapError(use(cluster), Database.failing(cluster)),
      Database.layer(cluster, Database.leastConnections)
    ))

/** Changes accounts, and writes a row for each. */
const changing = (
  { format, id, ...given }: Given<typeof Flags.changing>,
  change: typeof Controls.pause,
  row: (id: string) => object
): Running =>
  Effect.zipRight(
    using(given, (cluster) => change(id, cluster)),
    ItemWriter.rows(Arr.dedupe(id).map(row), format)
  )

export const pause = (given: Given<typeof Flags.changing>): Running =>
  changing(given, Controls.pause, (id) => ({ paused: id }))

export const resume = (given: Given<typeof Flags.changing>): Running =>
  changing(given, Controls.resume, (id) => ({ resumed: id }))

export const sync = ({ format, id, maxDeleted, ...given }: Given<typeof Flags.sync>): Running =>
  Effect.gen(function*() {
    const ids = Arr.dedupe(id)
    const states = yield* using(given, (cluster) =>
      Effect.zipRight(
        Controls.syncNow(ids, { ...cluster, maxDeleted }),
        Effect.forEach(ids, (id) => Statuses.account(id, cluster))
      ))
    const allowed = maxDeleted === undefined ? {} : { max_deleted: maxDeleted }
    yield* ItemWriter.rows(ids.map((id) => ({ due: id, ...allowed })), format)
    const paused = states.filter(({ pausedFor }) => pausedFor !== undefined).map(({ account }) => account)
    if (paused.length === 0) return
    yield* tell(
      ids.length === 1
        ? "It is paused: it is copied once it is resumed."
        : `Paused, and copied once they are resumed: ${paused.join(", ")}`
    )
  })

/** Asks, and then deletes everything about an account. Writes how much there was. */
export const erase = (given: Given<typeof Flags.erase>): Running =>
  Effect.gen(function*() {
    const { format, id, yes } = given
    if (!yes) {
      yield* Operations.confirm(
        "cluster accounts erase",
        `Delete everything about the account "${id}" from this database: its copy, its changes and consumers, and its key?`,
        false
      )
    }
    const erased = yield* using(given, (cluster) => Controls.erase(id, cluster))
    yield* ItemWriter.rows(erased, format)
  })

/** Writes what is known about an account. */
export const get = (given: Given<typeof Flags.accountStatus>): Running =>
  Effect.gen(function*() {
    const { out } = yield* Stdio
    const status = yield* using(given, (cluster) => Statuses.account(given.id, cluster))
    const { attempts, copy, dueIn, error, passes, pausedFor, worker } = status
    if ((given.format ?? (out.isTerminal ? "table" : "json")) === "json") {
      return yield* out.write(`${Text.json(status)}\n`)
    }
    const tables = [
      section("Account", [{
        account: status.account,
        state: pausedFor !== undefined
          ? `paused for ${Live.age(pausedFor)}`
          : worker !== undefined
          ? `in a pass on ${worker}`
          : `due ${dueIn === 0 ? "now" : `in ${Live.age(dueIn ?? 0)}`}`,
        copy: copy === undefined ? "none yet" : `${Live.age(copy)} old`,
        failures: Live.count(attempts)
      }], out),
      // A table cell would cut off the command that the error tells the operator to run.
      error === undefined ? "" : `${Text.styled(out, "bold", "Error")}\n${Text.printable(error)}\n`,
      section(
        "Last passes",
        passes.map(({ at, created = 0, deleted = 0, error, seconds, updated = 0 }) => ({
          ended: at,
          took: Live.age(seconds),
          created: Live.count(created),
          updated: Live.count(updated),
          deleted: Live.count(deleted),
          error: error ?? ""
        })),
        out
      )
    ]
    yield* out.write(tables.filter((text) => text !== "").join("\n"))
  })

/** What can be done with one account of a cluster, wherever workers read it from. The database is enough: no worker has to respond. */
import type { SqlClient } from "@effect/sql/SqlClient"
import * as Controls from "@mailstream/cluster/Control"
import * as Statuses from "@mailstream/cluster/Status"
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
  given: Pick<Given<typeof Flags.account>, "database" | "prefix">,
  use: (
    cluster: Flags.Cluster
  ) => Effect.Effect<A, Effect.Effect.Error<ReturnType<typeof Controls.erase>>, SqlClient>
) =>
  Effect.flatMap(Flags.clusterOf(given), (cluster) =>
    Effect.provide(
      Effect.mapError(use(cluster), Database.failing(cluster)),
      Database.layer(cluster, Database.leastConnections)
    ))

export const pause = (given: Given<typeof Flags.account>): Running =>
  Effect.zipRight(
    using(given, (cluster) => Controls.pause(given.id, cluster)),
    ItemWriter.rows([{ paused: given.id }], given.format)
  )

export const resume = (given: Given<typeof Flags.account>): Running =>
  Effect.zipRight(
    using(given, (cluster) => Controls.resume(given.id, cluster)),
    ItemWriter.rows([{ resumed: given.id }], given.format)
  )

export const sync = ({ format, id, maxDeleted, ...given }: Given<typeof Flags.sync>): Running =>
  Effect.gen(function*() {
    const { pausedFor } = yield* using(
      given,
      (cluster) => Effect.zipRight(Controls.syncNow(id, { ...cluster, maxDeleted }), Statuses.account(id, cluster))
    )
    yield* ItemWriter.rows([{ due: id, ...(maxDeleted === undefined ? {} : { max_deleted: maxDeleted }) }], format)
    if (pausedFor !== undefined) yield* tell(`It is paused: it is copied once it is resumed.`)
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
        failures: Live.count(attempts),
        error: error ?? ""
      }], out),
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

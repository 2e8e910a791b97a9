/** One turn of an account: a pass over its lists, or a part of it. A failure concerns this account alone. */
import type { Transport } from "@mailstream/http/Transport"
import type * as Mirror from "@mailstream/mirror/Mirror"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import type { Accounts } from "../Accounts.ts"
import type * as Client from "./client.ts"
import type { Claim } from "./ledger.ts"
import * as Metrics from "./metrics.ts"
import * as Turn from "./turn.ts"

export interface Options {
  /** The copy, of whichever account. */
  readonly mirror: Mirror.MirrorService
  readonly sync: Mirror.SyncOptions
  readonly client: Client.Clients
  /** That of the cluster, for the commands in errors. */
  readonly prefix: string
}

/**
 * How long a pass that somebody else has continued is left alone. It was the last commit of a worker that has stopped: nobody
 * else may make this pass.
 */
const patience = Duration.seconds(2)

const counted = <A, R>(pass: Effect.Effect<A, never, R>): Effect.Effect<A, never, R> =>
  Effect.acquireUseRelease(
    Metric.increment(Metrics.passes),
    () => pass,
    () => Metric.incrementBy(Metrics.passes, -1)
  )

export const make = (
  claim: Claim,
  { client, mirror, prefix, sync: ofWorker }: Options
): Effect.Effect<Turn.Ended, never, Accounts | Transport> => {
  const { id, maxDeleted } = claim
  const sync = { ...ofWorker, patience, maxDeleted: maxDeleted ?? ofWorker.maxDeleted }
  return Effect.flatMap(
    client(claim),
    (api) =>
      Effect.flatMap(mirror.forAccount(id), (copy) => copy.syncEither(sync)).pipe(
        Effect.provide(api)
      )
  ).pipe(
    Effect.map((reports) => Turn.fromReports(reports, prefix)),
    Effect.catchAll((error) => Effect.succeed(Turn.fromError(error))),
    Effect.catchAllDefect((defect) =>
      Effect.as(
        Effect.logError("A pass ended with a defect", Cause.die(defect)),
        Turn.failed("the pass crashed; see the log")
      )
    ),
    counted
  )
}

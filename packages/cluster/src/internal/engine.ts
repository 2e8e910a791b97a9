/** `@effect/cluster` on PostgreSQL, with compatible settings. */
import * as RunnerAddress from "@effect/cluster/RunnerAddress"
import * as RunnerHealth from "@effect/cluster/RunnerHealth"
import * as Runners from "@effect/cluster/Runners"
import type { RunnerStorage } from "@effect/cluster/RunnerStorage"
import type { Sharding } from "@effect/cluster/Sharding"
import * as ShardingConfig from "@effect/cluster/ShardingConfig"
import * as SocketRunner from "@effect/cluster/SocketRunner"
import * as SqlMessageStorage from "@effect/cluster/SqlMessageStorage"
import * as SqlRunnerStorage from "@effect/cluster/SqlRunnerStorage"
import * as NodeClusterSocket from "@effect/platform-node/NodeClusterSocket"
import type { SocketServerError } from "@effect/platform/SocketServer"
import * as RpcSerialization from "@effect/rpc/RpcSerialization"
import type * as SqlClient from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schedule from "effect/Schedule"
import type { EngineTables } from "./engineTables.ts"
import * as Lease from "./lease.ts"
import * as Releases from "./releases.ts"
import type * as Tables from "./tables.ts"

export interface Options {
  readonly host: string
  readonly port: number
  readonly listenHost: string
  readonly lockExpiration: Duration.Duration
  readonly names: Tables.Names
  readonly tables: EngineTables
}

const configOf = (
  { host, listenHost, lockExpiration, port }: Options
): Partial<ShardingConfig.ShardingConfig["Type"]> => {
  const part = (count: number, most: Duration.DurationInput) =>
    Duration.min(Duration.unsafeDivide(lockExpiration, count), most)
  return {
    runnerAddress: Option.some(RunnerAddress.make(host, port)),
    runnerListenAddress: Option.some(RunnerAddress.make(listenHost, port)),
    // An advisory lock lasts as long as the session of a paused process, and its number ignores the prefix of the tables.
    shardLockDisableAdvisory: true,
    shardLockExpiration: lockExpiration,
    shardLockRefreshInterval: part(3, "10 seconds"),
    refreshAssignmentsInterval: part(6, "3 seconds"),
    entityMessagePollInterval: part(3, "5 seconds"),
    runnerHealthCheckInterval: part(1, "30 seconds"),
    // A pass can be continued from its last page, so that there is no reason to wait for its end.
    entityTerminationTimeout: Duration.seconds(1),
    simulateRemoteSerialization: false
  }
}

/**
 * Creates the engine's tables. Of several workers that start on a new database at the same instant, PostgreSQL lets one create
 * a table, even `IF NOT EXISTS`: the others try again, and find it.
 */
export const prepare = (
  names: Tables.Names
): Effect.Effect<void, SqlError, SqlClient.SqlClient | ShardingConfig.ShardingConfig> =>
  Layer.build(Layer.merge(
    SqlMessageStorage.layerWith({ prefix: names.engine }),
    SqlRunnerStorage.layerWith({ prefix: names.engine })
  )).pipe(
    Effect.scoped,
    // The engine regards a failed migration as a defect.
    Effect.catchSomeDefect((cause) =>
      cause instanceof SqlError || Predicate.isTagged(cause, "MigrationError")
        ? Option.some(new SqlError({ cause, message: "Failed to create the tables of the engine" }))
        : Option.none()
    ),
    Effect.retry({ times: 10, schedule: Schedule.jittered(Schedule.spaced("100 millis")) }),
    Effect.asVoid
  )

/** On every worker: the one that would repair it for all may be the one that was lost. */
const repairing = ({ lockExpiration, tables }: Options): Layer.Layer<never> =>
  Layer.scopedDiscard(
    Effect.catchAllCause(tables.repair, (cause) => Effect.logDebug("Could not look for times in the future", cause))
      .pipe(
        Effect.repeat(Schedule.spaced(Duration.min(Duration.unsafeDivide(lockExpiration, 3), "10 seconds"))),
        Effect.forkScoped
      )
  )

export const layer = (
  options: Options
): Layer.Layer<Sharding | RunnerStorage | Lease.Lease, SocketServerError | SqlError, SqlClient.SqlClient> => {
  const { lockExpiration, names, tables } = options
  const prefix = { prefix: names.engine }
  const health = RunnerHealth.layerPing.pipe(
    Layer.provide(Runners.layerRpc),
    Layer.provide(NodeClusterSocket.layerClientProtocol)
  )
  const storage = Releases.layer(SqlRunnerStorage.layerWith(prefix), tables, Duration.unsafeDivide(lockExpiration, 3))
  const runner = Layer.provide(SocketRunner.layer, [
    NodeClusterSocket.layerSocketServer,
    NodeClusterSocket.layerClientProtocol
  ])
  return Layer.merge(runner, repairing(options))
    .pipe(
      Layer.provide(health),
      Layer.provide(SqlMessageStorage.layerWith(prefix)),
      Layer.provideMerge(Lease.layer(storage, lockExpiration)),
      Layer.provide(Layer.effectDiscard(prepare(names))),
      Layer.provide(ShardingConfig.layer(configOf(options))),
      Layer.provide(RpcSerialization.layerMsgPack)
    )
}

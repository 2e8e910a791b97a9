/**
 * A worker that runs until it is stopped. It loads the engine of the cluster: import it only when it is needed.
 *
 * @since 1.0.0
 */
import type { FileSystem } from "@effect/platform/FileSystem"
import * as HttpServer from "@effect/platform/HttpServer"
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Accounts from "@mailstream/cluster/Accounts"
import * as AccountsTable from "@mailstream/cluster/AccountsTable"
import * as Health from "@mailstream/cluster/Health"
import * as Workers from "@mailstream/cluster/Worker"
import type { Transport } from "@mailstream/http/Transport"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ServeError from "../service/ServeError.ts"
import type { OutputError } from "../terminal/OutputError.ts"
import { type PipeClosed, Stdio } from "../terminal/Stdio.ts"
import type { Cluster } from "./Cluster.ts"
import * as Database from "./Database.ts"

/**
 * @since 1.0.0
 * @category models
 */
export interface Options extends Omit<Workers.Options, "prefix"> {
  /** A file, `env` or `table`. */
  readonly accounts: string
  readonly host: string
  readonly port: number
  /** Without it, nothing is served. */
  readonly healthPort: number | undefined
  readonly healthHost: string
  readonly maxConnections: number | undefined
}

type Failure = Database.ClusterError | ServeError.ServeError | PipeClosed | OutputError

const accountsIn = (
  source: string,
  cluster: Cluster
): Layer.Layer<Accounts.Accounts, Database.ClusterError, SqlClient.SqlClient | FileSystem> => {
  switch (source) {
    case "env":
      return Layer.mapError(Accounts.layerConfig(), Database.failing(cluster))
    case "table":
      return Layer.mapError(
        AccountsTable.layerConfig({ prefix: Config.succeed(cluster.prefix) }),
        Database.failing(cluster)
      )
    default:
      return Accounts.layerFile(source)
  }
}

const worker = (
  cluster: Cluster,
  options: Options
): Layer.Layer<Workers.Worker, Failure, SqlClient.SqlClient | Accounts.Accounts | Transport> =>
  Layer.mapError(
    Workers.layer({ ...options, prefix: cluster.prefix }),
    (error) =>
      error._tag === "SocketServerError"
        ? ServeError.make(
          { host: options.listenHost ?? options.host, port: options.port, option: "--port" },
          error.cause
        )
        : Database.failing(cluster)(error)
  )

const health = (
  cluster: Cluster,
  { healthHost: host, healthPort }: Options
): Layer.Layer<HttpServer.HttpServer, Failure, Workers.Worker | SqlClient.SqlClient> | undefined =>
  healthPort === undefined ? undefined : Layer.mapError(
    Health.layer({ host, port: healthPort }),
    (error) =>
      error._tag === "ServeError"
        ? ServeError.make({ host, port: healthPort, option: "--health-port" }, error.cause)
        : Database.failing(cluster)(error)
  )

/** Prints the addresses of the worker and of its health checks. */
const announce = (place: string): Effect.Effect<void, Failure, Workers.Worker | Stdio> =>
  Effect.gen(function*() {
    const { err, out, say } = yield* Stdio
    const { address } = yield* Workers.Worker
    yield* out.write(`mailstream worker ${address}${place}\n`)
    if (err.isTerminal) {
      yield* say("Start more on the same database, each with its own --port. Press Ctrl+C to stop.")
    }
  })

/**
 * Runs a worker until it is interrupted.
 *
 * @since 1.0.0
 * @category constructors
 */
export const run = (
  cluster: Cluster,
  options: Options
): Effect.Effect<never, Failure, Stdio | FileSystem | Transport> => {
  const served = health(cluster, options)
  const announced = served === undefined
    ? Layer.effectDiscard(announce(""))
    : Layer.effectDiscard(
      HttpServer.addressFormattedWith((url) => announce(`, health at ${url}`))
    ).pipe(Layer.provide(served))
  return announced.pipe(
    Layer.provide(worker(cluster, options)),
    Layer.provide(accountsIn(options.accounts, cluster)),
    Layer.provide(Database.layer(cluster, options.maxConnections)),
    Layer.launch
  )
}

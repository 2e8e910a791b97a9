/** A worker that runs until it is stopped. It loads the cluster: import it only when it is needed. */
import type { FileSystem } from "@effect/platform/FileSystem"
import * as HttpServer from "@effect/platform/HttpServer"
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Accounts from "@mailstream/cluster/Accounts"
import * as AccountsTable from "@mailstream/cluster/AccountsTable"
import * as Health from "@mailstream/cluster/Health"
import * as Workers from "@mailstream/cluster/Worker"
import * as Address from "@mailstream/kernel/Address"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Connection from "../api/Connection.ts"
import { notListening } from "../terminal/Errors.ts"
import type { Running } from "../terminal/Running.ts"
import { Stdio } from "../terminal/Stdio.ts"
import type { Given } from "../usage/Flag.ts"
import * as UsageError from "../usage/UsageError.ts"
import * as Database from "./Database.ts"
import * as Flags from "./Flags.ts"

type Options = Given<typeof Flags.worker>

const accountsIn = (
  source: string,
  cluster: Flags.Cluster
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

const worker = (cluster: Flags.Cluster, options: Options, baseUrlOrigin: string) =>
  Layer.mapError(
    Workers.layer({ ...options, prefix: cluster.prefix }),
    (error) =>
      error._tag === "InvalidOption" && error.option === "baseUrl"
        ? UsageError.fromInvalidOption({ baseUrl: baseUrlOrigin })(error)
        : Database.failing(cluster)(error)
  )

/** The worker, which is not started if its port is taken. */
const withHealth = <R>(
  host: string,
  port: number,
  worker: Layer.Layer<Workers.Worker, Database.ClusterError, R>
) =>
  Layer.mapError(Health.layer({ host, port }, worker), (error) =>
    error._tag === "ServeError"
      ? notListening({ host, port, option: "--health-port" }, error.cause)
      : error)

/** Where a server is that was bound to this host. For `::`, its own address would be 0.0.0.0. */
const urlOf = (host: string, address: HttpServer.Address): string =>
  address._tag === "TcpAddress"
    ? Address.url(host.includes(":") ? host : address.hostname, address.port)
    : HttpServer.formatAddress(address)

/** Prints the name of the worker, and the address of its health checks. */
const announce = (place: string) =>
  Effect.gen(function*() {
    const { err, out, say } = yield* Stdio
    const { name } = yield* Workers.Worker
    yield* out.write(`mailstream worker ${name}${place}\n`)
    if (err.isTerminal) {
      yield* say("Start as many as you like on the same database. Press Ctrl+C to stop.")
    }
  })

/** For beats, and for everything else that a worker does besides copying. */
const otherConnections = 4

/** Runs a worker until it is interrupted. */
export const run = (given: Options): Running =>
  Effect.gen(function*() {
    const cluster = yield* Flags.clusterOf(given)
    const environment = yield* Connection.environment
    const options = { ...given, baseUrl: given.baseUrl ?? environment.baseUrl }
    const alone = worker(cluster, options, given.baseUrl === undefined ? "MAILSTREAM_BASE_URL" : "--base-url")
    const announced = given.healthPort === undefined
      ? Layer.provide(Layer.effectDiscard(announce("")), alone)
      : Layer.effectDiscard(
        HttpServer.addressWith((address) => announce(`, health at ${urlOf(given.healthHost, address)}`))
      ).pipe(
        Layer.provide(withHealth(given.healthHost, given.healthPort, alone))
      )
    return yield* announced.pipe(
      Layer.provide(accountsIn(options.accounts, cluster)),
      Layer.provide(Database.layer(cluster, options.maxConnections ?? options.maxAccounts + otherConnections)),
      Layer.provide(Connection.transport),
      Layer.launch
    )
  })

/** Opens the database of a cluster, and describes why it cannot be used. */
import type * as SqlClient from "@effect/sql/SqlClient"
import type { AccountInUse, AccountsError, NoCluster, UnknownAccount } from "@mailstream/cluster/ClusterError"
import * as Postgres from "@mailstream/cluster/Database"
import * as ConfigError from "effect/ConfigError"
import * as Layer from "effect/Layer"
import * as Databases from "../mirror/Database.ts"
import * as UsageError from "../usage/UsageError.ts"
import type { Cluster } from "./Flags.ts"

/** Why a cluster cannot be used. */
export type ClusterError = Databases.OpenError | UsageError.UsageError | Own

/** Those that explain themselves. */
type Own = AccountsError | NoCluster | UnknownAccount | AccountInUse

const hints: { readonly [variable: string]: string } = {
  MAILSTREAM_ACCOUNTS: "; name the accounts in it, as in acme,globex",
  MAILSTREAM_ENCRYPTION_KEYS: "; make a key with: echo 1:$(openssl rand -base64 32)"
}

/** What is wrong with a variable. */
const describe = (error: ConfigError.ConfigError): string => {
  if (error._op !== "MissingData" && error._op !== "InvalidData") return String(error)
  const name = error.path.join("_")
  return error._op === "InvalidData" ? `${name}: ${error.message}` : `${name} is not set${hints[name] ?? ""}`
}

/** Turns failures of the cluster into those of the program. */
export const failing =
  (cluster: Cluster) => (error: Databases.LibraryError | ConfigError.ConfigError | Own): ClusterError => {
    if (ConfigError.isConfigError(error)) return UsageError.make(describe(error))
    switch (error._tag) {
      case "AccountsError":
      case "NoCluster":
      case "UnknownAccount":
      case "AccountInUse":
        return error
      default:
        return Databases.failing(cluster)(error)
    }
  }

/** Enough for statements one after the other. */
export const leastConnections = 3

export const layer = (
  cluster: Cluster,
  maxConnections?: number
): Layer.Layer<SqlClient.SqlClient, ClusterError> =>
  Databases.disconnected(
    Layer.mapError(Postgres.layer({ url: cluster.database.url, maxConnections }), failing(cluster))
  )

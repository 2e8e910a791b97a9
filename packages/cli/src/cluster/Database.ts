/**
 * Opens the database of a cluster, and describes why it cannot be used.
 *
 * @since 1.0.0
 */
import type { MigrationError } from "@effect/sql/Migrator"
import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { AccountsError, NoCluster, UnsuitableDatabase } from "@mailstream/cluster/ClusterError"
import * as Postgres from "@mailstream/cluster/Database"
import type { InvalidOption } from "@mailstream/core/InvalidOption"
import type { TableInUse } from "@mailstream/mirror"
import * as ConfigError from "effect/ConfigError"
import * as Layer from "effect/Layer"
import * as Databases from "../mirror/Database.ts"
import * as Text from "../terminal/Text.ts"
import * as UsageError from "../usage/UsageError.ts"
import type { Cluster } from "./Cluster.ts"

/**
 * Why a cluster cannot be used.
 *
 * @since 1.0.0
 * @category errors
 */
export type ClusterError =
  | Databases.DatabaseError
  | Databases.TableInUse
  | AccountsError
  | NoCluster
  | UsageError.UsageError

const names: { readonly [option: string]: string } = { url: "--database", apiKey: "The API key" }

/** As it is typed: `lockExpiration` is `--lock-expiration`. */
const flagOf = (option: string): string =>
  names[option] ?? `--${option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

const hints: { readonly [variable: string]: string } = {
  MAILSTREAM_ACCOUNTS: "; name the accounts in it, as in acme,globex",
  MAILSTREAM_ENCRYPTION_KEYS: "; make a key with: echo 1:$(openssl rand -base64 32)"
}

/** What is wrong with a variable. */
const describe = (error: ConfigError.ConfigError): string => {
  if (error._op !== "MissingData" && error._op !== "InvalidData") return String(error)
  const name = error.path.join("_")
  return error._op === "InvalidData" ? `${name}: ${error.message}.` : `${name} is not set${hints[name] ?? ""}.`
}

/**
 * Turns failures of the cluster into those of the program.
 *
 * @since 1.0.0
 * @category conversions
 */
export const failing = (
  { database }: Cluster
): (
  error:
    | SqlError
    | MigrationError
    | InvalidOption
    | ConfigError.ConfigError
    | TableInUse
    | AccountsError
    | NoCluster
    | UnsuitableDatabase
) => ClusterError =>
(error) => {
  if (ConfigError.isConfigError(error)) return UsageError.make(describe(error))
  const failed = (description: string) =>
    new Databases.DatabaseError({ database: Databases.nameOf(database), description, cause: error })
  switch (error._tag) {
    case "AccountsError":
    case "NoCluster":
      return error
    case "InvalidOption":
      return UsageError.make(`${flagOf(error.option)} ${error.description}.`)
    case "TableInUse":
      return new Databases.TableInUse({ table: error.table, hasSchemas: false })
    case "UnsuitableDatabase":
      return failed(error.message)
    default:
      return failed(Text.reasonOf(error))
  }
}

/**
 * @since 1.0.0
 * @category layers
 */
export const layer = (
  cluster: Cluster,
  maxConnections?: number
): Layer.Layer<SqlClient.SqlClient, ClusterError> =>
  Layer.mapError(
    Databases.disconnected<SqlClient.SqlClient, SqlError | InvalidOption>(
      Postgres.layer({ url: cluster.database.url, maxConnections })
    ),
    failing(cluster)
  )

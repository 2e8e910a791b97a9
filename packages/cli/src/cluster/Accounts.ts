/**
 * The accounts in the encrypted table of a cluster.
 *
 * @since 1.0.0
 */
import * as NodeStream from "@effect/platform-node/NodeStream"
import type { QuitException, Terminal } from "@effect/platform/Terminal"
import type { SqlError } from "@effect/sql/SqlError"
import * as AccountsTable from "@mailstream/cluster/AccountsTable"
import { AccountsError } from "@mailstream/cluster/ClusterError"
import type { InvalidOption } from "@mailstream/core/InvalidOption"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Connection from "../api/Connection.ts"
import type * as Format from "../output/Format.ts"
import * as ItemWriter from "../output/ItemWriter.ts"
import type { OutputError } from "../terminal/OutputError.ts"
import type { PipeClosed, Stdio } from "../terminal/Stdio.ts"
import * as UsageError from "../usage/UsageError.ts"
import type { Cluster } from "./Cluster.ts"
import * as Database from "./Database.ts"

/** Uses the table, and writes the result. */
const using = <R>(
  cluster: Cluster,
  format: Format.Format | undefined,
  use: (
    table: typeof AccountsTable.AccountsTable.Service
  ) => Effect.Effect<ReadonlyArray<object>, AccountsError | InvalidOption | SqlError, R>
): Effect.Effect<void, Database.ClusterError | PipeClosed | OutputError, R | Stdio> =>
  Effect.gen(function*() {
    const rows = yield* Effect.mapError(Effect.flatMap(AccountsTable.AccountsTable, use), Database.failing(cluster))
    yield* ItemWriter.rows(rows, format)
  }).pipe(
    Effect.provide(
      AccountsTable.layerConfig({ prefix: Config.succeed(cluster.prefix) }).pipe(
        Layer.mapError(Database.failing(cluster)),
        Layer.provide(Database.layer(cluster))
      )
    )
  )

/** A key is shorter than this: a file that was piped in by mistake is not read to its end. */
const mostBytes = 10_000

/** Standard input up to its end: unlike an argument, other users cannot see it. */
const fromInput: Effect.Effect<Redacted.Redacted, AccountsError> = NodeStream.toString(() => process.stdin, {
  maxBytes: mostBytes,
  onFailure: () =>
    new AccountsError({
      source: "standard input",
      description: "cannot be read; pipe the API key in, and nothing else"
    })
}).pipe(Effect.map((text) => Redacted.make(text.trim())))

/**
 * The API key of an account: from a variable, from standard input, or typed. Never from an argument.
 *
 * @since 1.0.0
 * @category getters
 */
export const apiKey = (variable: string | undefined) =>
  Effect.gen(function*() {
    if (variable === undefined) return yield* process.stdin.isTTY ? Connection.prompt : fromInput
    const key = yield* Connection.variable(variable)
    return key === undefined
      ? yield* UsageError.fail(`--key-variable names ${variable}, which is not set; it must hold the API key.`)
      : Redacted.make(key)
  })

/**
 * Adds an account, or replaces its key and address.
 *
 * @since 1.0.0
 * @category combinators
 */
export const add = (
  cluster: Cluster,
  format: Format.Format | undefined,
  account: { readonly id: string; readonly baseUrl: string | undefined; readonly keyVariable: string | undefined }
): Effect.Effect<
  void,
  Database.ClusterError | QuitException | PipeClosed | OutputError,
  Stdio | Terminal
> =>
  Effect.gen(function*() {
    const { baseUrl, id } = account
    const key = yield* apiKey(account.keyVariable)
    yield* using(cluster, format, (table) => Effect.as(table.add({ id, baseUrl, apiKey: key }), [{ added: id }]))
  })

/**
 * Removes an account. Its copy is kept.
 *
 * @since 1.0.0
 * @category combinators
 */
export const remove = (cluster: Cluster, format: Format.Format | undefined, id: string) =>
  using(cluster, format, (table) =>
    Effect.flatMap(
      table.remove(id),
      (wasThere) =>
        wasThere
          ? Effect.succeed([{ removed: id }])
          : new AccountsError({
            source: `account "${id}"`,
            description: "is not in the table; see cluster accounts list"
          })
    ))

/**
 * Writes the accounts, without their keys.
 *
 * @since 1.0.0
 * @category combinators
 */
export const list = (cluster: Cluster, format: Format.Format | undefined) =>
  using(
    cluster,
    format,
    (table) =>
      Effect.map(table.list, (entries) =>
        entries.map(({ baseUrl, id, version }) => ({ id, base_url: baseUrl ?? null, encryption_key: version })))
  )

/**
 * Encrypts every key with the first encryption key.
 *
 * @since 1.0.0
 * @category combinators
 */
export const rotate = (cluster: Cluster, format: Format.Format | undefined) =>
  using(cluster, format, (table) => Effect.map(table.rotate, (rotated) => [{ rotated }]))

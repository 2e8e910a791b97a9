/** The accounts in the encrypted table of a cluster. */
import * as NodeStream from "@effect/platform-node/NodeStream"
import * as FileSystem from "@effect/platform/FileSystem"
import type { SqlError } from "@effect/sql/SqlError"
import * as Accounts from "@mailstream/cluster/Accounts"
import * as AccountsTable from "@mailstream/cluster/AccountsTable"
import { AccountsError } from "@mailstream/cluster/ClusterError"
import type { InvalidOption } from "@mailstream/core/InvalidOption"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Connection from "../api/Connection.ts"
import * as ItemWriter from "../output/ItemWriter.ts"
import type { Running } from "../terminal/Running.ts"
import type * as Flag from "../usage/Flag.ts"
import * as UsageError from "../usage/UsageError.ts"
import * as Database from "./Database.ts"
import * as Flags from "./Flags.ts"

type Given = Flag.Given<typeof Flags.table>

/** Uses the table, and writes the result. */
const using = (
  given: Given,
  use: (
    table: typeof AccountsTable.AccountsTable.Service
  ) => Effect.Effect<ReadonlyArray<object>, AccountsError | InvalidOption | SqlError>
): Running =>
  Effect.gen(function*() {
    const cluster = yield* Flags.clusterOf(given)
    const rows = yield* Effect.flatMap(AccountsTable.AccountsTable, use).pipe(
      Effect.provide(AccountsTable.layerConfig({ prefix: Config.succeed(cluster.prefix) })),
      Effect.mapError(Database.failing(cluster)),
      Effect.provide(Database.layer(cluster))
    )
    yield* ItemWriter.rows(rows, given.format)
  })

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

/** The API key of an account: from a variable, from standard input, or typed. Never from an argument. */
const apiKey = (variable: string | undefined) =>
  Effect.gen(function*() {
    if (variable === undefined) return yield* process.stdin.isTTY ? Connection.prompt : fromInput
    const key = yield* Connection.variable(variable)
    return key === undefined
      ? yield* UsageError.fail(`--key-variable names ${variable}, which is not set; it must hold the API key`)
      : Redacted.make(key)
  })

/** Adds an account, or replaces its key, and its address if one is given. Writes which address it has. */
export const add = (given: Flag.Given<typeof Flags.add>): Running =>
  Effect.gen(function*() {
    const { baseUrl, id } = given
    yield* Flags.clusterOf(given)
    const key = yield* apiKey(given.keyVariable)
    yield* using(given, (table) =>
      Effect.map(table.add({ id, baseUrl, apiKey: key }), ({ baseUrl = null }) => [{ added: id, base_url: baseUrl }]))
  })

/** More than 100,000 accounts have. */
const mostAccountsBytes = 100_000_000

const read = (file: string): Effect.Effect<string, AccountsError, FileSystem.FileSystem> =>
  file === "-"
    ? NodeStream.toString(() => process.stdin, {
      maxBytes: mostAccountsBytes,
      onFailure: () => new AccountsError({ source: "standard input", description: "cannot be read, or is too long" })
    })
    : Effect.flatMap(FileSystem.FileSystem, (fs) => fs.readFileString(file)).pipe(
      Effect.mapError(() =>
        new AccountsError({ source: file, description: "cannot be read; check that it is a file and its permissions" })
      )
    )

/** Adds all accounts of a file, or replaces their keys, and the addresses that are given; none if one of them is wrong. */
export const importFrom = (given: Flag.Given<typeof Flags.importing>): Running =>
  Effect.gen(function*() {
    yield* Flags.clusterOf(given)
    const text = yield* read(given.file)
    const accounts = yield* Accounts.parse(text, given.file === "-" ? "standard input" : given.file)
    const row = (entries: ReadonlyArray<AccountsTable.Entry>) => {
      const kept = entries.filter(({ baseUrl }, at) => baseUrl !== undefined && accounts[at]?.baseUrl === undefined)
      return { imported: entries.length, ...(kept.length === 0 ? {} : { base_urls_kept: kept.length }) }
    }
    yield* using(given, (table) => Effect.map(table.addAll(accounts), (entries) => [row(entries)]))
  })

/** Removes an account. Its copy is kept. */
export const remove = (given: Flag.Given<typeof Flags.remove>): Running =>
  using(given, (table) =>
    Effect.flatMap(
      table.remove(given.id),
      (wasThere) =>
        wasThere
          ? Effect.succeed([{ removed: given.id }])
          : new AccountsError({
            source: `account "${given.id}"`,
            description: "is not in the table; see cluster accounts list"
          })
    ))

/** Writes the accounts, without their keys. */
export const list = (given: Given): Running =>
  using(
    given,
    (table) =>
      Effect.map(table.list, (entries) =>
        entries.map(({ baseUrl, id, version }) => ({ id, base_url: baseUrl ?? null, encryption_key: version })))
  )

/** Encrypts every key with the first encryption key. */
export const rotate = (given: Given): Running =>
  using(given, (table) => Effect.map(table.rotate, (rotated) => [{ rotated }]))

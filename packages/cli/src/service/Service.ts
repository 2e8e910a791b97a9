/**
 * The service that `mailstream serve` runs. It loads the server: import it only when it is needed.
 *
 * @since 1.0.0
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import type * as Account from "@mailstream/server/Account"
import * as Server from "@mailstream/server/Server"
import type * as SqlStore from "@mailstream/server/SqlStore"
import { Store, StoreError } from "@mailstream/server/Store"
import * as Array from "effect/Array"
import * as Cause from "effect/Cause"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { randomBytes } from "node:crypto"
import type { OutputError } from "../terminal/OutputError.ts"
import { type PipeClosed, Stdio } from "../terminal/Stdio.ts"
import * as Text from "../terminal/Text.ts"
import * as UsageError from "../usage/UsageError.ts"
import * as AccountsFile from "./AccountsFile.ts"
import * as FaultMix from "./FaultMix.ts"
import * as Fill from "./Fill.ts"
import type { Origins } from "./Origins.ts"
import type { Counts } from "./SampleCounts.ts"
import * as ServeError from "./ServeError.ts"
import type { StoreLocation } from "./StoreLocation.ts"

/**
 * @since 1.0.0
 * @category models
 */
export interface Options extends FaultMix.Options {
  readonly port: number
  readonly host: string
  readonly store: StoreLocation
  readonly items: Counts
  /** Without it, a random key is made and printed. With accounts, it is what their keys begin with. */
  readonly apiKey: Redacted.Redacted | undefined
  /** How many accounts there are; without it, one without a name. */
  readonly accounts: number | undefined
  /** Where to write the accounts and their keys, instead of printing them. Keys that it already holds are kept. */
  readonly accountsFile: string | undefined
  readonly rateLimit: { readonly requests: number; readonly per: Duration.Duration } | undefined
  /** Whose pages may use the service; default: none. */
  readonly cors: Origins | undefined
}

/**
 * Serves until it is interrupted.
 *
 * @since 1.0.0
 * @category constructors
 */
export const serve = (
  options: Options
): Effect.Effect<
  never,
  ServeError.ServeError | StoreError | UsageError.UsageError | PipeClosed | OutputError,
  Stdio | FileSystem.FileSystem | Path.Path
> => Effect.scoped(options.accounts === undefined ? serveOne(options) : serveAccounts(options, options.accounts))

const serveOne = (options: Options) =>
  Effect.gen(function*() {
    const { say } = yield* Stdio
    const apiKey = options.apiKey ?? makeKey()
    const used = yield* Fill.emptyLists(options.items, options.seed)
    if (used.length > 0) yield* say(`The store already holds data. No sample data added to: ${used.join(", ")}.`)
    const baseUrl = yield* listen(options, { apiKeys: [apiKey] })
    if (options.apiKey === undefined) yield* say(`API key: ${Redacted.value(apiKey)}`)
    return yield* stay(baseUrl)
  }).pipe(Effect.provide(storeAt(options.store)))

const serveAccounts = (options: Options, count: number) =>
  Effect.gen(function*() {
    const { say } = yield* Stdio
    const file = options.accountsFile === undefined ? undefined : yield* AccountsFile.open(options.accountsFile)
    const accounts = Array.makeBy(count, (index): Account.Account => {
      const id = `account-${index + 1}`
      const apiKey = options.apiKey === undefined
        ? file?.keys.get(id) ?? makeKey()
        : Redacted.make(`${Redacted.value(options.apiKey)}-${index + 1}`)
      return { id, apiKey }
    })

    return yield* Effect.gen(function*() {
      const baseUrl = yield* listen(options, { accounts })
      if (file !== undefined) yield* file.write(accounts, baseUrl)
      else if (options.apiKey === undefined) {
        for (const { apiKey, id } of accounts) yield* say(`API key of ${id}: ${Redacted.value(apiKey)}`)
      }
      return yield* stay(baseUrl)
    }).pipe(Effect.provide(Layer.provide(Fill.layerLazy(options.items, options.seed), storeAt(options.store))))
  })

const listen = (options: Options, keys: Pick<Server.ServiceOptions, "apiKeys" | "accounts">) =>
  Server.make({
    ...keys,
    port: options.port,
    host: options.host,
    rateLimit: options.rateLimit,
    faults: FaultMix.make(options),
    cors: options.cors
  }).pipe(
    Effect.catchTag("InvalidOption", ({ message }) => Effect.fail(UsageError.make(`--${message}`))),
    Effect.mapBoth({
      onFailure: (error) =>
        error._tag === "ServeError" ? ServeError.make({ ...options, option: "--port" }, error.cause) : error,
      onSuccess: ({ baseUrl }) => baseUrl
    })
  )

/** Prints the address of the service, and serves. */
const stay = (baseUrl: string) =>
  Effect.gen(function*() {
    const { err, out, say } = yield* Stdio
    yield* out.write(`mailstream listening on ${baseUrl}\n`)
    if (err.isTerminal) yield* say(`API documentation: ${baseUrl}/docs. Press Ctrl+C to stop.`)
    return yield* Effect.never
  })

const makeKey = (): Redacted.Redacted => Redacted.make(`re_${randomBytes(24).toString("base64url")}`)

const storeAt = (location: StoreLocation): Layer.Layer<Store, StoreError> => {
  switch (location._tag) {
    case "Memory":
      return Store.layerMemory
    case "Sqlite":
      return opened(
        `${location.filename} could not be opened:`,
        sqlStore(({ layerSqlite }) => layerSqlite({ filename: location.filename }))
      )
    case "Postgres":
      return opened(
        "The database could not be reached.",
        sqlStore(({ layerPostgres }) => layerPostgres({ url: location.url }))
      )
  }
}

/** Loads the database drivers, which a service in memory should not wait for. */
const sqlStore = <E>(make: (module: typeof SqlStore) => Layer.Layer<Store, E>): Layer.Layer<Store, E> =>
  Layer.unwrapEffect(Effect.map(Effect.promise(() => import("@mailstream/server/SqlStore")), make))

/** The SQLite client throws if it cannot open its file, so that defects have to be caught, too. */
const opened = <E>(problem: string, store: Layer.Layer<Store, E>): Layer.Layer<Store, StoreError> =>
  Layer.catchAllCause(store, (cause) =>
    Layer.fail(
      new StoreError({
        reason: "Failed",
        description: `${problem} ${Text.reasonOf(Cause.squash(cause))}`,
        cause: Cause.squash(cause)
      })
    ))

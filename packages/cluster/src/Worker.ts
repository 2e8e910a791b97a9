/**
 * A worker: keeps the copies of many accounts current, together with other workers on the same database.
 *
 * @since 1.0.0
 */
import type { MigrationError } from "@effect/sql/Migrator"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import { duration, integer, type InvalidOption, positive } from "@mailstream/core/InvalidOption"
import { ApiClient } from "@mailstream/http/ApiClient"
import type * as RateLimit from "@mailstream/http/RateLimit"
import type { Transport } from "@mailstream/http/Transport"
import * as Mirror from "@mailstream/mirror/Mirror"
import type { TableInUse } from "@mailstream/mirror/MirrorError"
import * as Postgres from "@mailstream/sql/Postgres"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { hostname } from "node:os"
import { Accounts } from "./Accounts.ts"
import { type AccountsError, UnsuitableDatabase } from "./ClusterError.ts"
import * as Client from "./internal/client.ts"
import * as Engine from "./internal/engine.ts"
import * as Entries from "./internal/entries.ts"
import * as Falling from "./internal/falling.ts"
import * as Lease from "./internal/lease.ts"
import * as Migrations from "./internal/migrations.ts"
import * as Stopping from "./internal/stopping.ts"
import * as Tables from "./internal/tables.ts"

/**
 * @since 1.0.0
 * @category models
 */
export interface Options extends Pick<Mirror.SyncOptions, "lists" | "lanes" | "maxDeleted" | "pageSize" | "retry"> {
  /** What people call this worker, in the status and in logs; default: the name of the host, and the number of the process. */
  readonly name?: string | undefined
  /** What the names of all tables begin with; default: nothing. Each cluster in a database needs its own. */
  readonly prefix?: string | undefined
  /** The time from pass to pass of an account; default: an hour. */
  readonly every?: Duration.DurationInput | undefined
  /** How many accounts this worker copies at once; default: 8. Long passes get half of these places, and lend the others. */
  readonly maxAccounts?: number | undefined
  /** How long a pass may take until it counts as long; default: 30 seconds. */
  readonly slice?: Duration.DurationInput | undefined
  /**
   * When the accounts of a worker that has disappeared are taken over; default: 15 seconds, at least 3. A worker whose database does not
   * confirm for most of this time that it is there interrupts its passes.
   */
  readonly lockExpiration?: Duration.DurationInput | undefined
  /**
   * The longest delay before an account that failed is tried again, doubled with every failure; default: 30 seconds. The
   * delay is random, from half of that to all of it.
   */
  readonly minBackoff?: Duration.DurationInput | undefined
  /** The longest time until an account that failed is tried again; default: `every`. */
  readonly maxBackoff?: Duration.DurationInput | undefined
  /**
   * How long rows of items that are gone are kept; default: for ever. What is older is dropped after passes of its account, in short
   * transactions: once a row is dropped, nothing says that there was such an item but its changes.
   */
  readonly keepDeleted?: Duration.DurationInput | undefined
  /**
   * How long changes are kept, unless a consumer has yet to see them; default: for ever. A consumer that appears later begins with the oldest
   * change that is kept.
   */
  readonly keepChanges?: Duration.DurationInput | undefined
  /** The address of the API for accounts that do not have their own. */
  readonly baseUrl?: string | undefined
  /** The rate limit of each account, wherever it is copied; default: what the service says. */
  readonly rateLimit?: RateLimit.Options | undefined
  /**
   * How many requests all workers together send to each host, for all accounts; default: as many as the limits of the accounts
   * allow. Each live worker sends an equal share. When one joins, the others notice with their next beat, within 2 seconds.
   */
  readonly hostRateLimit?: Pick<RateLimit.Options, "requests" | "per"> | undefined
  /** How long a request may take; default: 30 seconds. */
  readonly timeout?: Duration.DurationInput | undefined
}

/**
 * Why a worker does not start.
 *
 * @since 1.0.0
 * @category errors
 */
export type StartError =
  | InvalidOption
  | AccountsError
  | UnsuitableDatabase
  | TableInUse
  | SqlError
  | MigrationError

/**
 * A running worker.
 *
 * @since 1.0.0
 * @category services
 */
export class Worker extends Context.Tag("@mailstream/cluster/Worker")<Worker, {
  /** What people call it. */
  readonly name: string
  readonly prefix: string
  /** Whether the database has confirmed within `lockExpiration` that this worker takes part. */
  readonly isReady: Effect.Effect<boolean>
  /** Why the database cannot be used and since when, if this worker has found that it cannot. */
  readonly problem: Effect.Effect<Option.Option<{ readonly reason: string; readonly since: string }>>
}>() {}

const kept = (option: "keepDeleted" | "keepChanges", given: Duration.DurationInput | undefined) =>
  given === undefined ? Either.right(undefined) : duration(option, given, { min: 0 })

/** The options, checked and complete. */
const settingsOf = (options: Options) =>
  Either.gen(function*() {
    const every = yield* duration("every", options.every ?? "1 hour", { min: "1 second" })
    const minBackoff = yield* duration("minBackoff", options.minBackoff ?? "30 seconds", { min: "100 millis" })
    if (options.baseUrl !== undefined) yield* Entries.checkUrl(options.baseUrl)
    const { per = "1 second", requests } = options.hostRateLimit ?? {}
    return {
      name: yield* Entries.checkId(options.name ?? `${hostname()}:${process.pid}`, "name"),
      every,
      slice: yield* duration("slice", options.slice ?? "30 seconds", { min: "100 millis" }),
      maxAccounts: yield* integer("maxAccounts", options.maxAccounts ?? 8, { min: 1, max: 1000 }),
      lockExpiration: yield* duration("lockExpiration", options.lockExpiration ?? "15 seconds", { min: "3 seconds" }),
      retention: {
        keepDeleted: yield* kept("keepDeleted", options.keepDeleted),
        keepChanges: yield* kept("keepChanges", options.keepChanges)
      },
      minBackoff,
      hostRateLimit: requests === undefined ? undefined : {
        requests: yield* positive("hostRateLimit.requests", requests),
        per: yield* duration("hostRateLimit.per", per)
      },
      maxBackoff: options.maxBackoff === undefined
        ? Duration.max(every, minBackoff)
        : yield* duration("maxBackoff", options.maxBackoff, { min: minBackoff })
    }
  })

/** Fails with what would refuse the client of every account. */
const checkClient = (
  { baseUrl = "http://localhost", rateLimit, timeout }: Options
): Effect.Effect<void, InvalidOption, Transport> =>
  Effect.scoped(Effect.asVoid(
    Layer.build(ApiClient.layer({ apiKey: Redacted.make("of-no-account"), baseUrl, rateLimit, timeout }))
  ))

const check: Effect.Effect<void, UnsuitableDatabase | SqlError, SqlClient.SqlClient> = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  if (!sql.onDialectOrElse({ pg: () => true, orElse: () => false })) {
    return yield* new UnsuitableDatabase({ description: "A cluster needs PostgreSQL: use Database.layer." })
  }
  yield* Effect.catchTag(
    Postgres.ensureOwnSessions(sql),
    "SharedSessions",
    ({ message }) => new UnsuitableDatabase({ description: message })
  )
})

/**
 * A worker, which runs until the layer is closed. Start as many as you like, on as many machines as you like. It does not start if its accounts
 * cannot be read; if that happens later, they stay unchanged.
 *
 * @since 1.0.0
 * @category layers
 * @example
 * ```ts
 * import { NodeFileSystem, NodeRuntime } from "@effect/platform-node"
 * import { Accounts, Database, Health, Worker } from "@mailstream/cluster"
 * import * as UndiciTransport from "@mailstream/http/UndiciTransport"
 * import { Layer, Redacted } from "effect"
 *
 * Health.layer({ port: 8080 }, Worker.layer({ every: "1 hour" })).pipe(
 *   Layer.provide([
 *     Database.layer({ url: Redacted.make("postgres://localhost/mail") }),
 *     Accounts.layerFile("accounts.json").pipe(Layer.provide(NodeFileSystem.layer)),
 *     UndiciTransport.layer
 *   ]),
 *   Layer.launch,
 *   NodeRuntime.runMain
 * )
 * ```
 */
export const layer = (
  options: Options = {}
): Layer.Layer<Worker, StartError, SqlClient.SqlClient | Accounts | Transport> =>
  Stopping.layer(Layer.scopedContext(Effect.gen(function*() {
    const settings = yield* settingsOf(options)
    const names = yield* Tables.names(options)
    const { baseUrl, lanes, lists, maxDeleted, pageSize, prefix = "", rateLimit, retry, timeout } = options
    yield* Mirror.validate({ lanes, lists, maxDeleted, pageSize })
    yield* checkClient(options)
    yield* check
    const mirror = yield* Effect.updateService(
      Effect.provide(Mirror.Mirror, Mirror.layer({ prefix })),
      SqlClient.SqlClient,
      Lease.guardDatabase
    )
    yield* Migrations.run(yield* SqlClient.SqlClient, names)
    const accounts = Falling.watched(yield* Accounts)
    // A worker that cannot read the accounts would fail every one that it claims.
    yield* accounts.ids
    const { isReady, problem } = yield* Engine.make({
      ...settings,
      names,
      prefix,
      mirror,
      sync: { lanes, lists, maxDeleted, pageSize, retry },
      client: Client.make({ baseUrl, rateLimit, timeout })
    }).pipe(Effect.provideService(Accounts, accounts))
    return Context.make(Worker, { name: settings.name, prefix, isReady, problem })
  })))

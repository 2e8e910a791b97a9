/**
 * A worker: keeps the copies of many accounts current, together with other workers on the same database.
 *
 * @since 1.0.0
 */
import type { SocketServerError } from "@effect/platform/SocketServer"
import type { MigrationError } from "@effect/sql/Migrator"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import { duration, integer, type InvalidOption, unless } from "@mailstream/core/InvalidOption"
import { ApiClient } from "@mailstream/http/ApiClient"
import type * as RateLimit from "@mailstream/http/RateLimit"
import type { Transport } from "@mailstream/http/Transport"
import * as Mirror from "@mailstream/mirror/Mirror"
import type { TableInUse } from "@mailstream/mirror/MirrorError"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { Accounts } from "./Accounts.ts"
import { UnsuitableDatabase } from "./ClusterError.ts"
import * as Account from "./internal/account.ts"
import * as Engine from "./internal/engine.ts"
import * as EngineTables from "./internal/engineTables.ts"
import * as Entries from "./internal/entries.ts"
import * as History from "./internal/history.ts"
import * as Lease from "./internal/lease.ts"
import * as Ledger from "./internal/ledger.ts"
import * as Room from "./internal/room.ts"
import * as Scheduler from "./internal/scheduler.ts"
import * as Stopping from "./internal/stopping.ts"
import * as Tables from "./internal/tables.ts"

/**
 * @since 1.0.0
 * @category models
 */
export interface Options extends Pick<Mirror.SyncOptions, "lists" | "lanes" | "maxDeleted" | "pageSize" | "retry"> {
  /** The name or address under which the other workers reach this one; default: `127.0.0.1`. */
  readonly host?: string | undefined
  /** The port for the other workers, on a network that nobody else can use; default: 34431. */
  readonly port?: number | undefined
  /** The address to bind; default: `host`. */
  readonly listenHost?: string | undefined
  /** What the names of all tables begin with; default: nothing. Each cluster in a database needs its own. */
  readonly prefix?: string | undefined
  /** The time from pass to pass of an account; default: an hour. */
  readonly every?: Duration.DurationInput | undefined
  /** How many accounts this worker copies at once; default: 8. Long passes may use at most half of these slots. */
  readonly maxAccounts?: number | undefined
  /** How long a pass may take until it counts as long; default: 30 seconds. */
  readonly slice?: Duration.DurationInput | undefined
  /**
   * When the accounts of a worker that has disappeared are taken over; default: 15 seconds, at least 3. A worker that is so
   * busy that it does not get to refresh its locks for this long loses its accounts.
   */
  readonly lockExpiration?: Duration.DurationInput | undefined
  /**
   * The longest delay before an account that failed is tried again, doubled with every failure; default: 30 seconds. The
   * delay is random, from half of that to all of it.
   */
  readonly minBackoff?: Duration.DurationInput | undefined
  /** The longest time until an account that failed is tried again; default: `every`. */
  readonly maxBackoff?: Duration.DurationInput | undefined
  /** How long messages that have been processed are kept; default: 10 minutes. */
  readonly keepMessages?: Duration.DurationInput | undefined
  /** The address of the API for accounts that do not have their own. */
  readonly baseUrl?: string | undefined
  /** The rate limit of each account, wherever it is copied; default: what the service says. */
  readonly rateLimit?: RateLimit.Options | undefined
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
  | UnsuitableDatabase
  | TableInUse
  | SqlError
  | MigrationError
  | SocketServerError

/**
 * A running worker.
 *
 * @since 1.0.0
 * @category services
 */
export class Worker extends Context.Tag("@mailstream/cluster/Worker")<Worker, {
  /** How the other workers know it: `host:port`. */
  readonly address: string
  readonly prefix: string
  /** Whether the database has confirmed within `lockExpiration` that this worker takes part. */
  readonly isReady: Effect.Effect<boolean>
}>() {}

/** A host becomes part of the engine's statements as it is. */
const host = (option: string, value: string): Either.Either<string, InvalidOption> =>
  Either.map(
    unless(/^[A-Za-z0-9._:-]{1,200}$/.test(value), option, "must be a host name or an IP address, without a port"),
    () => value
  )

/** The options, checked and complete. */
const settingsOf = (options: Options) =>
  Either.gen(function*() {
    const own = yield* host("host", options.host ?? "127.0.0.1")
    const every = yield* duration("every", options.every ?? "1 hour", { min: "1 second" })
    const minBackoff = yield* duration("minBackoff", options.minBackoff ?? "30 seconds", { min: "100 millis" })
    if (options.baseUrl !== undefined) yield* Entries.checkUrl(options.baseUrl)
    return {
      host: own,
      port: yield* integer("port", options.port ?? 34431, { min: 1, max: 65_535 }),
      listenHost: yield* host("listenHost", options.listenHost ?? own),
      every,
      slice: yield* duration("slice", options.slice ?? "30 seconds", { min: "100 millis" }),
      maxAccounts: yield* integer("maxAccounts", options.maxAccounts ?? 8, { min: 1, max: 1000 }),
      lockExpiration: yield* duration("lockExpiration", options.lockExpiration ?? "15 seconds", { min: "3 seconds" }),
      minBackoff,
      maxBackoff: options.maxBackoff === undefined
        ? Duration.max(every, minBackoff)
        : yield* duration("maxBackoff", options.maxBackoff, { min: minBackoff }),
      keepMessages: yield* duration("keepMessages", options.keepMessages ?? "10 minutes", { min: "1 second" })
    }
  })

/** Fails with what would refuse the client of every account. */
const checkClient = (
  { baseUrl = "http://localhost", rateLimit, timeout }: Options
): Effect.Effect<void, InvalidOption, Transport> =>
  Effect.scoped(Effect.asVoid(
    Layer.build(ApiClient.layer({ apiKey: Redacted.make("of-no-account"), baseUrl, rateLimit, timeout }))
  ))

/** The engine compares times without a zone: where clocks change in spring and autumn, locks would expire, or never do. */
const check: Effect.Effect<void, UnsuitableDatabase | SqlError, SqlClient.SqlClient> = Effect.gen(function*() {
  const sql = (yield* SqlClient.SqlClient).withoutTransforms()
  if (!sql.onDialectOrElse({ pg: () => true, orElse: () => false })) {
    return yield* new UnsuitableDatabase({ description: "A cluster needs PostgreSQL: use Database.layer." })
  }
  const [row] = yield* sql<
    { readonly zone: string; readonly is_utc: boolean }
  >`SELECT current_setting('TimeZone') AS zone,
    timestamptz '2025-01-01 00:00Z' = timestamp '2025-01-01 00:00' AND
    timestamptz '2025-07-01 00:00Z' = timestamp '2025-07-01 00:00' AS is_utc`
  if (row?.is_utc !== true) {
    return yield* new UnsuitableDatabase({
      description: `The time zone of the database's sessions is ${row?.zone}, but must be UTC: use Database.layer, add \
?options=-c%20TimeZone%3DUTC to the URL, or ALTER ROLE … SET TimeZone = 'UTC'.`
    })
  }
})

/**
 * A worker, which runs until the layer is closed. Start as many as you like, on as many machines as you like.
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
 * Health.layer({ port: 8080 }).pipe(
 *   Layer.provide(Worker.layer({ host: "10.0.0.7", every: "1 hour" })),
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
  // With the constant layers of the engine built anew: two workers in one app share nothing.
  Stopping.layer(Layer.scopedContext(Effect.gen(function*() {
    const settings = yield* settingsOf(options)
    const names = yield* Tables.names(options)
    const { baseUrl, lanes, lists, maxDeleted, pageSize, prefix = "", rateLimit, retry, timeout } = options
    yield* Mirror.validate({ lanes, lists, maxDeleted, pageSize })
    yield* checkClient(options)
    yield* check
    const mirror = yield* Effect.provide(Mirror.Mirror, Mirror.layer({ prefix }))
    const ledger = yield* Ledger.make(names)
    const sql = yield* SqlClient.SqlClient
    const tables = EngineTables.make(sql, names)
    const history = History.make(sql, names)
    const address = `${settings.host}:${settings.port}`
    return yield* Layer.mergeAll(
      Layer.effect(Worker, Effect.map(Lease.Lease, ({ isAlive }) => ({ address, prefix, isReady: isAlive }))),
      Account.layer({
        ...settings,
        address,
        ledger,
        mirror,
        room: Room.make({ size: settings.maxAccounts, slice: settings.slice }),
        sync: { lanes, lists, maxDeleted, pageSize, retry },
        client: { baseUrl, rateLimit, timeout }
      }),
      Scheduler.layer({ ...settings, history, ledger, tables }),
      History.layer(history, { ...settings, address })
    ).pipe(Layer.provide(Engine.layer({ ...settings, names, tables })), Layer.build)
  })))

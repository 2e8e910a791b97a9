/**
 * PostgreSQL as a `SqlClient`, with limits for every statement. In a module of its own, because Effect calls its `sql` unstable.
 *
 * @since 1.0.0
 */
import * as Driver from "@mailstream/kernel/postgres/Driver"
import * as Rules from "@mailstream/kernel/postgres/Limits"
import * as Url from "@mailstream/kernel/postgres/Url"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Statement from "effect/sql/Statement"
import { ofPostgres } from "./internal/errors.ts"
import * as Internal from "./internal/limits.ts"
import * as Pool from "./internal/pool.ts"
import { connectionOf, isShared, rollback, type Session } from "./internal/postgres.ts"
import { SharedSessions } from "./SharedSessions.ts"
import { UnencodedPassword } from "./UnencodedPassword.ts"

/**
 * How long a statement may take.
 *
 * @since 1.0.0
 * @category models
 */
export interface Limits {
  /** How long a statement may wait for a lock, and a caller for a connection; default: 30 seconds. */
  readonly lock?: Duration.Input | undefined
  /**
   * How often a statement without a response is looked at from another session, and how long that may take, which is two to ten seconds; default: 10
   * seconds, or `lock` if that is shorter. It is given up if PostgreSQL does not respond to that, either, or has nothing to do for it.
   */
  readonly silence?: Duration.Input | undefined
  /** How long a statement may take in all; default: 10 minutes. `allow` changes it for some. */
  readonly statement?: Duration.Input | undefined
}

/**
 * Lets the statements of an effect take this long in all, instead of what is the limit of their client: for those that read or
 * write large tables. The limits for locks and for a silent database remain.
 *
 * @since 1.0.0
 * @category combinators
 */
export const allow: (
  statement: Duration.Input
) => <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> = Internal.allow

/**
 * @since 1.0.0
 * @category models
 */
export interface Options extends Limits {
  /** `postgres://user:password@host:5432/database`, with a percent-encoded password: `@` is `%40`, `#` is `%23`, `/` is `%2F`, `?` is `%3F`, `%` is `%25`. */
  readonly url: Redacted.Redacted
  /** The most connections of this process; default: 10. */
  readonly maxConnections?: number | undefined
  /** How long connecting may take; default: 5 seconds. */
  readonly connectTimeout?: Duration.Input | undefined
  /** What the sessions are called in `pg_stat_activity`; default: `mailstream`. */
  readonly applicationName?: string | undefined
  /** More settings of the sessions, such as `{ TimeZone: "UTC" }`. */
  readonly settings?: Readonly<Record<string, string>> | undefined
}

const make = (options: Options): Effect.Effect<SqlClient.SqlClient, SqlError, Reactivity.Reactivity | Scope.Scope> =>
  Effect.gen(function*() {
    const { connectTimeout = "5 seconds", settings: more = {} } = options
    if (Url.problem(Redacted.value(options.url)) !== undefined) return yield* unencoded()
    const longest = Duration.toMillis(Duration.fromInputUnsafe(connectTimeout))
    const limits = Internal.resolve(options)
    const pool = yield* Pool.make({ ...options, connectTimeout: longest })
    const settings = Rules.own(limits, more)
    const prepared = new WeakSet<Session>()
    const select = `SELECT ${[...Rules.calls(settings, false), Driver.identity].join(", ")}`

    const acquire = (patience: number) =>
      Effect.gen(function*() {
        const session = yield* Pool.take(pool, patience)
        const connection = connectionOf(session, limits)
        if (!prepared.has(session)) {
          const [row] = yield* connection.execute(select, Rules.parameters(settings), undefined)
          Driver.identify(session, row, true)
          prepared.add(session)
        }
        return connection
      })

    const reserve = acquire(limits.lock)
    const first = Math.min(limits.lock, longest)
    // A session that is not its own must not be set to anything.
    yield* Effect.scoped(
      Effect.flatMap(Pool.take(pool, first), (session) =>
        Effect.flatMap(
          isShared(connectionOf(session, limits)),
          (isShared) => isShared ? Effect.fail(shared()) : Effect.void
        ))
    )
    return yield* SqlClient.make({
      acquirer: reserve,
      transactionAcquirer: reserve,
      compiler: Statement.makeCompiler({
        dialect: "pg",
        placeholder: (index) => `$${index}`,
        onIdentifier: Statement.defaultEscape("\""),
        onRecordUpdate: (placeholders, alias, columns, values, returning) => [
          returning === undefined
            ? `(values ${placeholders}) AS ${alias}${columns}`
            : `(values ${placeholders}) AS ${alias}${columns} RETURNING ${returning[0]}`,
          returning === undefined ? values.flat() : [...values.flat(), ...returning[1]]
        ],
        onCustom: () => ["", []]
      }),
      driver: "pg",
      rollback,
      spanAttributes: [["db.system.name", "postgresql"]]
    })
  })

const shared = (): SqlError => {
  const cause = new SharedSessions()
  return ofPostgres(cause, cause.message)
}

const unencoded = (): SqlError => {
  const cause = new UnencodedPassword()
  return ofPostgres(cause, cause.message)
}

/**
 * A client whose statements end: one is given up when it exceeds the limits, and cancelled when its caller is interrupted, which takes
 * two seconds at most even if PostgreSQL does not respond; the statements that begin and end a transaction are not interrupted, but have
 * the limits. It fails with a `SqlError` that says what it waited for, and whose innermost cause is a `StatementTimeout`.
 *
 * Its sessions also tell PostgreSQL to end what a client that has vanished leaves behind: statements that wait for a lock, transactions
 * in which nothing happens, connections that are dead. Behind a pooler that shares sessions, it fails with a `SqlError` whose innermost
 * cause is `SharedSessions`; for a password that is not percent-encoded, with one whose cause is `UnencodedPassword`. Needs `pg`, which is loaded when the layer is built; streams of rows are read at once.
 *
 * @since 1.0.0
 * @category layers
 * @example
 * ```ts
 * import * as Postgres from "@mailstream/effect4/Postgres"
 * import { Config, Effect, Layer } from "effect"
 *
 * const DatabaseLive = Layer.unwrap(Effect.map(Config.Redacted("DATABASE_URL"), (url) => Postgres.layer({ url })))
 * ```
 */
export const layer = (options: Options): Layer.Layer<SqlClient.SqlClient, SqlError> =>
  Layer.provide(Layer.effect(SqlClient.SqlClient, make(options)), Reactivity.layer)

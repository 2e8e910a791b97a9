/**
 * PostgreSQL, with limits for every statement.
 *
 * @since 1.0.0
 */
import type * as PgClient from "@effect/sql-pg/PgClient"
import * as SqlClient from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import * as Statement from "@effect/sql/Statement"
import * as Rules from "@mailstream/kernel/postgres/Limits"
import * as Url from "@mailstream/kernel/postgres/Url"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { identity } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { acquire, inTransaction, type Limited, limited, pooled } from "./internal/postgres/connection.ts"
import * as Internal from "./internal/postgres/limits.ts"
import * as Sessions from "./internal/postgres/sessions.ts"
import type { SharedSessions } from "./SharedSessions.ts"
import { UnencodedPassword } from "./UnencodedPassword.ts"

/**
 * How long a statement may take.
 *
 * @since 1.0.0
 * @category models
 */
export interface Limits {
  /** How long a statement may wait for a lock, and a caller for a connection; default: 30 seconds. */
  readonly lock?: Duration.DurationInput | undefined
  /**
   * How often a statement without a response is looked at from another session, and how long that may take, which is two to ten seconds; default: 10
   * seconds, or `lock` if that is shorter. It is given up if PostgreSQL does not respond to that, either, or has nothing to do for it.
   */
  readonly silence?: Duration.DurationInput | undefined
  /** How long a statement may take in all; default: 10 minutes. `allow` changes it for some. */
  readonly statement?: Duration.DurationInput | undefined
}

const resolve = ({ lock: givenLock, silence, statement }: Limits): Internal.Limits => {
  const lock = givenLock === undefined ? Internal.defaults.lock : Duration.decode(givenLock)
  return {
    lock,
    silence: silence === undefined ? Duration.min(Internal.defaults.silence, lock) : Duration.decode(silence),
    statement: statement === undefined ? Internal.defaults.statement : Duration.decode(statement)
  }
}

/**
 * Lets the statements of an effect take this long in all, instead of what is the limit of their client: for those that read or
 * write large tables. The limits for locks and for a silent database remain.
 *
 * @since 1.0.0
 * @category combinators
 */
export const allow =
  (statement: Duration.DurationInput) => <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.provideService(work, Internal.Allowed, Duration.decode(statement))

/** What a client compiles statements with. */
interface Compiling {
  readonly compiler: Statement.Compiler
  readonly spanAttributes: ReadonlyArray<readonly [string, unknown]>
  readonly transformRows: Parameters<typeof Statement.make>[3]
}

/** Where the connections of a client with limits come from. */
interface Origin {
  readonly limits: Internal.Limits
  readonly reserve: (limits: Internal.Limits) => Effect.Effect<Limited, SqlError, Scope.Scope>
  readonly sessions: Sessions.Sessions
  readonly isForeign: boolean
}

/** Clients that have limits. */
const clients = new WeakMap<SqlClient.SqlClient, Origin>()

/** The sessions of clients that were given limits here. */
const foreign = new WeakMap<SqlClient.SqlClient, Sessions.Sessions>()

const sessionsOf = (sql: SqlClient.SqlClient): Sessions.Sessions => {
  const sessions = foreign.get(sql) ?? Sessions.foreign()
  foreign.set(sql, sessions)
  return sessions
}

/**
 * The same client, but each of its statements ends: it is given up when it exceeds the limits, and cancelled when its caller is
 * interrupted, which takes two seconds at most even if the database does not respond. A statement that is not cancelled in
 * time loses its connection, so that no later statement is affected.
 *
 * A statement that is given up fails with a `SqlError` that says what it waited for, and whose `cause` is a `StatementTimeout`.
 * Statements within a transaction of the original client have the limits, too; streams have none. Clients of other databases
 * are returned as they are. Limits are measured by the timers of the system, as those of the driver.
 *
 * @since 1.0.0
 * @category combinators
 */
export const bounded = <Client extends SqlClient.SqlClient>(sql: Client, limits: Limits = {}): Client => {
  const isPostgres = sql.onDialectOrElse({ pg: () => true, orElse: () => false })
  if (!isPostgres || clients.has(sql)) return sql
  const sessions = sessionsOf(sql)
  return derive(sql, { limits: resolve(limits), reserve: reserving(sql, sessions), sessions, isForeign: true })
}

const reserving = (sql: SqlClient.SqlClient, { prepare }: Sessions.Sessions): Origin["reserve"] => (limits) =>
  Effect.tap(acquire(sql.reserve, limits), prepare)

/**
 * The same client with the limits of `bounded`, which hangs up when the signal is aborted: whatever waits for PostgreSQL fails within
 * two seconds, and whatever is begun later fails at once, even where it cannot be interrupted. For closing what uses the client
 * in a bounded time, however many statements it still runs. The original client is not affected.
 *
 * @since 1.0.0
 * @category combinators
 */
export const until = <Client extends SqlClient.SqlClient>(sql: Client, signal: AbortSignal): Client => {
  const client = bounded(sql)
  const origin = clients.get(client)
  if (origin === undefined) return client
  const signals = origin.limits.signal === undefined ? [signal] : [origin.limits.signal, signal]
  return derive(client, { ...origin, limits: { ...origin.limits, signal: AbortSignal.any(signals) } })
}

/**
 * The same client with the limits of `bounded`, which runs an effect before each statement and each transaction, and does not begin it
 * if that fails. For those who may write only as long as they have a lock or a lease. The original client is not affected.
 *
 * @since 1.0.0
 * @category combinators
 */
export const guarded = <Client extends SqlClient.SqlClient>(
  sql: Client,
  check: Effect.Effect<unknown, SqlError>
): Client => {
  const client = bounded(sql)
  const origin = clients.get(client)
  return origin === undefined ? client : derive(client, {
    ...origin,
    // Again with a connection: it may have been waited for.
    reserve: (limits) => Effect.zipRight(check, Effect.zipLeft(origin.reserve(limits), check))
  })
}

/**
 * Abandons the connections of a client at once, and whatever waits on them: each of its statements that runs fails within two
 * seconds, also on a connection that is dead or is still being made, and later ones get new connections. For a database that has
 * failed over, or a network that has forgotten its connections: reset the client before anything else is asked of it. It can be
 * called at any time, also twice. The original of a client with limits loses those connections that have been used with limits.
 *
 * @since 1.0.0
 * @category combinators
 */
export const reset = (sql: SqlClient.SqlClient): Effect.Effect<void> => {
  const sessions = clients.get(sql)?.sessions ?? foreign.get(sql)
  return sessions === undefined ? Effect.void : Sessions.reset(sessions)
}

/**
 * Fails with `SharedSessions` if a pooler between here and PostgreSQL gives one session to several clients in turn. `layer` does this by
 * itself. If PostgreSQL is reached without a pooler, it costs one statement.
 *
 * @since 1.0.0
 * @category combinators
 */
export const ensureOwnSessions = (sql: SqlClient.SqlClient): Effect.Effect<void, SqlError | SharedSessions> => {
  const origin = clients.get(bounded(sql))
  return origin === undefined
    ? Effect.void
    : Effect.scoped(Effect.flatMap(origin.reserve(origin.limits), Sessions.ensureOwn))
}

const derive = <Client extends SqlClient.SqlClient>(sql: Client, origin: Origin): Client => {
  const { isForeign, limits } = origin
  const reserve = origin.reserve(limits)
  const acquirer = Effect.map(
    inTransaction,
    Option.match({
      onNone: () => pooled(reserve),
      onSome: (connection) => limited(connection, limits)
    })
  )
  // Every statement holds what it is compiled with.
  const { compiler, spanAttributes, transformRows } = sql`` as unknown as Compiling
  const derived = (of: Compiling): Client => {
    const statement = Statement.make(acquirer, of.compiler, of.spanAttributes, of.transformRows)
    const made: Client = Object.assign(
      statement,
      sql,
      // `unsafe` and others.
      { ...statement },
      { reserve, withTransaction: transactions(limits, reserve, spanAttributes, isForeign) }
    )
    clients.set(made, origin)
    return made
  }
  const plain = () => derived({ compiler: compiler.withoutTransform, spanAttributes, transformRows: undefined })
  const made = derived({ compiler, spanAttributes, transformRows })
  return Object.assign(made, { safe: made, withoutTransforms: transformRows === undefined ? () => made : plain })
}

/** `withTransaction` on connections with limits. Interruption is possible where the caller allows it, also while it begins and ends. */
const transactions = (
  limits: Internal.Limits,
  reserve: Effect.Effect<Limited, SqlError, Scope.Scope>,
  spanAttributes: Compiling["spanAttributes"],
  isForeign: boolean
): SqlClient.SqlClient["withTransaction"] =>
(work) =>
  Effect.checkInterruptible((isInterruptible) => {
    const restore: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> = isInterruptible
      ? Effect.interruptible
      : identity
    let uncommitted: SqlError | undefined
    const savepoint = (id: number) => `SAVEPOINT effect_sql_${id}`
    const transaction = SqlClient.makeWithTransaction({
      transactionTag: SqlClient.TransactionConnection,
      spanAttributes,
      acquireConnection: Effect.flatMap(Scope.make(), (scope) =>
        Effect.map(
          Effect.onError(restore(Scope.extend(reserve, scope)), (cause) => Scope.close(scope, Exit.failCause(cause))),
          (connection) => [scope, connection] as const
        )),
      begin: (connection) =>
        Effect.zipRight(
          restore(connection.executeUnprepared("BEGIN", [], undefined)),
          isForeign ? restore(Sessions.bound(connection, limits)) : Effect.void
        ),
      savepoint: (connection, id) => restore(connection.executeUnprepared(savepoint(id), [], undefined)),
      commit: (connection) =>
        Effect.tapError(restore(limited(connection, limits).commit("COMMIT")), (error) =>
          Effect.sync(() => {
            uncommitted = error
          })),
      rollback: (connection) => limited(connection, limits).rollBack("ROLLBACK"),
      rollbackSavepoint: (connection, id) => limited(connection, limits).rollBack(`ROLLBACK TO ${savepoint(id)}`)
    })
    // A transaction that cannot be committed would be a defect.
    return Effect.catchSomeDefect(transaction(work), (defect) =>
      uncommitted !== undefined && defect === uncommitted ? Option.some(Effect.fail(uncommitted)) : Option.none())
  })

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
  readonly connectTimeout?: Duration.DurationInput | undefined
  /** What the sessions are called in `pg_stat_activity`; default: `mailstream`. */
  readonly applicationName?: string | undefined
  /** More settings of the sessions, such as `{ TimeZone: "UTC" }`. */
  readonly settings?: Readonly<Record<string, string>> | undefined
}

/**
 * A client whose statements have limits, as those of `bounded`. Its sessions also tell PostgreSQL to end what a client that has
 * vanished leaves behind: statements that wait for a lock, transactions in which nothing happens, connections that are dead.
 * Behind a pooler that shares sessions, it fails with a `SqlError` whose cause is `SharedSessions`; for a password that is not percent-encoded,
 * with one whose cause is `UnencodedPassword`. Connecting can be interrupted. Needs `@effect/sql-pg`, which is loaded when the layer is built.
 *
 * @since 1.0.0
 * @category layers
 */
export const layer = (
  { applicationName = "mailstream", connectTimeout = "5 seconds", maxConnections, settings = {}, url, ...given }:
    Options
): Layer.Layer<SqlClient.SqlClient | PgClient.PgClient, SqlError> =>
  Layer.unwrapScoped(Effect.gen(function*() {
    yield* ensureEncoded(url)
    const scope = yield* Effect.scope
    const limits = resolve(given)
    const Pg = yield* Effect.promise(() => import("@effect/sql-pg/PgClient"))
    const sessions = Sessions.make(Sessions.own(limits, settings), Duration.toMillis(connectTimeout))
    // The client itself is given a second to say goodbye.
    yield* Effect.addFinalizer(() => Sessions.reset(sessions))
    const connecting = Pg.layer({
      url,
      maxConnections,
      // It is also the limit for those who wait for a session of the pool, who have one of their own. That of sockets is shorter.
      connectTimeout: Duration.min(Duration.sum(limits.lock, connectTimeout), Duration.millis(Rules.longestWait)),
      applicationName,
      stream: sessions.socket
    })
    // The client connects in a region that cannot be interrupted. A fiber that fails by itself would be logged.
    const connected = yield* Effect.disconnect(Effect.exit(Layer.buildWithScope(connecting, scope))).pipe(
      Effect.timeoutFail({ duration: connectTimeout, onTimeout: () => tooLate(connectTimeout) })
    )
    const client = Context.get(yield* connected, Pg.PgClient)
    // A session that is not its own must not be set to anything.
    yield* Effect.scoped(Effect.flatMap(acquire(client.reserve, limits), Sessions.ensureOwn)).pipe(
      Effect.catchTag("SharedSessions", (cause) => new SqlError({ cause, message: cause.message }))
    )
    const sql = derive(client, { limits, reserve: reserving(client, sessions), sessions, isForeign: false })
    return Layer.succeedContext(Context.make(Pg.PgClient, sql).pipe(Context.add(SqlClient.SqlClient, sql)))
  }))

/** A part of the password would be taken for the host, and be in the error that it does not exist. */
const ensureEncoded = (url: Redacted.Redacted): Effect.Effect<void, SqlError> => {
  if (Url.problem(Redacted.value(url)) === undefined) return Effect.void
  const cause = new UnencodedPassword()
  return new SqlError({ cause, message: cause.message })
}

const tooLate = (connectTimeout: Duration.DurationInput): SqlError => {
  const message = `No connection to PostgreSQL within ${Duration.format(connectTimeout)}`
  return new SqlError({ cause: new Error(message), message })
}

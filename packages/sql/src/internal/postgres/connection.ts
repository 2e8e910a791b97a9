/** A connection to PostgreSQL on which every statement ends. */
import * as SqlClient from "@effect/sql/SqlClient"
import type { Connection } from "@effect/sql/SqlConnection"
import { SqlError } from "@effect/sql/SqlError"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { StatementTimeout } from "../../StatementTimeout.ts"
import * as Driver from "./driver.ts"
import * as Limits from "./limits.ts"

/** How many milliseconds a statement that was cancelled may take to end, before its connection is dropped. */
const grace = 1000

/** What fails in the background is reported by whoever waits for it, and logged by nobody else. */
const forkQuietly = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<Fiber.RuntimeFiber<A, E>, never, R> =>
  Effect.withUnhandledErrorLogLevel(Effect.forkDaemon(work), Option.none())

type Running<A> = Fiber.RuntimeFiber<A, SqlError>

/** Ends a statement: it is cancelled, or else its connection is dropped. A commit is given time to end instead. */
const end = <A>(session: Driver.Session, running: Running<A>, isCommit: boolean): Effect.Effect<void> =>
  Effect.gen(function*() {
    if (running.unsafePoll() !== null) return
    const isCancelled = isCommit || (yield* Driver.cancel(session))
    const exit = yield* Driver.within(running, isCancelled ? grace : 0)
    if (isCancelled && exit !== null) return
    yield* Driver.destroy(session)
    yield* Driver.within(running, grace)
  })

const failure = (reason: Limits.Reason, look: Limits.Look, elapsed: number): SqlError => {
  const message = Limits.sentence(reason, look, elapsed)
  return new SqlError({ cause: new StatementTimeout({ reason, waited: Duration.millis(elapsed), message }), message })
}

/** What fails once the signal has been given. */
const hungUp = (): SqlError => {
  const message = "The connections to PostgreSQL are being closed"
  return new SqlError({ cause: new Error(message), message })
}

/** A signal that is given when the fiber ends, or with another one. */
const endOf = <A>(running: Running<A>, signal: AbortSignal | undefined) => (): AbortSignal => {
  const controller = new AbortController()
  running.addObserver(() => controller.abort())
  return signal === undefined ? controller.signal : AbortSignal.any([signal, controller.signal])
}

/** The exit of a statement, or why it is not waited for any longer. */
const outcome = <A>(
  session: Driver.Session | undefined,
  running: Running<A>,
  limits: Limits.Limits
): Effect.Effect<Exit.Exit<A, SqlError>> =>
  Effect.gen(function*() {
    const began = performance.now()
    const { signal } = limits
    const ending = endOf(running, signal)
    for (let millis = Limits.firstLook(limits);;) {
      const exit = yield* Driver.within(running, millis, signal)
      if (exit !== null) return exit
      const look = session === undefined || Limits.isOver(limits)
        ? Limits.Look.Unknown()
        : yield* Driver.lookAt(session, Limits.longestLook(limits), ending())
      const late = running.unsafePoll()
      if (late !== null) return late
      if (Limits.isOver(limits)) return Exit.fail(hungUp())
      const elapsed = performance.now() - began
      const decision = Limits.decide(look, elapsed, limits)
      if (decision._tag === "GiveUp") return Exit.fail(failure(decision.reason, look, elapsed))
      millis = decision.millis
    }
  })

/** Waited too long for a lock, according to the server itself. */
const isLockTimeout = ({ cause }: SqlError): boolean =>
  !(cause instanceof StatementTimeout) && Predicate.hasProperty(cause, "code") && cause.code === "55P03"

const explain = <A>(exit: Exit.Exit<A, SqlError>): Exit.Exit<A, SqlError> =>
  Exit.mapError(exit, (error) =>
    isLockTimeout(error)
      ? new SqlError({ cause: error.cause, message: "Waited too long for a lock that another session holds" })
      : error)

/**
 * Runs a statement until it ends, it takes too long, or the caller is interrupted. The driver itself is never interrupted: its own
 * cancellation can reach the connection when it is already working for another caller.
 */
const watch = <A>(
  session: Driver.Session | undefined,
  statement: Effect.Effect<A, SqlError>,
  given: Limits.Limits,
  isCommit = false
): Effect.Effect<A, SqlError> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function*() {
      const limits = yield* Limits.current(given)
      if (Limits.isOver(limits)) {
        // A transaction that is open here must not reach the next caller.
        if (session !== undefined) yield* Driver.destroy(session)
        return yield* hungUp()
      }
      const running = yield* forkQuietly(statement)
      const stop = session === undefined ? Effect.void : end(session, running, isCommit)
      const exit = yield* Effect.onInterrupt(restore(outcome(session, running, limits)), () => stop)
      if (running.unsafePoll() === null) yield* stop
      return yield* explain(exit)
    })
  )

const rollBack = (
  session: Driver.Session | undefined,
  statement: Effect.Effect<unknown, SqlError>,
  signal: AbortSignal | undefined
): Effect.Effect<void> =>
  Effect.gen(function*() {
    const running = yield* forkQuietly(statement)
    const exit = yield* Driver.within(running, grace, signal)
    if ((exit === null || Exit.isFailure(exit)) && session !== undefined) yield* Driver.destroy(session)
  })

/** What is run on a connection at the end of a transaction. */
export interface Limited extends Connection {
  readonly session: Driver.Session | undefined
  readonly commit: (sql: string) => Effect.Effect<void, SqlError>
  /** Always succeeds: if the server does not respond, the connection is dropped, which rolls back, too. */
  readonly rollBack: (sql: string) => Effect.Effect<void>
}

const known = new WeakMap<Connection, Limited>()

/** A connection whose statements have limits. */
export const limited = (connection: Connection, limits: Limits.Limits): Limited => {
  const found = known.get(connection)
  if (found !== undefined) return found
  const session = Driver.sessionOf(connection)
  const run = <A>(statement: Effect.Effect<A, SqlError>) => watch(session, statement, limits)
  const made: Limited = {
    session,
    execute: (...args) => run(connection.execute(...args)),
    executeRaw: (...args) => run(connection.executeRaw(...args)),
    executeValues: (...args) => run(connection.executeValues(...args)),
    executeUnprepared: (...args) => run(connection.executeUnprepared(...args)),
    executeStream: (...args) => connection.executeStream(...args),
    commit: (sql) => watch(session, connection.executeUnprepared(sql, [], undefined), limits, true),
    rollBack: (sql) =>
      Effect.uninterruptible(rollBack(session, connection.executeUnprepared(sql, [], undefined), limits.signal))
  }
  known.set(connection, made)
  known.set(made, made)
  return made
}

const noConnection = (elapsed: Duration.Duration): SqlError => {
  const message = `No connection to PostgreSQL within ${Duration.format(elapsed)}`
  return new SqlError({ cause: new StatementTimeout({ reason: "Silent", waited: elapsed, message }), message })
}

/** A connection from a client. One that comes too late, or after an interruption, goes back. */
export const acquire = (
  reserve: SqlClient.SqlClient["reserve"],
  limits: Limits.Limits
): Effect.Effect<Limited, SqlError, Scope.Scope> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function*() {
      if (Limits.isOver(limits)) return yield* hungUp()
      const outer = yield* Effect.scope
      const scope = yield* Scope.make()
      const running = yield* forkQuietly(Scope.extend(reserve, scope))
      const close = Scope.close(scope, Exit.void)
      const giveBack = Effect.forkDaemon(Effect.zipRight(Effect.exit(running.await), close))
      const exit = yield* Effect.onInterrupt(
        restore(Driver.within(running, Duration.toMillis(limits.lock), limits.signal)),
        () => giveBack
      )
      if (exit === null) {
        yield* giveBack
        return yield* Limits.isOver(limits) ? hungUp() : noConnection(limits.lock)
      }
      yield* Scope.addFinalizer(outer, close)
      return limited(yield* exit, limits)
    })
  )

/** A connection that is taken for each statement. */
export const pooled = (reserved: Effect.Effect<Connection, SqlError, Scope.Scope>): Connection => {
  const on = <A>(use: (connection: Connection) => Effect.Effect<A, SqlError>) =>
    Effect.scoped(Effect.flatMap(reserved, use))
  return {
    execute: (...args) => on((connection) => connection.execute(...args)),
    executeRaw: (...args) => on((connection) => connection.executeRaw(...args)),
    executeValues: (...args) => on((connection) => connection.executeValues(...args)),
    executeUnprepared: (...args) => on((connection) => connection.executeUnprepared(...args)),
    executeStream: (...args) =>
      Stream.unwrapScoped(Effect.map(reserved, (connection) => connection.executeStream(...args)))
  }
}

/** The connection of the transaction that is under way, if there is one. */
export const inTransaction: Effect.Effect<Option.Option<Connection>> = Effect.map(
  Effect.serviceOption(SqlClient.TransactionConnection),
  Option.map(([connection]) => connection)
)

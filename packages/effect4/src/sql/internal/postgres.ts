/** Connections to PostgreSQL on which every statement ends. Timers are the system's, as those of the driver. */
import * as Driver from "@mailstream/kernel/postgres/Driver"
import * as Rules from "@mailstream/kernel/postgres/Limits"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Connection } from "effect/sql/SqlConnection"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import { StatementTimeout } from "../StatementTimeout.ts"
import { ofPostgres } from "./errors.ts"
import * as Limits from "./limits.ts"

/** How many milliseconds a statement that was cancelled may take to end, before its connection is dropped. */
const grace = 1000

export const timeout = (reason: Rules.Reason, message: string, waited: number): SqlError =>
  ofPostgres(new StatementTimeout({ reason, waited: Duration.millis(waited), message }), message)

/** What a statement of the driver resolves with. */
interface Result {
  readonly rows: ReadonlyArray<object>
}

/** A session of the pool, with a way to run a statement on it that returns its rows as arrays of values. */
export interface Session extends Driver.Session {
  readonly query:
    & Driver.Session["query"]
    & ((statement: {
      readonly text: string
      readonly values: ReadonlyArray<unknown>
      readonly rowMode?: "array"
    }) => Promise<Result>)
}

/** A promise, and how to wait for it without its value. */
class Watched<A> {
  isOver = false
  readonly promise: Promise<A>
  readonly settled: Promise<void>

  constructor(promise: Promise<A>) {
    const settle = () => {
      this.isOver = true
    }
    this.promise = promise
    this.settled = promise.then(settle, settle)
  }

  /** Waits no longer than this, nor after the signal; whether it is over. */
  within(millis: number, signal?: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const prevent = Driver.later(millis, signal, () => resolve(this.isOver))
      void this.settled.then(() => {
        prevent()
        resolve(true)
      })
    })
  }
}

const lookAt = (session: Session, limits: Rules.Limits, signal: AbortSignal, watched: Watched<unknown>) =>
  new Promise<Rules.Look>((resolve) => {
    const end = Driver.lookAt(session, Rules.longestLook(limits), signal, resolve)
    void watched.settled.then(end)
  })

/** Ends a statement: it is cancelled, or else its connection is dropped. A commit is given time to end instead. */
const end = async (session: Session, watched: Watched<unknown>, isCommit: boolean): Promise<void> => {
  if (watched.isOver) return
  const isCancelled = isCommit || (await new Promise<boolean>((resolve) => Driver.cancel(session, resolve)))
  if (await watched.within(isCancelled ? grace : 0) && isCancelled) return
  Driver.destroy(session)
  await watched.within(grace)
}

/** Waits for a statement until it ends, it takes too long, or the signal is aborted. */
const watch = async <A>(
  session: Session,
  begin: () => Promise<A>,
  limits: Rules.Limits,
  signal: AbortSignal,
  isCommit: boolean
): Promise<A> => {
  const began = performance.now()
  const watched = new Watched(begin())
  let failure = ofPostgres(new Error("interrupted"), "The statement was interrupted")
  for (let millis = Rules.firstLook(limits); !signal.aborted;) {
    if (await watched.within(millis, signal)) return watched.promise
    if (signal.aborted) break
    const look = await lookAt(session, limits, signal, watched)
    if (watched.isOver) return watched.promise
    const elapsed = performance.now() - began
    const decision = Rules.decide(look, elapsed, limits)
    if (decision._tag === "GiveUp") {
      failure = timeout(decision.reason, Rules.sentence(decision.reason, look, elapsed), elapsed)
      break
    }
    millis = decision.millis
  }
  await end(session, watched, isCommit)
  throw failure
}

/** Runs what ends by itself when it is interrupted, which is waited for. */
const running = <A>(begin: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, SqlError> =>
  Effect.callback<A, SqlError>((resume, signal) => {
    const ended = begin(signal).then(
      (value) => resume(Effect.succeed(value)),
      (error: unknown) => resume(Effect.fail(failureOf(error)))
    )
    return Effect.promise(() => ended)
  })

const failureOf = (error: unknown): SqlError =>
  isSqlError(error) ? error : ofPostgres(
    error,
    error instanceof Error && "code" in error && error.code === "55P03"
      ? "Waited too long for a lock that another session holds"
      : "Failed to execute statement"
  )

const begins = /^(?:BEGIN|START)\b/i
export const rollback = "ROLLBACK"
const commit = "COMMIT"

/** Always succeeds: if the server does not respond, the connection is dropped, which rolls back, too. */
const rollBack = async (session: Session, sql: string): Promise<void> => {
  const isDone = await Promise.race([
    session.query(sql, []).then(() => true, () => false),
    new Promise<boolean>((resolve) => setTimeout(() => resolve(false), grace).unref())
  ])
  if (!isDone) Driver.destroy(session)
}

/** A connection whose statements have limits. */
export const connectionOf = (session: Session, given: Rules.Limits): Connection & { readonly session: Session } => {
  const run = <A>(begin: () => Promise<A>, isCommit = false) =>
    Effect.flatMap(
      Limits.current(given),
      (limits) => running((signal) => watch(session, begin, limits, signal, isCommit))
    )
  const query = (text: string, values: ReadonlyArray<unknown>, isCommit?: boolean) =>
    run(() => session.query({ text, values }), isCommit)
  const execute: Connection["execute"] = (text, values, transformRows) =>
    Effect.map(query(text, values), ({ rows }) => transformRows === undefined ? rows : transformRows(rows))
  const executeValues: Connection["executeValues"] = (text, values) =>
    Effect.map(
      run(() => session.query({ text, values, rowMode: "array" })),
      // In this mode, every row is an array.
      ({ rows }) => rows as unknown as ReadonlyArray<ReadonlyArray<unknown>>
    )
  return {
    session,
    execute,
    executeRaw: (text, values) => query(text, values),
    executeValues,
    executeValuesUnprepared: executeValues,
    executeUnprepared: (text, values, transformRows) =>
      text === commit
        ? Effect.as(query(text, values, true), [])
        : text.startsWith(rollback)
        ? Effect.as(Effect.promise(() => rollBack(session, text)), [])
        : begins.test(text)
        // One that was given up may have begun all the same. Nobody would end it.
        ? Effect.onError(execute(text, values, transformRows), () => Effect.sync(() => Driver.destroy(session)))
        : execute(text, values, transformRows),
    executeStream: (text, values, transformRows) =>
      Stream.unwrap(Effect.map(execute(text, values, transformRows), Stream.fromIterable))
  }
}

/** Whether a pooler gives the process behind a session to others between its transactions. */
export const isShared = ({ execute, session }: ReturnType<typeof connectionOf>): Effect.Effect<boolean, SqlError> =>
  Effect.flatMap(Effect.context<never>(), (context) =>
    running((signal) =>
      Driver.isShared(
        session,
        (statement) => Effect.runPromiseWith(context)(execute(statement, [], undefined), { signal }),
        signal
      )
    ))

/**
 * A SQLite file as a `SqlClient`, through `node:sqlite`. In a module of its own, because Effect calls its `sql` unstable.
 *
 * @since 1.0.0
 */
import * as File from "@mailstream/kernel/sqlite/FileConnection"
import * as Effect from "effect/Effect"
import { constFalse } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Statement from "effect/sql/Statement"
import { resolve } from "node:path"
import { waitForLock } from "./internal/database.ts"
import { ofSqlite } from "./internal/errors.ts"
import { connectionOf, runOn } from "./internal/sqlite.ts"

/**
 * Gives the event loop a turn. Statements run synchronously: without this, those of all waiting callers would run back to
 * back, and the process would neither accept nor read connections meanwhile.
 */
const yieldToEventLoop: Effect.Effect<void> = Effect.callback((resume) => {
  const turn = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(turn))
})

/**
 * @since 1.0.0
 * @category models
 */
export interface Options {
  readonly filename: string
  /**
   * Only reads. This needs no permission to write, neither to the file nor in its folder, if this module has written the file.
   * Default: false.
   */
  readonly readonly?: boolean | undefined
}

/** A SQLite file on one connection, used by one caller at a time. */
const make = (
  { filename, readonly = false }: Options
): Effect.Effect<SqlClient.SqlClient, SqlError, Reactivity.Reactivity | Scope.Scope> =>
  Effect.gen(function*() {
    const path = filename === "" ? "" : resolve(filename)
    const turns = yield* Semaphore.make(1)
    let opened: File.FileConnection | undefined
    let mayCreate = !readonly
    let isClosed = false
    /** Whether the path now leads to another file, with the WAL of the last connection still beside it. */
    let isReplaced = constFalse

    /** The connection; another one if the path of the last one leads to another file. */
    const current: Effect.Effect<File.FileConnection, SqlError> = Effect.gen(function*() {
      if (isClosed) return yield* closed(path)
      if (opened?.isAtPath() === true) return opened
      yield* close
      const connection = yield* open(path, { filename, mayCreate, readonly, isReplaced })
      // A file that is deleted later is not replaced by an empty one.
      mayCreate = false
      isReplaced = () => connection.leftWal()?.isEmpty === false
      opened = connection
      return connection
    })

    const close = Effect.sync(() => {
      const last = opened
      opened = undefined
      last?.close()
    })
    yield* Effect.addFinalizer(() => {
      isClosed = true
      return close
    })

    const turn = Effect.andThen(yieldToEventLoop, current)
    /** A statement holds the connection while it runs, not while its rows are used. */
    const statements = connectionOf((...statement) =>
      turns.withPermits(1)(Effect.flatMap(turn, (file) => runOn(file)(...statement)))
    )
    /** A transaction holds it until its scope closes. Waiting callers hold nothing, so they can be interrupted. */
    const transactionAcquirer = Effect.acquireRelease(
      Effect.andThen(Effect.interruptible(turns.take(1)), Effect.onError(turn, () => turns.release(1))),
      () => turns.release(1)
    )
    const sql = yield* SqlClient.make({
      acquirer: Effect.succeed(statements),
      transactionAcquirer: Effect.map(transactionAcquirer, (file) => connectionOf(runOn(file))),
      compiler: Statement.makeCompilerSqlite(),
      driver: "sqlite-node",
      ...File.transaction,
      beginTransaction: readonly ? "BEGIN" : File.transaction.beginTransaction,
      spanAttributes: [["db.system.name", "sqlite"]]
    })
    // Another process may be opening the same file, or still be reading one that nobody had open for writing.
    yield* waitForLock(Effect.scoped(transactionAcquirer), "30 seconds")
    return sql
  })

const closed = (path: string): SqlError =>
  ofSqlite(new Error("the layer is closed"), `${path} is closed: use it while its layer is in scope`)

const open = (...options: Parameters<typeof File.open>): Effect.Effect<File.FileConnection, SqlError> =>
  Effect.try({
    try: () => File.open(...options),
    catch: (error) =>
      error instanceof File.Unopened ? ofSqlite(error.cause, error.message) : ofSqlite(error, "Failed to open the file")
  })

/**
 * A SQLite file, created if it does not exist. Commits are on the disk before they are acknowledged, and a lock of another
 * process does not block the event loop: the statement fails with a `SqlError` whose reason is a `LockTimeoutError`. Integers beyond
 * 2^53 are read as `bigint`s.
 *
 * Needs Node 22.22.3, 24.15 or later, Bun 1.4 or Deno 2.9, and fails on other runtimes.
 *
 * @since 1.0.0
 * @category layers
 * @example
 * ```ts
 * import * as Sqlite from "@mailstream/effect4/Sqlite"
 * import { Effect } from "effect"
 * import { SqlClient } from "effect/sql"
 *
 * const program = Effect.gen(function*() {
 *   const sql = yield* SqlClient.SqlClient
 *   return yield* sql`SELECT 1 AS one`
 * }).pipe(Effect.provide(Sqlite.layer({ filename: "campaigns.db" })))
 * ```
 */
export const layer = (options: Options): Layer.Layer<SqlClient.SqlClient, SqlError> =>
  Layer.provide(Layer.effect(SqlClient.SqlClient, make(options)), Reactivity.layer)

/**
 * A SQLite file as a `SqlClient`, through libsql.
 *
 * @since 1.0.0
 */
import * as Reactivity from "@effect/experimental/Reactivity"
import { LibsqlClient } from "@effect/sql-libsql"
import * as SqlClient from "@effect/sql/SqlClient"
import type { Connection } from "@effect/sql/SqlConnection"
import { SqlError } from "@effect/sql/SqlError"
import * as Statement from "@effect/sql/Statement"
import { type Client, createClient } from "@libsql/client/sqlite3"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Scope from "effect/Scope"
import { statSync } from "node:fs"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import * as Availability from "./Availability.ts"

/**
 * Gives the event loop a turn. The libsql client works synchronously behind its promises: without this, statements of
 * all waiting callers would run back to back, and the process would neither accept nor read connections meanwhile.
 */
const yieldToEventLoop: Effect.Effect<void> = Effect.async((resume) => void setImmediate(() => resume(Effect.void)))

/** An open connection to a file. */
interface Opened {
  readonly connection: Connection
  /** Whether it can still be used: it did not fail, and its path still leads to the same file. */
  readonly isUsable: () => boolean
  readonly close: Effect.Effect<void>
}

/**
 * A SQLite file on one connection, used by one caller at a time.
 *
 * The libsql client itself opens a new connection for every transaction and never closes it, which leaks two open files
 * each time and loses the settings below; and after a transaction that could not begin, no other can.
 */
const make = (filename: string): Effect.Effect<SqlClient.SqlClient, SqlError, Reactivity.Reactivity | Scope.Scope> =>
  Effect.gen(function*() {
    const path = resolve(filename)
    const reactivity = yield* Effect.context<Reactivity.Reactivity>()
    const turns = yield* Effect.makeSemaphore(1)
    let opened: Opened | undefined
    let isNew = true

    /** The connection; another one if the last one cannot be used any more. */
    const current: Effect.Effect<Connection, SqlError> = Effect.gen(function*() {
      if (opened?.isUsable() === true) return opened.connection
      yield* close
      // A file that was deleted is not replaced by an empty one.
      if (!isNew && fileAt(path) === undefined) return yield* new SqlError({ cause: new FileGone(path) })
      opened = yield* Effect.provide(open(path), reactivity)
      isNew = false
      return opened.connection
    })

    const close = Effect.suspend(() => {
      const last = opened
      opened = undefined
      return last?.close ?? Effect.void
    })
    yield* Effect.addFinalizer(() => close)

    // Statements and transactions alike hold the connection until their scope closes.
    const acquirer = Effect.acquireRelease(
      Effect.zipRight(turns.take(1), yieldToEventLoop).pipe(
        Effect.zipRight(Effect.onError(current, () => turns.release(1)))
      ),
      () => turns.release(1)
    )
    const sql = yield* SqlClient.make({
      acquirer,
      compiler: Statement.makeCompilerSqlite(),
      ...transaction,
      spanAttributes: [["db.system.name", "sqlite"]]
    })
    // Another process may be opening the same file for the first time.
    yield* Availability.waitForLock(Effect.scoped(acquirer), Availability.isLocked)
    return sql
  })

/** The file has been deleted or moved since it was opened. */
class FileGone extends Error {
  readonly code = "SQLITE_CANTOPEN"

  constructor(path: string) {
    super(`the file ${path} does not exist any more`)
  }
}

/** Identifies the file at a path, which keeps its identity as long as it is open. */
const fileAt = (path: string): string | undefined => {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? undefined : `${found.dev}:${found.ino}`
}

const settings = [
  "PRAGMA journal_mode = WAL",
  // A commit is on the disk before it is acknowledged.
  "PRAGMA synchronous = FULL",
  // Waiting for a lock here would block the event loop: `Database` waits instead.
  "PRAGMA busy_timeout = 0"
]

/**
 * The module for files: from the package itself, Deno gets a client that only knows servers.
 */
const openClient = (path: string): Effect.Effect<Client, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => createClient({ url: pathToFileURL(path).href })),
    (client) => Effect.sync(() => client.close())
  )

const open = (path: string): Effect.Effect<Opened, SqlError, Reactivity.Reactivity> =>
  Effect.gen(function*() {
    const scope = yield* Scope.make()
    const close = Scope.close(scope, Exit.void)
    const { connection, script } = yield* openClient(path).pipe(
      Effect.flatMap((liveClient) => LibsqlClient.make({ liveClient })),
      // The client throws if it cannot open the file.
      Effect.catchAllDefect((cause) => new SqlError({ cause, message: "Failed to open the file" })),
      Effect.bindTo("libsql"),
      Effect.bind("connection", ({ libsql }) => libsql.reserve),
      Effect.let("script", ({ libsql }) => scriptsOf(libsql)),
      Effect.tap(({ script }) => script(settings.join(";"))),
      Scope.extend(scope),
      Effect.onError(() => close)
    )
    const file = fileAt(path)
    const transactional = new Transactional(connection, script(transaction.beginTransaction))
    return { connection: transactional, isUsable: () => !transactional.failed && fileAt(path) === file, close }
  })

const transaction = { beginTransaction: "BEGIN IMMEDIATE", commit: "COMMIT", rollback: "ROLLBACK" }

/**
 * A connection whose transactions can fail. libsql resets a statement that met a lock only when it is collected as
 * garbage, and until then the connection can neither commit a transaction nor be closed. So whether there is a lock is
 * found out in another way, and a connection that still meets one is given up.
 */
class Transactional implements Connection {
  failed = false
  #isWithin = false
  readonly #connection: Connection
  readonly #probe: Effect.Effect<unknown, SqlError>
  readonly execute: Connection["execute"]
  readonly executeRaw: Connection["executeRaw"]
  readonly executeStream: Connection["executeStream"]
  readonly executeValues: Connection["executeValues"]

  constructor(connection: Connection, probe: Effect.Effect<unknown, SqlError>) {
    this.#connection = connection
    this.#probe = probe
    this.execute = (...args) => this.#checked(connection.execute(...args))
    this.executeRaw = (...args) => this.#checked(connection.executeRaw(...args))
    this.executeStream = connection.executeStream.bind(connection)
    this.executeValues = (...args) => this.#checked(connection.executeValues(...args))
  }

  readonly executeUnprepared: Connection["executeUnprepared"] = (sql, params, transformRows) => {
    const run = Effect.tapError(this.#connection.executeUnprepared(sql, params, transformRows), () => this.#giveUp)
    switch (sql) {
      case transaction.beginTransaction:
        return Effect.zipRight(this.#probe, Effect.tap(run, () => this.#within(true)))
      case transaction.commit:
        return Effect.tap(run, () => this.#within(false))
      case transaction.rollback:
        // A transaction that could not begin is rolled back, too.
        return Effect.suspend(() => this.#isWithin ? Effect.zipRight(this.#within(false), run) : Effect.succeed([]))
      default:
        return run
    }
  }

  /** Gives up the connection if a statement outside a transaction meets a lock. */
  #checked<A>(statement: Effect.Effect<A, SqlError>): Effect.Effect<A, SqlError> {
    return Effect.tapError(statement, (error) => Availability.isLocked(error) ? this.#giveUp : Effect.void)
  }

  #within(isWithin: boolean): Effect.Effect<void> {
    return Effect.sync(() => {
      this.#isWithin = isWithin
    })
  }

  /** Leaves the transaction first, so that its lock does not outlive it. */
  get #giveUp(): Effect.Effect<void> {
    return Effect.suspend(() => {
      this.failed = true
      const isWithin = this.#isWithin
      this.#isWithin = false
      return isWithin ? Effect.ignore(this.#connection.executeRaw(transaction.rollback, [])) : Effect.void
    })
  }
}

/**
 * Runs scripts. Unlike single statements they are finalized even if they meet a lock, and the client rolls back what they
 * leave open, so that beginning a transaction shows whether another process holds the lock for writing.
 */
const scriptsOf = (libsql: object) => (script: string): Effect.Effect<unknown, SqlError> =>
  Effect.tryPromise({
    try: () =>
      Predicate.hasProperty(libsql, "sdk") && Predicate.hasProperty(libsql.sdk, "executeMultiple") &&
        Predicate.isFunction(libsql.sdk.executeMultiple)
        ? Promise.resolve(libsql.sdk.executeMultiple(script))
        : Promise.reject(new Error("this version of libsql cannot run scripts")),
    catch: (cause) => new SqlError({ cause, message: "Failed to lock the file" })
  })

/**
 * A SQLite file, created if it does not exist. Commits are on the disk before they are acknowledged, and a lock of another
 * process does not block the event loop: the statement fails with `SQLITE_BUSY`, for `Availability.waitForLock`.
 *
 * @since 1.0.0
 * @category layers
 */
export const layer = (options: { readonly filename: string }): Layer.Layer<SqlClient.SqlClient, SqlError> =>
  Layer.provide(Layer.scoped(SqlClient.SqlClient, make(options.filename)), Reactivity.layer)

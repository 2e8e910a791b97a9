/**
 * A SQLite file as a `SqlClient`, through libsql.
 *
 * @since 1.0.0
 */
import * as Reactivity from "@effect/experimental/Reactivity"
import * as SqlClient from "@effect/sql/SqlClient"
import type { Connection } from "@effect/sql/SqlConnection"
import { SqlError } from "@effect/sql/SqlError"
import * as Statement from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import { constFalse } from "effect/Function"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import Database from "libsql"
import { resolve } from "node:path"
import * as Availability from "./Availability.ts"
import { CannotOpen, fileAt, obstacleOf, Replaced, walAt } from "./internal/files.ts"

/**
 * Gives the event loop a turn. Statements run synchronously: without this, those of all waiting callers would run back to
 * back, and the process would neither accept nor read connections meanwhile.
 */
const yieldToEventLoop: Effect.Effect<void> = Effect.async((resume) => void setImmediate(() => resume(Effect.void)))

/** An open connection to a file. */
interface Opened {
  readonly connection: Connection
  /** Whether it can still be used: it did not fail, and its path still leads to the same file. */
  readonly isUsable: () => boolean
  /** Whether its path leads to another file by now, beside which its own WAL still is. */
  readonly isReplaced: () => boolean
  readonly close: Effect.Effect<void>
}

/**
 * @since 1.0.0
 * @category models
 */
export interface Options {
  readonly filename: string
  /**
   * Refuses to write, and needs no permission to: neither to the file nor in its folder, if this module has written the file;
   * default: false.
   */
  readonly readonly?: boolean | undefined
}

/** A SQLite file on one connection, used by one caller at a time. */
const make = (
  { filename, readonly = false }: Options
): Effect.Effect<SqlClient.SqlClient, SqlError, Reactivity.Reactivity | Scope.Scope> =>
  Effect.gen(function*() {
    const path = resolve(filename)
    const turns = yield* Effect.makeSemaphore(1)
    let opened: Opened | undefined
    let mayCreate = !readonly
    let isReplaced = constFalse

    /** The connection; another one if the last one cannot be used any more. */
    const current: Effect.Effect<Connection, SqlError> = Effect.gen(function*() {
      if (opened?.isUsable() === true) return opened.connection
      yield* close
      opened = yield* open(path, { mayCreate, readonly, isReplaced })
      // A file that is deleted later is not replaced by an empty one.
      mayCreate = false
      isReplaced = opened.isReplaced
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
      beginTransaction: readonly ? "BEGIN" : transaction.beginTransaction,
      spanAttributes: [["db.system.name", "sqlite"]]
    })
    // Another process may be opening the same file, or still be reading one that nobody had open for writing.
    yield* Availability.waitForLock(Effect.scoped(acquirer), Availability.isLocked, "30 seconds")
    return sql
  })

// Waiting for a lock in the driver would block the event loop.
const patience = "PRAGMA busy_timeout = 0"

/** Finds out whether the file can be read, and creates the files beside it that it needs. */
const look = "SELECT 1 FROM sqlite_schema LIMIT 1"

const settings = [
  patience,
  "PRAGMA journal_mode = WAL",
  // A commit is on the disk before it is acknowledged.
  "PRAGMA synchronous = FULL",
  look
]

/** The driver has no option for it. */
const readonlySettings = [patience, "PRAGMA query_only = ON", look]

const open = (
  path: string,
  { isReplaced, mayCreate, readonly }: {
    readonly mayCreate: boolean
    readonly readonly: boolean
    readonly isReplaced: () => boolean
  }
): Effect.Effect<Opened, SqlError> =>
  Effect.try({
    try: () => {
      // libsql ends the process if it gets such a name.
      if (path.includes("\0")) throw new TypeError("the name of a file must not contain U+0000")
      if (!mayCreate && fileAt(path) === undefined) throw new CannotOpen("it does not exist")
      // SQLite would apply the WAL of the one file to the other, and damage it.
      if (isReplaced()) throw new Replaced(path)
      const database = new Database(path)
      try {
        database.exec((readonly ? readonlySettings : settings).join(";"))
      } catch (error) {
        database.close()
        throw error
      }
      const connection = new FileConnection(database, path)
      return {
        connection,
        isUsable: () => !connection.isGivenUp && connection.isAtPath(),
        isReplaced: () => connection.leftWal()?.isEmpty === false,
        close: Effect.sync(() => connection.close())
      }
    },
    catch: (error) => {
      const obstacle = error instanceof Replaced ? undefined : obstacleOf(path, readonly)
      const cause = obstacle === undefined ? error : new CannotOpen(obstacle)
      return new SqlError({
        cause,
        message: `Failed to open ${path}: ${cause instanceof Error ? cause.message : cause}`
      })
    }
  })

const transaction = { beginTransaction: "BEGIN IMMEDIATE", commit: "COMMIT", rollback: "ROLLBACK" }

/** Whether a statement writes. One that returns rows may also begin with `WITH`, which is then taken for reading. */
const writes = (sql: string, returnsRows: boolean): boolean =>
  (returnsRows
    ? /^\s*(insert|update|delete|replace)\b/i
    : /^\s*(insert|update|delete|replace|with|create|drop|alter)\b/i)
    .test(sql)

/** Moves everything from the WAL to the file, wherever this is by now. */
const checkpoint = "wal_checkpoint(TRUNCATE)"

const completing = ["query_only = OFF", checkpoint, "journal_mode = DELETE"]

/** How many statements are kept prepared. */
const maxPrepared = 100

type Prepared = ReturnType<Database.Database["prepare"]>

/**
 * A connection to a file. A statement of libsql that met a lock is reset only when it runs again or is collected as garbage,
 * and until then the connection can neither commit nor be closed. So every lock is taken by a script, which is finalized even
 * if it fails: a write outside a transaction gets its own. A connection that still meets a lock is given up.
 */
class FileConnection implements Connection {
  isGivenUp = false
  /** Whether its path still leads to the same file. If not, files beside it may belong to another one. */
  readonly isAtPath: () => boolean
  /** Its WAL, if its path leads to another file beside which this still is. */
  readonly leftWal: () => ReturnType<typeof walAt>
  readonly #database: Database.Database
  readonly #prepared = new Map<string, Prepared>()

  constructor(database: Database.Database, path: string) {
    const file = fileAt(path)
    this.#database = database
    this.isAtPath = () => fileAt(path) === file
    const id = walAt(path)?.id
    this.leftWal = () => {
      const wal = walAt(path)
      return wal?.id === id && !this.isAtPath() ? wal : undefined
    }
  }

  readonly execute: Connection["execute"] = (sql, params, transformRows) => {
    const rows = this.#try(() => this.#run<object>(sql, params))
    return transformRows === undefined ? rows : Effect.map(rows, transformRows)
  }

  readonly executeUnprepared: Connection["executeUnprepared"] = (sql, params, transformRows) => {
    switch (sql) {
      case transaction.beginTransaction:
      case transaction.commit:
        return this.#try(() => this.#script(sql))
      case transaction.rollback:
        // A transaction that could not begin is rolled back, too.
        return this.#try(() => this.#database.inTransaction ? this.#script(sql) : [])
      default:
        return this.execute(sql, params, transformRows)
    }
  }

  readonly executeRaw: Connection["executeRaw"] = (sql, params) => this.execute(sql, params, undefined)

  readonly executeValues: Connection["executeValues"] = (sql, params) =>
    this.#try(() => this.#run<ReadonlyArray<unknown>>(sql, params, true))

  readonly executeStream: Connection["executeStream"] = (sql, params, transformRows) =>
    Stream.unwrap(Effect.map(this.execute(sql, params, transformRows), Stream.fromIterable))

  /** Closes the file. libsql keeps it open until its statements have been collected as garbage, so it is completed first. */
  close(): void {
    this.#prepared.clear()
    if (this.isAtPath()) this.#complete(...completing)
    else if (this.leftWal() !== undefined) this.#complete(checkpoint)
    this.#database.close()
  }

  /**
   * Moves everything to the file itself. If no other process uses it, it leaves WAL mode, in which only those could read it who
   * may write in its folder. A connection that only reads does so if it may: as the last one, SQLite would let it complete the
   * file, but not leave WAL mode.
   */
  #complete(...steps: ReadonlyArray<string>): void {
    for (const step of steps) {
      try {
        this.#database.exec(`PRAGMA ${step}`)
      } catch {
        // Another process uses it, or this one may not write to it.
      }
    }
  }

  #try<A>(run: () => A): Effect.Effect<A, SqlError> {
    return Effect.try({ try: run, catch: (cause) => new SqlError({ cause, message: "Failed to execute statement" }) })
  }

  #script(sql: string): ReadonlyArray<never> {
    this.#database.exec(sql)
    return []
  }

  #run<A>(sql: string, params: ReadonlyArray<unknown>, isRaw = false): ReadonlyArray<A> {
    const statement = this.#prepare(sql, isRaw)
    const values = params.map(bindable)
    const step = (): ReadonlyArray<A> => {
      if (statement.reader) return statement.all(values) as Array<A>
      statement.run(values)
      return []
    }
    try {
      return this.#database.inTransaction || !writes(sql, statement.reader) ? step() : this.#within(step)
    } catch (error) {
      if (Availability.isLocked(new SqlError({ cause: error }))) this.isGivenUp = true
      throw error
    }
  }

  /** Runs a write in a transaction of its own. */
  #within<A>(step: () => A): A {
    this.#script(transaction.beginTransaction)
    try {
      const result = step()
      this.#script(transaction.commit)
      return result
    } catch (error) {
      if (this.#database.inTransaction) this.#script(transaction.rollback)
      throw error
    }
  }

  /** The statement, prepared; the one that has not been used for the longest time makes room. */
  #prepare(sql: string, isRaw: boolean): Prepared {
    const key = `${isRaw} ${sql}`
    const known = this.#prepared.get(key)
    const statement = known ?? this.#database.prepare(sql)
    if (known === undefined && isRaw && statement.reader) statement.raw()
    this.#prepared.delete(key)
    this.#prepared.set(key, statement)
    const [oldest] = this.#prepared.keys()
    if (this.#prepared.size > maxPrepared && oldest !== undefined) this.#prepared.delete(oldest)
    return statement
  }
}

/** A value that can be bound: libsql ends the process if it gets another one. */
const bindable = (value: unknown): null | number | bigint | string | Uint8Array => {
  switch (typeof value) {
    case "number":
      // A number would be stored with a fraction: 1 as 1.0.
      return Number.isSafeInteger(value) ? BigInt(value) : value
    case "bigint":
    case "string":
      return value
    case "boolean":
      return Number(value)
    default:
      if (value === null || value instanceof Uint8Array) return value
      if (value instanceof ArrayBuffer) return new Uint8Array(value)
      if (value instanceof Date) return value.getTime()
      throw new TypeError(
        `A parameter must be null, a number, a string, a boolean, a Date or bytes, not ${typeof value}`
      )
  }
}

/**
 * A SQLite file, created if it does not exist. Commits are on the disk before they are acknowledged, and a lock of another
 * process does not block the event loop: the statement fails with `SQLITE_BUSY`, for `Availability.waitForLock`.
 *
 * @since 1.0.0
 * @category layers
 */
export const layer = (options: Options): Layer.Layer<SqlClient.SqlClient, SqlError> =>
  Layer.provide(Layer.scoped(SqlClient.SqlClient, make(options)), Reactivity.layer)

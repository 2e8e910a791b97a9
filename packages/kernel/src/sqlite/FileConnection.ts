/** A connection to a SQLite file. */
import type { DatabaseSync, StatementSync } from "node:sqlite"
import * as Driver from "./Driver.ts"
import { CannotOpen, fileAt, obstacleOf, refusalOf, Replaced, walAt } from "./Files.ts"
import { bindable, isUnsafeInteger, narrow } from "./Values.ts"

export const transaction = { beginTransaction: "BEGIN IMMEDIATE", commit: "COMMIT", rollback: "ROLLBACK" }

/** A commit is on the disk before it is acknowledged. */
const settings = ["PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL"]

/**
 * Fails if the file cannot be read, and creates the files that it needs beside it. Shows whether the driver keeps U+0000 in text
 * that it reads: on Node 22 and Deno, it does not.
 */
const look = "SELECT char(0) AS nul, EXISTS (SELECT 1 FROM sqlite_schema) AS has_tables"

/**
 * Moves everything from the WAL to the file, even if the file has been moved. If no other connection uses it, also leaves WAL
 * mode, in which reading needs permission to write in the folder.
 */
const completing = ["PRAGMA wal_checkpoint(TRUNCATE)", "PRAGMA journal_mode = DELETE"] as const

/** How many statements are kept prepared. */
const maxPrepared = 100

/**
 * On Node 22 and Deno, a statement that was prepared before another program changed a table returns the columns that it had then. So
 * it is prepared for every use, after reading the schema again.
 */
const dependsOnColumns = (sql: string): boolean => /(?<!\()\*/.test(sql)

/** White space and comments, which may follow a statement. */
const nothing = /^(?:[\s;]|--[^\n]*|\/\*[^]*?\*\/)*$/

/** A statement that writes before its result is read: it cannot be run again to read the result in another way. */
const writesFirst = (sql: string): boolean => /\breturning\b/i.test(sql)

interface Prepared {
  readonly statement: StatementSync
  /** Whether it reads integers as bigints. */
  isExact: boolean
}

/**
 * A SQLite file that is open. Statements run synchronously; they throw a `SqliteError` with the name of its code, or a `TypeError` for
 * what is no statement.
 */
export class FileConnection {
  /** Whether its path still leads to the same file. If not, files beside it may belong to another one. */
  readonly isAtPath: () => boolean
  /** Its WAL, if the path now leads to another file and the WAL is still beside it. */
  readonly leftWal: () => ReturnType<typeof walAt>
  readonly #path: string
  readonly #isReadonly: boolean
  /** Whether there was a WAL before it was opened: then a reader must not remove it. */
  readonly #hadWal: boolean
  readonly #database: DatabaseSync
  readonly #look: StatementSync
  readonly #keepsNul: boolean
  readonly #prepared = new Map<string, Prepared>()

  constructor(path: string, isReadonly: boolean) {
    this.#path = path
    this.#isReadonly = isReadonly
    this.#hadWal = walAt(path) !== undefined
    this.#database = Driver.open(path, isReadonly)
    try {
      if (!isReadonly) { for (const setting of settings) this.#database.prepare(setting).all() }
      this.#look = this.#database.prepare(look)
      this.#keepsNul = this.#look.get()?.["nul"] === "\0"
    } catch (error) {
      this.#database.close()
      throw error
    }
    const file = fileAt(path)
    const id = walAt(path)?.id
    this.isAtPath = () => fileAt(path) === file
    this.leftWal = () => {
      const wal = walAt(path)
      return wal?.id === id && !this.isAtPath() ? wal : undefined
    }
  }

  /** Runs a statement, and returns its rows as objects or as arrays of values. */
  run<A extends object>(sql: string, params: ReadonlyArray<unknown>, isArray: boolean): ReadonlyArray<A> {
    try {
      return this.#run<A>(sql, params, isArray)
    } catch (error) {
      throw Driver.errorOf(error)
    }
  }

  /** Closes the file, and completes it, unless it was only read. */
  close(): void {
    this.#prepared.clear()
    if (!this.isAtPath()) {
      if (this.leftWal() !== undefined) attempt(this.#database, completing[0])
      return this.#database.close()
    }
    if (!this.#isReadonly) attempt(this.#database, ...completing)
    this.#database.close()
    if (this.#isReadonly && !this.#hadWal && this.isAtPath() && walAt(this.#path)?.isEmpty === true) tidy(this.#path)
  }

  #run<A extends object>(sql: string, params: ReadonlyArray<unknown>, isArray: boolean): ReadonlyArray<A> {
    // A transaction that could not begin is rolled back, too.
    if (sql === transaction.rollback && !this.#database.isTransaction) return []
    const prepared = this.#prepare(sql, isArray)
    const values = params.map((value) => bindable(value, this.#keepsNul))
    const read = () => rowsOf<A>(prepared.statement.all(...values), prepared.isExact)
    try {
      return read()
    } catch (error) {
      if (prepared.isExact || !isUnsafeInteger(error)) throw error
      readExactly(prepared)
      return read()
    }
  }

  /** The prepared statement. The least recently used one is dropped to make room. */
  #prepare(sql: string, isArray: boolean): Prepared {
    if (dependsOnColumns(sql)) {
      this.#look.get()
      return this.#prepareNew(sql, isArray)
    }
    const key = `${isArray} ${sql}`
    const prepared = this.#prepared.get(key) ?? this.#prepareNew(sql, isArray)
    this.#prepared.delete(key)
    this.#prepared.set(key, prepared)
    const [oldest] = this.#prepared.keys()
    if (this.#prepared.size > maxPrepared && oldest !== undefined) this.#prepared.delete(oldest)
    return prepared
  }

  #prepareNew(sql: string, isArray: boolean): Prepared {
    // Deno would end the process.
    if (nothing.test(sql)) throw new TypeError("There is no statement to run")
    const prepared = { statement: this.#database.prepare(sql), isExact: false }
    // The driver would ignore it.
    if (!nothing.test(sql.slice(prepared.statement.sourceSQL.length))) {
      throw new TypeError("Only one statement can be run at a time: another one follows it")
    }
    prepared.statement.setReturnArrays(isArray)
    if (writesFirst(sql)) readExactly(prepared)
    return prepared
  }
}

const readExactly = (prepared: Prepared): void => {
  prepared.statement.setReadBigInts(true)
  prepared.isExact = true
}

const rowsOf = <A extends object>(rows: ReadonlyArray<unknown> | undefined, isExact: boolean): ReadonlyArray<A> => {
  // Some drivers ignore the limit that they were given.
  if (rows === undefined) throw new Driver.SqliteError(Driver.tooBig, "string or blob too big")
  const found = rows as ReadonlyArray<A>
  if (isExact) found.forEach(narrow)
  return found
}

const attempt = (database: DatabaseSync, ...statements: ReadonlyArray<string>): void => {
  for (const statement of statements) {
    try {
      database.prepare(statement).all()
    } catch {
      // Another connection uses it, or this process may not write to it.
    }
  }
}

/**
 * Removes the files that a reader has created beside a file in WAL mode, as the last writer does when it closes. The file itself
 * is unchanged.
 */
const tidy = (path: string): void => {
  try {
    const database = Driver.open(path, false)
    attempt(database, look)
    database.close()
  } catch {
    // This process may not write to it.
  }
}

/** Why a file could not be opened: in words, and as the error of the driver. */
export class Unopened extends Error {
  override readonly cause: unknown

  constructor(message: string, cause: unknown) {
    super(message)
    this.cause = cause
  }
}

/** Opens a file, or throws `Unopened`. `isReplaced`: whether the path leads to another file than before, with the WAL of that still beside it. */
export const open = (
  path: string,
  { filename, isReplaced, mayCreate, readonly }: {
    readonly filename: string
    readonly mayCreate: boolean
    readonly readonly: boolean
    readonly isReplaced: () => boolean
  }
): FileConnection => {
  try {
    // Without a driver, it does not matter what is at the path.
    Driver.load()
    const refusal = refusalOf(filename)
    if (refusal !== undefined) throw new CannotOpen(refusal)
    if (!mayCreate && fileAt(path) === undefined) throw new CannotOpen("it does not exist")
    // SQLite would apply the WAL of the one file to the other, and damage it.
    if (isReplaced()) throw new Replaced(path)
    return new FileConnection(path, readonly)
  } catch (error) {
    if (error instanceof Driver.Unsupported) throw new Unopened(error.message, error)
    const reason = Driver.errorOf(error)
    const code = reason instanceof Driver.SqliteError ? reason.code : undefined
    const obstacle = error instanceof CannotOpen ? undefined : obstacleOf(path, readonly, code)
    const cause = obstacle === undefined ? reason : new CannotOpen(obstacle)
    throw new Unopened(
      `Failed to open ${path === "" || filename.startsWith(":") ? JSON.stringify(filename) : path}: ${
        cause instanceof Error ? cause.message : String(cause)
      }`,
      cause
    )
  }
}

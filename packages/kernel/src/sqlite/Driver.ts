/** The driver: `node:sqlite`, which Node, Bun and Deno have in common. */
import type * as Sqlite from "node:sqlite"
import * as Runtime from "./Runtime.ts"

/** SQLite cannot be used on this runtime. */
export class Unsupported extends Error {}

/** A failure of SQLite, with the name of its code: `SQLITE_BUSY`. */
export class SqliteError extends Error {
  readonly code: string

  constructor(code: number, message: string) {
    super(message)
    this.code = `SQLITE_${names[code & 0xff] ?? code}`
  }
}

/** The codes of SQLite, by number. */
const names =
  ("OK ERROR INTERNAL PERM ABORT BUSY LOCKED NOMEM READONLY INTERRUPT IOERR CORRUPT NOTFOUND FULL CANTOPEN PROTOCOL EMPTY " +
    "SCHEMA TOOBIG CONSTRAINT MISMATCH MISUSE NOLFS AUTH FORMAT RANGE NOTADB NOTICE WARNING").split(" ")

const failed = 1
const cannotOpen = 14
export const tooBig = 18

/** What the driver throws, as an error with a readable code. */
export const errorOf = (error: unknown, otherwise = failed): unknown =>
  error instanceof Error && "code" in error && error.code === "ERR_SQLITE_ERROR"
    ? new SqliteError("errcode" in error ? Number(error.errcode) : otherwise, error.message)
    : error

/** Node 22 emits it once, while the driver is loaded. */
const warning = "SQLite is an experimental feature"

/** Loads the driver when it is first used, so that importing this package succeeds where there is none. */
export const load = (): typeof Sqlite => {
  const obstacle = Runtime.obstacle("SQLite", process.versions)
  if (obstacle !== undefined) throw new Unsupported(obstacle)
  const { emitWarning } = process
  process.emitWarning = (...args: ReadonlyArray<unknown>) => {
    if (!String(args[0]).startsWith(warning)) Reflect.apply(emitWarning, process, args)
  }
  try {
    const driver = process.getBuiltinModule("node:sqlite")
    if (driver === undefined) throw new Unsupported("SQLite needs node:sqlite, which is turned off on this runtime")
    return driver
  } finally {
    process.emitWarning = emitWarning
  }
}

/** The longest text that a JavaScript string can hold: reading a longer one would end the process on some runtimes. */
const options = { timeout: 0, limits: { length: 2 ** 29 - 24 } }

/** Opens a file, which is created if it does not exist, unless it is only read. */
export const open = (path: string, readonly: boolean): Sqlite.DatabaseSync => {
  const { DatabaseSync } = load()
  try {
    return new DatabaseSync(path, { ...options, readOnly: readonly })
  } catch (error) {
    // Deno has no number for it.
    throw errorOf(error, cannotOpen)
  }
}

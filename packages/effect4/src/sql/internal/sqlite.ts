/** A connection to a SQLite file. */
import type { FileConnection } from "@mailstream/kernel/sqlite/FileConnection"
import * as Effect from "effect/Effect"
import type { Connection } from "effect/sql/SqlConnection"
import type { SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import { ofSqlite } from "./errors.ts"

/** Runs a statement, and returns its rows as objects or as arrays of values. */
export interface Run {
  <A extends object>(
    sql: string,
    params: ReadonlyArray<unknown>,
    isArray: boolean
  ): Effect.Effect<ReadonlyArray<A>, SqlError>
}

/** Runs the statements of a file. */
export const runOn =
  (file: FileConnection): Run => <A extends object>(sql: string, params: ReadonlyArray<unknown>, isArray: boolean) =>
    Effect.try({
      try: () => file.run<A>(sql, params, isArray),
      catch: (cause) => ofSqlite(cause, "Failed to execute statement")
    })

/** A connection on which everything is a statement. */
export const connectionOf = (run: Run): Connection => {
  const execute: Connection["execute"] = (sql, params, transformRows) => {
    const rows = run(sql, params, false)
    return transformRows === undefined ? rows : Effect.map(rows, transformRows)
  }
  const executeValues: Connection["executeValues"] = (sql, params) => run<Array<unknown>>(sql, params, true)
  return {
    execute,
    executeUnprepared: execute,
    executeRaw: (sql, params) => execute(sql, params, undefined),
    executeValues,
    executeValuesUnprepared: executeValues,
    executeStream: (sql, params, transformRows) =>
      Stream.unwrap(Effect.map(execute(sql, params, transformRows), Stream.fromIterable))
  }
}

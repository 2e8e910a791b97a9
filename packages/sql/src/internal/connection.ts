/** A connection to a SQLite file. */
import type { Connection } from "@effect/sql/SqlConnection"
import { SqlError } from "@effect/sql/SqlError"
import type { FileConnection } from "@mailstream/kernel/sqlite/FileConnection"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

/** Runs a statement, and returns its rows as objects or as arrays of values. */
export interface Run {
  <A extends object>(
    sql: string,
    params: ReadonlyArray<unknown>,
    isArray: boolean
  ): Effect.Effect<ReadonlyArray<A>, SqlError>
}

/** A connection on which everything is a statement. */
export const connectionOf = (run: Run): Connection => {
  const execute: Connection["execute"] = (sql, params, transformRows) => {
    const rows = run(sql, params, false)
    return transformRows === undefined ? rows : Effect.map(rows, transformRows)
  }
  return {
    execute,
    executeUnprepared: execute,
    executeRaw: (sql, params) => execute(sql, params, undefined),
    executeValues: (sql, params) => run<Array<unknown>>(sql, params, true),
    executeStream: (sql, params, transformRows) =>
      Stream.unwrap(Effect.map(execute(sql, params, transformRows), Stream.fromIterable))
  }
}

/** Runs the statements of a file. */
export const runOn = (file: FileConnection): Run => (sql, params, isArray) =>
  Effect.try({
    try: () => file.run(sql, params, isArray),
    catch: (cause) => new SqlError({ cause, message: "Failed to execute statement" })
  })

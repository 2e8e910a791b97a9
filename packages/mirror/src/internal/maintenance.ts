/** Looking at the copy, and dropping what is no longer needed. */
import type { SqlError } from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Copy } from "./copy.ts"
import type { Database } from "./database.ts"
import * as State from "./state.ts"

export interface Status {
  /** How many items the copy holds. */
  readonly items: number
  /** How many rows are marked as deleted. */
  readonly deleted: number
  /** When the last pass ended. */
  readonly completedAt: string | undefined
  /** What the last pass did. */
  readonly lastPass: State.Counts | undefined
  /** The pass that is under way, or was interrupted. */
  readonly pass: { readonly beganAt: string; readonly attempts: number; readonly counts: State.Counts } | undefined
  /** Why the list could not be copied. */
  readonly error: string | undefined
  /** The number of the last change. */
  readonly changes: number
  /** How far each consumer has come. */
  readonly consumers: Readonly<Record<string, number>>
}

export const status = ({ database, key, table }: Copy): Effect.Effect<Status, SqlError> =>
  Effect.gen(function*() {
    const { name, run } = database
    const state = yield* State.load(database, key)
    const [rows] = yield* run(
      `SELECT COUNT(*) AS total, COUNT(deleted_at) AS deleted FROM ${name(table.table)} WHERE account = ?`,
      [key.account]
    )
    const consumers = yield* run(
      `SELECT consumer, seq FROM ${name("mirror_consumers")} WHERE account = ? AND list = ? ORDER BY consumer`,
      [key.account, key.list]
    )
    return {
      items: Number(rows?.["total"]) - Number(rows?.["deleted"]),
      deleted: Number(rows?.["deleted"]),
      completedAt: state?.completedAt,
      lastPass: state?.lastPass?.counts,
      pass: state?.pass === undefined ? undefined : {
        beganAt: state.pass.beganAt,
        attempts: state.pass.attempts,
        counts: state.pass.counts
      },
      error: state?.error,
      changes: state?.changes ?? 0,
      consumers: Object.fromEntries(consumers.map(({ consumer, seq }) => [String(consumer), Number(seq)]))
    }
  })

/** Notes why a list could not be copied. */
export const note = ({ database, key }: Copy, error: { readonly message: string }): Effect.Effect<void, SqlError> =>
  State.fail(database, key, error.message)

const before = (duration: Duration.Duration): Effect.Effect<string> =>
  Effect.map(Clock.currentTimeMillis, (now) => new Date(now - Duration.toMillis(duration)).toISOString())

export const purge = ({ database, key, table }: Copy, olderThan: Duration.Duration): Effect.Effect<number, SqlError> =>
  // A pass may be about to bring a row back, so that its list is left alone; whoever polls finds that it is too late.
  Effect.flatMap(before(olderThan), (cutoff) =>
    database.transaction(Effect.gen(function*() {
      const free = yield* database.run(
        `UPDATE ${database.name("mirror_lists")} SET version = version + 1
         WHERE account = ? AND list = ? AND pass IS NULL RETURNING version`,
        [key.account, key.list]
      )
      if (free.length === 0) return 0
      const rows = yield* database.run(
        `DELETE FROM ${
          database.name(table.table)
        } WHERE account = ? AND deleted_at < ${database.time} RETURNING 1 AS one`,
        [key.account, cutoff]
      )
      return rows.length
    })))

export const prune = (
  { name, run, time }: Database,
  account: string,
  olderThan: Duration.Duration
): Effect.Effect<number, SqlError> =>
  Effect.flatMap(before(olderThan), (cutoff) => {
    const table = name("mirror_changes")
    return Effect.map(
      run(
        `DELETE FROM ${table} WHERE account = ? AND at < ${time} AND NOT EXISTS (
           SELECT 1 FROM ${name("mirror_consumers")} c
           WHERE c.account = ${table}.account AND c.list = ${table}.list AND c.seq < ${table}.seq
         ) RETURNING 1 AS one`,
        [account, cutoff]
      ),
      (rows) => rows.length
    )
  })

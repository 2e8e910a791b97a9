/** Looking at the copy, and dropping what is no longer needed. */
import type { SqlError } from "@effect/sql/SqlError"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Copy } from "./copy.ts"
import type { Database, Param } from "./database.ts"
import * as State from "./state.ts"

/** A pass that has been silent for longer is not under way any more. */
const maxSilence = Duration.minutes(1)

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
  readonly pass: PassStatus | undefined
  /** Why the list could not be copied. */
  readonly error: string | undefined
  /** The number of the last change. */
  readonly changes: number
  /** How far each consumer has come. */
  readonly consumers: Readonly<Record<string, number>>
}

export interface PassStatus {
  readonly beganAt: string
  /** When it was last heard of. */
  readonly activeAt: string
  /** Whether it failed, was stopped, or has been silent for more than a minute. The next pass continues it. */
  readonly isInterrupted: boolean
  /** How often it was begun or continued. */
  readonly attempts: number
  readonly counts: State.Counts
}

const passStatus = ({ error }: State.State, pass: State.Pass, silentSince: string): PassStatus => ({
  beganAt: pass.beganAt,
  activeAt: pass.activeAt,
  isInterrupted: error !== undefined || pass.isPaused === true || pass.activeAt < silentSince,
  attempts: pass.attempts,
  counts: pass.counts
})

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
      pass: state?.pass === undefined ? undefined : passStatus(state, state.pass, yield* before(maxSilence)),
      error: state?.error,
      changes: state?.changes ?? 0,
      consumers: Object.fromEntries(consumers.map(({ consumer, seq }) => [String(consumer), Number(seq)]))
    }
  })

/** The point in time this long ago. */
const before = (age: Duration.Duration): Effect.Effect<string> =>
  Effect.map(DateTime.now, (now) => DateTime.formatIso(DateTime.subtractDuration(now, age)))

/** Deletes rows, and returns how many there were. */
const drop = (
  { name, run }: Database,
  table: string,
  where: string,
  params: ReadonlyArray<Param>
): Effect.Effect<number, SqlError> =>
  Effect.gen(function*() {
    const [row] = yield* run(`SELECT COUNT(*) AS count FROM ${name(table)} AS t WHERE ${where}`, params)
    yield* run(`DELETE FROM ${name(table)} AS t WHERE ${where}`, params)
    return Number(row?.["count"])
  })

/**
 * Drops rows that were marked as deleted. A pass may be about to bring one of them back, so a list with a pass under way is
 * left alone; a poll that has compared its items already is refused, because the version has changed.
 */
export const purge = ({ database, key, table }: Copy, age: Duration.Duration): Effect.Effect<number, SqlError> =>
  Effect.flatMap(before(age), (cutoff) =>
    database.transaction(Effect.gen(function*() {
      const free = yield* database.run(
        `UPDATE ${database.name("mirror_lists")} SET version = version + 1
         WHERE account = ? AND list = ? AND pass IS NULL RETURNING version`,
        [key.account, key.list]
      )
      if (free.length === 0) return 0
      return yield* drop(database, table.table, `t.account = ? AND t.deleted_at < ${database.time}`, [
        key.account,
        cutoff
      ])
    })))

/** Drops changes that every consumer has committed. */
export const prune = (database: Database, account: string, age: Duration.Duration): Effect.Effect<number, SqlError> =>
  Effect.flatMap(before(age), (cutoff) =>
    database.transaction(drop(
      database,
      "mirror_changes",
      `t.account = ? AND t.at < ${database.time} AND NOT EXISTS (
         SELECT 1 FROM ${database.name("mirror_consumers")} c
         WHERE c.account = t.account AND c.list = t.list AND c.seq < t.seq
       )`,
      [account, cutoff]
    )))
